"""The playground: a page with texts, how weburl reads them, and how the browser reads them.

It is the viewer without its server. The readings of a list are computed when the site is built, and
the page's scripts call the browser's own parser. weburl itself runs in the browser to read what
people type: `engine` has what that takes, and `answering` is the part that runs there. `page`
writes the page, and `texts` has the texts. `scripts` and `styles` adapt those of the viewer to a
page of the site. `policy` prevents the page from loading anything else.
"""
