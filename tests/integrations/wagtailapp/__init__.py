"""An app with a page type and a snippet of Wagtail that have URLs."""
