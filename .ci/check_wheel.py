"""Fails unless each wheel contains its package with its py.typed, and nothing else.

It must contain every Python file of the package's directory, the files for Cython and type
checkers, every translation with its source, and the viewer's scripts and styles. A wheel for one
platform must also contain each module of the compiled room in a library. The list of what is
inside (PEP 770) must be that of this wheel, and its README must not have links that PyPI lacks.
`weburl` must need neither Django nor tqdm, and `django-whatwg-url` just this version of `weburl`.
Usage: check_wheel.py WHEEL...
"""

from __future__ import annotations

import email
import json
import re
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"weburl": ROOT / "src" / "weburl", "django_whatwg_url": ROOT / "django_whatwg_url"}
COMPILED_ROOM = "weburl/standard/compiled/"

RELATIVE = re.compile(r"\]\((?!https?://|#)([^)]*)\)|(?:src|srcset)=\"(?!https?://)([^\"]*)\"")

SUFFIXES = {".py", ".pyi", ".pxd", ".po", ".mo", ".css", ".js", ".svg"}


def files_of_the_package(name: str) -> set[str]:
    """Return the expected members of the wheel of a package, as paths from its root."""
    directory = PACKAGES[name]
    return {
        f"{name}/{file.relative_to(directory).as_posix()}"
        for file in directory.rglob("*")
        if file.suffix in SUFFIXES
    } | {f"{name}/py.typed"}


def complaints_about_the_libraries(modules: set[str], libraries: dict[str, bytes]) -> list[str]:
    """Return what is wrong with the libraries of a wheel, if anything.

    Args:
        modules: The compiled modules, each as its path without a suffix.
        libraries: The content of each library, by its path without the suffix of a platform.
    """
    content = b"".join(libraries.values())
    # A library may hold several modules. The interpreter looks for this name in it.
    lacking = [name for name in modules if f"PyInit_{Path(name).name}\0".encode() not in content]
    return [
        *(f"lacks {name}, compiled" for name in sorted(lacking)),
        *(f"should not contain {name}, compiled" for name in sorted(set(libraries) - modules)),
    ]


def complaints_about_the_needs(name: str, version: str, needs: list[str]) -> list[str]:
    """Return what is wrong with the requirements of a wheel, if anything.

    Args:
        name: The name of the package.
        version: Its version.
        needs: What its metadata says that it requires, without the extras.
    """
    if name == "weburl":
        return [f"needs {need}" for need in needs if re.match("(?i)django|tqdm", need)]
    own = f"weburl=={version}"
    return [] if own in needs else [f"does not need {own}, but {needs}"]


def complaints_about_the_sbom(
    name: str, text: str | None, version: str, *, is_compiled: bool
) -> list[str]:
    """Return what is wrong with the list of what is inside a wheel, if anything.

    Args:
        name: The name of the distribution.
        text: The list, or None if the wheel has none.
        version: The version in the wheel's name.
        is_compiled: Whether the wheel is for one platform.
    """
    if text is None:
        return [f"lacks its SBOM, sboms/{name}.cdx.json"]
    sbom: dict[str, Any] = json.loads(text)
    component = sbom["metadata"]["component"]
    found: list[str] = []
    if (sbom["bomFormat"], component["name"]) != ("CycloneDX", name):
        found.append("has an SBOM of something else")
    if component["version"] != version:
        found.append(f"has an SBOM of version {component['version']}")
    parts = [part["name"] for part in sbom["components"]]
    if parts != (["Cython"] if is_compiled else []):
        found.append(f"has an SBOM that says that {parts} is inside")
    if "timestamp" in sbom["metadata"] or "serialNumber" in sbom:
        found.append("has an SBOM that differs in each build")
    return found


def main(wheel: Path) -> int:
    """Print what is wrong with the wheel, if anything, and return the exit status."""
    distribution, version = wheel.name.split("-")[:2]
    metadata = f"{distribution}-{version}.dist-info/"
    name = distribution.replace("_", "-")
    with ZipFile(wheel) as archive:
        members = {name for name in archive.namelist() if not name.endswith("/")}
        sbom = f"{metadata}sboms/{name}.cdx.json"
        listed = archive.read(sbom).decode() if sbom in members else None
        about = email.message_from_bytes(archive.read(f"{metadata}METADATA"))
        files = {name for name in members if name.endswith((".so", ".pyd"))}
        libraries = {name.partition(".")[0]: archive.read(name) for name in files}
    packaged = {name for name in members - files if not name.startswith(metadata)}
    expected = files_of_the_package(distribution)
    wanted: set[str] = set()
    is_compiled = not wheel.stem.endswith("-none-any")
    if is_compiled:
        room = (name for name in expected if name.startswith(COMPILED_ROOM))
        wanted = {name.removesuffix(".py") for name in room if name.endswith(".py")}
        wanted.discard(f"{COMPILED_ROOM}__init__")
    complaints = [f"lacks {name}" for name in sorted(expected - packaged)]
    complaints += [f"should not contain {name}" for name in sorted(packaged - expected)]
    complaints += complaints_about_the_libraries(wanted, libraries)
    if f"{metadata}licenses/LICENSE" not in members:
        complaints.append("lacks its LICENSE")
    complaints += complaints_about_the_sbom(name, listed, version, is_compiled=is_compiled)
    needs = [need for need in about.get_all("Requires-Dist", []) if "extra ==" not in need]
    complaints += complaints_about_the_needs(distribution, version, needs)
    readme = str(about.get_payload())
    complaints += [f"links to {''.join(link)} in its README" for link in RELATIVE.findall(readme)]
    if not readme.startswith("# "):
        complaints.append("lacks its README")
    for complaint in complaints:
        print(f"{wheel.name} {complaint}", file=sys.stderr)
    if not complaints:
        print(f"{wheel.name}: {len(packaged)} files of {distribution}, nothing else")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(max(main(Path(name)) for name in sys.argv[1:]))
