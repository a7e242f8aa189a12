"""List of recent changes of appearances and programs that can still be undone."""

from collections.abc import Sequence

from apps.competition.selectors.admin.sessions import UndoRow
from apps.core.texts import Texts
from components.runtime import Markup, command_button, html
from components.ui.frames import answer_line

_NAMED = 3  # names in a line; of more only the number is shown


def undo_list(undos: Sequence[UndoRow], words: str, t: Texts) -> Markup:
    """Return a line for each change, None without any; `words` is a text with {names} and {session}."""
    if not undos:
        return None
    lines = (html.li({"key": f"undo-{undo.id}"}, *_line(undo, words, t)) for undo in undos)
    own = {"key": "undos", "class": "body", "data-answers": ""}
    return html.div(own, answer_line(), html.ul({"class": "lines"}, *lines))


def _line(undo: UndoRow, words: str, t: Texts) -> tuple[Markup, ...]:
    names = _names(undo.names, t)
    back = command_button("program_undo", undo.id, busy=t("Processing..."))
    own = {"class": "link", "aria-label": t("Take back: {file}").format(file=names)} | back
    about = html.span(words.format(names=names, session=undo.session))
    return about, html.span({"class": "dots"}), html.button(own, t("Take back"))


def _names(names: Sequence[str], t: Texts) -> str:
    """Return the first names, and how many others there are."""
    if len(names) <= _NAMED + 1:
        return ", ".join(names)
    others = t("and {n} others").format(n=len(names) - _NAMED)
    return f"{', '.join(names[:_NAMED])} {others}"
