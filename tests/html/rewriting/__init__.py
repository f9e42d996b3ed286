"""How the links of a page are changed, and nothing else."""
