"""What makes the site of the documents: `make docs`.

The documents are Markdown that GitHub shows too, so nothing in them is for the site alone. `pages`
copies them to a directory for Sphinx and adds the lists of contents, `maps` draws their diagrams,
and `reference` adds a page for each public module, which Sphinx fills from the docstrings by
`docstrings`.
"""
