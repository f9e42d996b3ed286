# Python cannot import anything from here. What the other compiled modules use is in punycode.pxd.
