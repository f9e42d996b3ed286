"""What rooms above the standard share, and no standard defines.

These are the oldest releases of optional libraries, the arguments of commands, options as JSON, and
text that a person typed. No other room of `standard` imports this.
"""
