"""The decisions that a queue offers, and the list of its keys: a line above it, and the dialog of the key "?"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.core.texts import Texts
from components.runtime import Markup, VdomDict, html

Key = tuple[tuple[str, ...], str]  # the keys, and what they do


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: its word in commands, label and key, and the label and question for all matching rows.

    The question has {n}, the number of rows, and may have {marks}.
    """

    word: str
    label: str
    key: str
    all_label: str = ""
    all_question: str = ""


def keys_line(choices: Sequence[Choice], opens: str, t: Texts) -> VdomDict:
    """Return the line of the keys, with the button that opens their list."""
    hints = (html.span({"key": words}, *_caps(caps), words) for caps, words in _keys(choices, opens, t))
    button = {"type": "button", "class": "link", "data-keys": "", "aria-haspopup": "dialog"}
    shown = html.button({"key": "?"} | button, html.kbd("?"), " ", t("all keys"))
    return html.p({"key": "hints", "class": "queue__hints"}, *hints, shown)


def keys_dialog(choices: Sequence[Choice], opens: str, t: Texts) -> VdomDict:
    """Return the closed dialog that lists the keys; the queue's client module opens and closes it."""
    keys = [*_keys(choices, opens, t), (("?",), t("this list"))]
    lines = (html.div({"key": words}, html.dt(*_caps(caps)), html.dd(words)) for caps, words in keys)
    close = {"type": "button", "class": "button button--plain", "data-keys": ""}
    return html.dialog(
        {"class": "dialog queue-keys", "aria-labelledby": "queue-keys"},
        html.h2({"id": "queue-keys"}, t("Keys")),
        html.dl(*lines),
        html.div({"class": "row"}, html.button(close, t("Close"))),
    )


def _keys(choices: Sequence[Choice], opens: str, t: Texts) -> list[Key]:
    return [
        (("J", "K"), t("next, previous")),
        (("X",), t("select")),
        *([(("O",), opens)] if opens else []),
        *(((choice.key.upper(),), choice.label.lower()) for choice in choices),
        (("Z",), t("undo")),
    ]


def _caps(caps: Sequence[str]) -> Iterator[Markup]:
    return (cap for key in caps for cap in (html.kbd({"key": key}, key), " "))
