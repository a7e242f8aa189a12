"""Models as tests write them."""

from typing import Any

from hypothesis import strategies as st

# No surrogates (JSON of ours has none), and nothing that an HTML parser itself changes: carriage returns, NUL.
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t<>&\"'"), max_size=12)


def made(tag: str, attributes: dict[str, Any], children: Any = ()) -> dict[str, Any]:
    """A model as ReactPy writes it: no empty attributes, no empty children."""
    model: dict[str, Any] = {"tagName": tag}
    if attributes:
        model["attributes"] = attributes
    if children:
        model["children"] = list(children)
    return model
