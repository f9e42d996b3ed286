"""The Public Suffix List: the names under which people can register domains.

`parse_list` and `read_list` make a list. `use_list` sets the list of the whole process, and
`using_list` the list of one block of code. Everything here is public. The code is in
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
