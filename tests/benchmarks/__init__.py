"""Measurements, run by hand (``make bench``) and by no test."""
