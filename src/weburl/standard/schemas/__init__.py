"""Values as text, text as values, and the schemas that libraries ask for.

`weburl.integrations` is built on this.
"""
