"""Rules as values: which URLs may be linked, fetched or redirected to.

`addresses` and `names` define what an address or a name is for. `hosts` defines which hosts a rule
means, and `host_list` holds very many of them. `policy` combines rules. `readers` compares how
other software reads a URL. Nothing here resolves a name or opens a connection.
"""
