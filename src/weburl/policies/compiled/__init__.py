"""Hosts, looked up in lists without Python objects.

The interpreted build imports nothing from here.
"""
