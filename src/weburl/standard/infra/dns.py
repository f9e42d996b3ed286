"""The greatest lengths of names in the DNS."""

from typing import Final

MAX_DOMAIN_LENGTH: Final = 253
"""In characters. On the wire, 255 bytes include the length of each label and the root."""

MAX_LABEL_LENGTH: Final = 63
"""In characters."""
