"""Builds the site of the documents: `make docs`.

The documents are Markdown that GitHub shows too, so they contain nothing that only the site needs.
`pages` copies them to a directory for Sphinx and adds the lists of contents. `maps` draws their
diagrams. `reference` adds a page for each public module, which Sphinx fills from the docstrings
with the extension `docstrings`.
"""
