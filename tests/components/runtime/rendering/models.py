"""Builders of models (the JSON form of markup), and a hypothesis strategy for their texts."""

from typing import Any

from hypothesis import strategies as st

# Without surrogates, which JSON on the wire never contains, and characters that an HTML parser changes (CR, NUL).
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t<>&\"'"), max_size=12)


def element(tag: str, attributes: dict[str, Any], children: Any = ()) -> dict[str, Any]:
    """Return a model as ReactPy writes it: without empty attributes or children."""
    model: dict[str, Any] = {"tagName": tag}
    if attributes:
        model["attributes"] = attributes
    if children:
        model["children"] = list(children)
    return model
