"""What PyInstaller cannot see in the code of `weburl`.

Compiled modules import each other in C, commands and pydantic's schemas are imported by name, and
the Public Suffix List, the viewer, rendering and history read files.
"""

import re

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

_UNSEEN = re.compile(r"\.(?:compiled|command_line|pydantic_schemas)\b")
hiddenimports: list[str] = [name for name in collect_submodules("weburl") if _UNSEEN.search(name)]
datas: list[tuple[str, str]] = collect_data_files("weburl") + collect_data_files("publicsuffixlist")
