"""What the app accepts: validators, hosts that people type, and the messages of the whole app.

Forms, model fields and queries use them. Nothing here imports Django's forms, models or queries.
"""
