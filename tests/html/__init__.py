"""Tests of `weburl.html`."""
