"""The Public Suffix List, which names the suffixes under which people can register domains.

`parse_list` and `read_list` return a list. `use_list` sets the list for the whole process, and
`using_list` for one block of code. Everything here is public. The code is in
`weburl.standard.hosts.public_suffix`.
"""

from weburl.standard.hosts.public_suffix import (
    PublicSuffixList,
    SuffixTable,  # noqa: F401  # `typing.get_type_hints` looks here
    current_list,
    packaged_list,
    parse_list,
    read_list,
    use_list,
    using_list,
)

__all__ = [
    "PublicSuffixList",
    "current_list",
    "packaged_list",
    "parse_list",
    "read_list",
    "use_list",
    "using_list",
]
