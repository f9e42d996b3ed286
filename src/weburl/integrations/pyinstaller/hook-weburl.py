"""What PyInstaller cannot see in the code of `weburl`.

Compiled modules import each other in C, a command is imported by its name, and the Public Suffix
List and the viewer read files.
"""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports: list[str] = [
    name for name in collect_submodules("weburl") if "compiled" in name or "command_line" in name
]
datas: list[tuple[str, str]] = collect_data_files("weburl") + collect_data_files("publicsuffixlist")
