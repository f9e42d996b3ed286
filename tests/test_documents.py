"""What the documents show in other ways than as Python is run too."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import weburl
from docs.site import promised
from weburl import ValidationErrorType

DOCS = Path(__file__).parent.parent / "docs"

CONSOLE_EXAMPLES = re.findall(
    r"```console\n\$ (weburl .*|cat .*)\n((?:.*\n)*?)```",
    (DOCS / "command-line.md").read_text(encoding="utf-8"),
)

NAME_ROWS = re.findall(
    r"^\| `([\w-]+)` \| (yes|sometimes|) ?\| `(.+?)`(?: \(`(.+)`\))? \|$",
    (DOCS / "validation-errors.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a shell of Unix")
@pytest.mark.parametrize(("command", "output"), CONSOLE_EXAMPLES)
def test_the_command_line_prints_what_its_page_shows(
    command: str, output: str, tmp_path: Path
) -> None:
    """The console examples are the program's own output, with the files that the page shows."""
    if " notes.md" in command:
        pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    for shown, text in CONSOLE_EXAMPLES:
        if shown.startswith("cat "):
            (tmp_path / shown.removeprefix("cat ")).write_text(text, encoding="utf-8")
    result = subprocess.run(
        ["bash", "-c", f'weburl() {{ "{sys.executable}" -m weburl "$@"; }}; {command}'],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        cwd=tmp_path,
        encoding="utf-8",
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONIOENCODING": "utf-8",
            "PYTHONPATH": str(DOCS.parent / "src"),
        },
    )
    assert result.stdout == output


def test_the_page_of_the_command_line_has_its_examples() -> None:
    """The examples above were found at all: two files, and the output of six commands."""
    commands = [command.partition(" ")[0] for command, _ in CONSOLE_EXAMPLES]
    assert (commands.count("cat"), commands.count("weburl")) == (2, 6)


ONLY_IN_THE_REFERENCE = {
    *("ArrowArrayExportable", "ArrowColumn", "ArrowStreamExportable"),
    *("CanonicalMaxLengthValidator", "CanonicalURLWidget", "Certainty"),
    *("Components", "DEFAULT_DOCUMENTS", "DEFAULT_KINDS", "DjangoWhatwgURLConfig", "Document"),
    *("Environment", "EnvironmentSettings", "Errors", "ExactURLInput", "ExactURLValidator"),
    *("HostListProblem", "KeyExplanation", "LazyAttribute", "LinkInPage", "LinkKind"),
    *("LooksCanonical", "MAX_LENGTH", "MAX_OPEN_BRACKETS", "Match", "MisleadingLink", "Mismatch"),
    *("NOT_LINKIFIED", "OriginProblem", "PAGE_FAILURES", "PREFIX", "ParamList", "Params", "Part"),
    *("PolicyOption", "PolicyViolation", "Progress", "PublicSuffixList", "QueryParams"),
    *("RULE_NAMES", "Readings", "Reason", "RedirectURIProblem", "RegistrableDomainFilter"),
    *("Result", "SPECIAL_SCHEMES", "SQLFunction", "SiteLink"),
    "SURTProfile",
    *("Scheme", "Seen", "SeriesNamespace", "ShortenedValue", "Step", "StepTaken", "Stored"),
    "Strictness",
    *("Suspicion", "TrackingParams", "ViewerRequest", "ViewerResponse", "TypedKind", "TypedText"),
    *("URLComparison", "URLDisplay"),
    *("URLPart", "URLPatternComponentResult", "URLPatternResult"),
    *("URLPortField", "URLRecord2020", "URLRecord2024", "URLReferenceValidator"),
    *("URLSchemeValidator", "URLStrictnessValidator", "ValidationErrorType"),
    *("agreed_record", "agreed_url"),
    *("current_list", "decompose"),
    *("encoding_parse_and_serialize_url", "encoding_parse_url"),
    *("extract_character_encoding_from_meta_element", "fallback_base_url"),
    *("functions_by_name", "get_attribute", "host_text", "is_absolute_url"),
    "is_absolute_web_address",
    "is_authority_based_url",
    *("is_hierarchical_url", "is_registrable_domain_suffix_of_or_is_equal_to"),
    *("is_valid_url", "is_valid_web_address", "is_visible"),
    *("linear_pattern", "matches_about_blank", "matches_about_srcdoc", "merge"),
    *("normalized_scheme", "packaged_list", "parse_iri_reference", "read_list"),
    *("remove_dot_segments", "request_url"),
    *("respond_to_base_url_changes", "rules_named", "same_origin_domain", "same_page_error"),
    *("schemes_and_hosts", "set_attribute", "set_frozen_base_url", "set_url"),
    *("starts_with_host_and_port", "tuple_origins"),
}
"""Public names that no guide needs. The site's reference has an entry for each."""


def test_every_public_name_is_in_the_code_of_a_page_or_left_to_the_reference() -> None:
    """People look for a name there. A name that neither needs is private.

    `docs.site.reference` fails where a public name has no entry: building the site shows it.
    """
    pages = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))
    shown = set(re.findall(r"\w+", " ".join(re.findall(r"(?s)```.*?```|`[^`\n]+`", pages))))
    names = {name for listed in promised.names(DOCS.parent).values() for name in listed}
    assert len(names) > 400
    assert names - shown == ONLY_IN_THE_REFERENCE


def test_the_table_names_every_validation_error_once() -> None:
    """31 rows, in the standard's order."""
    assert [row[0] for row in NAME_ROWS] == [type.value for type in ValidationErrorType]


@pytest.mark.parametrize(("name", "fails", "example", "base"), NAME_ROWS)
def test_an_example_in_the_table_has_the_error_of_its_row(
    name: str, fails: str, example: str, base: str
) -> None:
    """Each example makes its error, and no URL where the row says so."""
    report = weburl.check(example.replace("\\|", "|"), base or None)
    error = next(error for error in report.errors if error.type == name)
    if fails != "sometimes":
        assert error.is_failure == (fails == "yes")
    assert (report.record is None) == error.is_failure
