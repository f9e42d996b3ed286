"""Finds the form that a button belongs to, which may name the window that the response opens in."""

from __future__ import annotations

import attrs

from weburl.html.tree import HTML, Element, Tree


@attrs.define(eq=False)
class FormOwners:
    """The forms of a page, which are searched for when the first button needs one.

    Spec divergence (the tree does not show it): if a form was closed in the wrong place, as in a
    table, the parser may give it buttons outside it. Such a button gets the form around it, if any.
    """

    _tree: Tree
    _by_id: dict[str, Element] | None = attrs.field(default=None, init=False)
    _around: dict[Element, Element | None] = attrs.field(factory=dict, init=False)

    def owner(self, element: Element) -> Element | None:
        """Return the form that ``element`` names in its ``form`` attribute, or the form around it.

        Returns None if there is no such form.

        Spec: https://html.spec.whatwg.org/#form-owner
        """
        id = element.attribute("form")
        if id is None:
            return self._form_around(element)
        if self._by_id is None:
            self._by_id = {}
            for other in self._tree.elements():
                of_other = other.attribute("id")
                if of_other and other.is_in_document_tree:
                    self._by_id.setdefault(of_other, other)
        found = self._by_id.get(id)
        return found if found is not None and _is_form(found) else None

    def _form_around(self, element: Element) -> Element | None:
        # Visit each ancestor once for all the buttons inside it, or deep pages take quadratic time.
        passed: list[Element] = []
        found: Element | None = None
        ancestor: Element | None = element
        while ancestor is not None:
            if ancestor in self._around:
                found = self._around[ancestor]
                break
            if _is_form(ancestor):
                found = ancestor
                break
            passed.append(ancestor)
            ancestor = ancestor.parent
        self._around.update(dict.fromkeys(passed, found))
        return found


def _is_form(element: Element) -> bool:
    return element.name == "form" and element.namespace == HTML
