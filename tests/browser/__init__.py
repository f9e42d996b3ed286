"""What a real Chromium says: `make test-browser`."""
