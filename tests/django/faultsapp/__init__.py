"""An app whose table became one of URLs step by step, to be interrupted at each."""
