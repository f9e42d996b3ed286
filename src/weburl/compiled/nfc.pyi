# Nothing here is to be had from Python: what the other compiled modules use is in nfc.pxd.
