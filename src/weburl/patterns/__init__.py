"""The URL Pattern Standard: `URLPattern` and `URLPatternList`.

`tokenizer`, `pattern_parser` and `constructor_strings` are the standard's parsers, and
`canonicalization` encodes fixed text. `pattern_strings` writes a parsed pattern back. `component`
compiles the pattern of one component, and `matchers` match it: with `automaton`, in linear time, or
with `backtracking` if a regular expression needs it. `regexps` reads JavaScript's regular
expressions.

Spec: https://urlpattern.spec.whatwg.org/
"""
