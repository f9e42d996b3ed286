"""Tests of the fast path in both builds, compiled and interpreted."""
