"""Both bodies of what stands before the general parser."""
