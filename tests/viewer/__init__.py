"""Tests of the URL viewer, without a browser."""
