"""From text to a unique URL with a domain, an index and a constraint."""
