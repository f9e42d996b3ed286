"""Which part of a domain is open for registration, and by which Public Suffix List.

`parse_list` and `read_list` make a list. `use_list` and `using_list` put it in the place of the
packaged one, for the whole process or for one block of code. All of it is public; the code is in
`weburl.hosts.public_suffix`.
"""

from weburl.hosts.public_suffix import (
    PublicSuffixList,
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
