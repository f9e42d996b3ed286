"""The playground: a page with texts, how weburl reads them, and what a browser makes of them.

It is the viewer without its server: the readings are computed when the site is built, and its
scripts ask the browser's own parser. `page` writes it, `texts` are the choice, `scripts` and
`styles` adapt the viewer's to a page of the site, and `policy` keeps the page from loading anything
else.
"""
