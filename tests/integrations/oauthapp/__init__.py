"""The app of OAuth applications and clients that the tests of integrations register."""
