"""How the URL Standard works, room by room."""
