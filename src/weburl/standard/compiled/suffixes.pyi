from collections.abc import Mapping

class SuffixTable:
    def __init__(self, kinds: Mapping[str, int]) -> None: ...
