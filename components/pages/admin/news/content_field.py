"""The field for an article's text, with what becomes of it beside."""

from functools import partial
from typing import Any

from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.news.article_text import Node, article_read
from apps.news.limits import CONTENT_LENGTH, PREVIEW_LENGTH
from components.markup import VdomDict, component, event, html, use_state
from components.parts.article_text import article_blocks
from components.ui.controls.forms import area

WAIT = 400  # milliseconds without a key until what was typed is shown
Blocks = tuple[Node, ...]


def preview_read(content: str) -> Blocks:
    """Return the blocks of a text that stand beside its field."""
    return article_read(content[:PREVIEW_LENGTH])


@component
def content_field(stored: str, read: Blocks, language: str) -> VdomDict:
    """The field, and the preview that follows what is typed; without scripts the field alone.

    `read` is what a thread has read of the text that is stored (`preview_read`).
    """
    t, (blocks, set_blocks) = texts(language), use_state(read)

    async def on_type(sent: dict[str, Any]) -> None:
        match sent:
            case {"target": {"value": str(typed)}}:
                set_blocks(await in_thread(partial(preview_read, typed)))

    hint = t("Each line is a paragraph.")
    own: dict[str, Any] = {"rows": 14, "class": "prose-field", "onInput": event(on_type, debounce=WAIT)}
    return html.div(
        {"class": "previewed"},
        area(t("Content"), "content", value=stored, hint=hint, required=True, maxLength=CONTENT_LENGTH, **own),
        _preview(blocks, language),
    )


def _preview(blocks: Blocks, language: str) -> VdomDict:
    """Return what readers will see, and while there is nothing how it is written."""
    t = texts(language)
    signs = (
        *(t("## A heading"), t("*Emphasis*, **strong**, [a link](https://example.org)")),
        *(t("- A list, or 1. with numbers"), t("> A quote"), t("![A caption](https://example.org/picture.jpg)")),
    )
    empty = html.ul({"class": "preview__signs"}, *(html.li({"key": sign}, html.code(sign)) for sign in signs))
    scrolled = {"class": "preview__text", "tabIndex": 0, "role": "group", "aria-labelledby": "preview-heading"}
    return html.section(
        {"class": "preview", "aria-labelledby": "preview-heading"},
        html.h2({"id": "preview-heading"}, t("Preview")),
        html.div(scrolled, article_blocks(blocks) if blocks else empty),
    )
