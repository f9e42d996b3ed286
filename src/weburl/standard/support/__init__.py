"""What rooms above the standard share, and no standard defines.

These are the error for a missing library, options as JSON, and text that a person typed. No other
room of `standard` imports this.
"""
