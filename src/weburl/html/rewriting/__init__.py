"""Changes the links of a page and leaves every other byte as it is.

`source` holds the page as text and the edits of it, `places` finds tags in it, and `values` finds
URLs in attribute values. `changing` asks about each link, and `ready_made` has the usual answers.
"""
