from collections.abc import Callable, Collection

from weburl.standard.compiled.suffixes import SuffixTable

class KeyPlan:
    def __init__(
        self,
        options: Collection[str],
        fragments: bytes,
        unsure: bytes,
        names: list[tuple[bytes, int]],
        suffixes: Callable[[], SuffixTable],
    ) -> None: ...
    def key_of(self, text: object, /) -> str | None: ...
