"""Tests of the integrations with the real packages. `make test-integrations` runs them."""
