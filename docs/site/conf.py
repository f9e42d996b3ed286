"""Sphinx's settings for the site."""

from __future__ import annotations

import importlib.metadata

project = "django-whatwg-url"
author = "The django-whatwg-url developers"
copyright = author
version = release = importlib.metadata.version(project)

extensions = ["myst_parser", "sphinx.ext.autodoc", "docs.site.docstrings"]
myst_heading_anchors = 4  # as GitHub makes them

autodoc_inherit_docstrings = False  # an override has a docstring of its own
autodoc_member_order = "bysource"
# It looks for a class in the file of the module that the class names, which is the public one.
autodoc_use_type_comments = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"
add_module_names = False
smartquotes = False
language = "en"

html_theme = "furo"
html_title = f"{project} {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_logo = "static/logo.svg"
html_favicon = "static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {"sidebar_hide_name": False}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
