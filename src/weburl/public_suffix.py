"""The Public Suffix List: under which names people can register domains, and which list to use.

`parse_list` and `read_list` make a list. `use_list` uses it in the whole process, `using_list` in
one block of code. Everything here is public. The code is in `weburl.hosts.public_suffix`.
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
