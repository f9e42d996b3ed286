"""Tests in Pyodide, Python compiled to WebAssembly: what it has to agree with, and the runner."""
