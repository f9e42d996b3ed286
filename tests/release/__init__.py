"""What a release must pass: the scripts in `.ci/`, and what they say of this checkout."""
