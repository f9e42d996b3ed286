"""The integrations, each with the real package: `make test-integrations`."""
