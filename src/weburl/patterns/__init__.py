"""The URL Pattern Standard: `URLPattern` and `URLPatternList`.

`tokenizer`, `pattern_strings` and `constructor_strings` are the standard's parsers, which also
write patterns. `canonicalization` encodes fixed text. `component` compiles the pattern of one
component, and `matchers` match it: with `automaton`, in linear time, or with Python's `re` if a
regular expression needs it. `regexps` reads JavaScript's regular expressions.

Spec: https://urlpattern.spec.whatwg.org/
"""
