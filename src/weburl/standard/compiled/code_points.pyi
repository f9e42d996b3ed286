# Nothing here is to be had from Python: what the other compiled modules use is in code_points.pxd.
