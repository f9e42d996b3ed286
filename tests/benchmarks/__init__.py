"""The measurements themselves: what they time, and the tables that they write."""
