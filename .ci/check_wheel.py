"""Fails if a wheel lacks what only this project wants in it. check-wheel-contents checks the files.

Each module must have a name that can be imported, unless PyInstaller or Django requires another. A
wheel for one platform must contain each compiled module in a library. The README must not have
links that PyPI lacks. `weburl` must need neither Django nor tqdm, and `django-whatwg-url` just this
version of `weburl`.
Usage: check_wheel.py WHEEL...
"""

from __future__ import annotations

import email
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "weburl"
REQUIRED_NAMES = re.compile(
    r"weburl/integrations/pyinstaller/hook-weburl\.py|django_whatwg_url/migrations/\d{4}_\w+\.py"
)
RELATIVE = re.compile(r"\]\((?!https?://|#)([^)]*)\)|(?:src|srcset)=\"(?!https?://)([^\"]*)\"")


def complaints(wheel: Path) -> Iterator[str]:
    """Yield what is wrong with a wheel."""
    distribution, version = wheel.name.split("-")[:2]
    name = distribution.replace("_", "-")
    is_compiled = not wheel.stem.endswith("-none-any")
    with ZipFile(wheel) as archive:
        members = archive.namelist()
        inside = f"{distribution}-{version}.dist-info/"
        about = email.message_from_bytes(archive.read(f"{inside}METADATA"))
        libraries = {one: archive.read(one) for one in members if one.endswith((".so", ".pyd"))}
    for member in members:
        names = member.removesuffix(".py").split("/")
        is_importable = all(map(str.isidentifier, names)) or REQUIRED_NAMES.fullmatch(member)
        if member.endswith(".py") and not is_importable:
            yield f"contains {member}, which cannot be imported"
    # A library may hold several modules. The interpreter looks for this name in it.
    for module in sorted(PACKAGE.rglob("compiled/*.py")):
        directory = module.parent.relative_to(PACKAGE.parent).as_posix()
        symbol = f"PyInit_{module.stem}\0".encode()
        there = any(symbol in data for one, data in libraries.items() if one.startswith(directory))
        if module.stem != "__init__" and there is not is_compiled:
            yield f"{'lacks' if is_compiled else 'should not contain'} {module}, compiled"
    needs = [need for need in about.get_all("Requires-Dist", []) if "extra ==" not in need]
    if name == "weburl":
        yield from (f"needs {need}" for need in needs if re.match("(?i)django|tqdm", need))
    elif f"weburl=={version}" not in needs:
        yield f"does not need weburl=={version}"
    readme = str(about.get_payload())
    yield from (f"links to {''.join(link)} in its README" for link in RELATIVE.findall(readme))


def main(wheels: list[str]) -> int:
    """Print what is wrong with the wheels, and return the exit status."""
    found = [f"{name}: {one}" for name in wheels for one in complaints(Path(name))]
    print("\n".join(found) or f"{len(wheels)} wheels have what they should")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
