"""Many performers at once in a session's form: a pasted list, the next ones, another session's, those who advance.

The fields belong to a form of their own (`fill_form`), since forms do not nest. Its command answers with the address of
the session's form that shows the new order: `apps/competition/order_drafts.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.competition.enums import OrderFill
from apps.competition.limits import NEXT_PERFORMERS, ORDER_TEXT_LENGTH, PERFORMERS_MOST
from apps.competition.order_drafts import OpenLine, OrderDraft, pianos_joined
from apps.competition.selectors.admin.order_lines import People
from apps.competition.selectors.admin.participants import ParticipantOption
from apps.competition.selectors.admin.sessions import SessionEdit, SessionOption, StageRow
from apps.core.texts import Texts
from components.pages.admin.choices import session_words
from components.pages.admin.sessions.list_file import list_file
from components.pages.admin.sessions.live import FILL_FORM as FORM
from components.runtime import Markup, VdomDict, command_form, html, key
from components.ui.forms import area, field, select

_LINES_NAMED = 12  # numbers of lines in a sentence


def fill_form(session: SessionEdit | None, t: Texts) -> VdomDict:
    """Return the form of the fields of `order_panel`; None is a new session."""
    version = html.input({"type": "hidden", "name": "version", "value": session.version}) if session else None
    asking = {"data-ask": t("Add these pianos to the list?"), "data-ask-yes": t("Add them")}
    command = command_form("order_fill", session.id if session else "")
    return html.form({"id": FORM, "key": FORM} | command | asking, version)


@dataclass(frozen=True, slots=True)
class FillChoices:
    """What an order can be filled from: other sessions, stages, and participants for each open line of the draft."""

    sessions: tuple[SessionOption, ...]
    stages: tuple[StageRow, ...]
    like: Mapping[int, tuple[ParticipantOption, ...]]  # by the number of the line


def fill_choices(
    draft: OrderDraft | None, sessions: tuple[SessionOption, ...], stages: tuple[StageRow, ...]
) -> FillChoices:
    """Return these choices, with participants similar to the draft's open lines. At most one query."""
    open_lines = draft.open_lines if draft else ()
    people = People.read() if open_lines else People(())
    playing = draft.participant_ids if draft else ()
    return FillChoices(sessions, stages, {line.number: people.like(line.text, playing) for line in open_lines})


def order_panel(session: SessionEdit | None, draft: OrderDraft | None, choices: FillChoices, t: Texts) -> VdomDict:
    """Return the fields that add many performers at once, and above them what became of the lines read last."""
    is_open = draft is not None or not (session and session.appearances)
    others = [option for option in choices.sessions if not session or option.id != session.id]
    return html.div(
        {"class": "stack", "key": "many"},
        _report(draft, choices, t) if draft else None,
        html.details(
            {"class": "order-many"} | ({"open": True} if is_open else {}),
            html.summary({"class": "link"}, t("Add many at once")),
            _enter(),
            html.div({"class": "stack order-many__ways"}, _pasted(t), _next(t), _copied(others, t)),
            html.noscript(*_without_script(session, draft, choices.stages, t)),
        ),
    )


def order_pianos(draft: OrderDraft | None) -> Markup:
    """Return the field of the session's form with the pianos that the lines gave; None without any."""
    if draft is None or not draft.pianos:
        return None
    return html.input({"key": "order-pianos", "type": "hidden", "name": "pianos", "value": pianos_joined(draft.pianos)})


def _button(words: str, fill: OrderFill) -> VdomDict:
    own = {"class": "button button--plain button--small", "type": "submit", "form": FORM}
    return html.button(own | {"name": "fill", "value": fill.value}, words)


def _enter() -> VdomDict:
    """Return the form's first button, which Enter presses: the one beside the only field of a single line."""
    return html.button({"type": "submit", "form": FORM, "name": "fill", "value": OrderFill.NEXT.value, "hidden": True})


def _pasted(t: Texts) -> VdomDict:
    hint = t(
        "One performer in each line: a start number, a name, or both. Names may stand in either order. With a first"
        " line such as Number; Name; Piano, pianos are read too."
    )
    lines: dict[str, Any] = {"rows": 4, "form": FORM, "autoComplete": "off", "maxLength": ORDER_TEXT_LENGTH}
    return html.div(
        {"class": "stack"},
        area(t("Paste a list"), "lines", hint=hint, **lines),
        key("file", list_file("lines", t)),
        _button(t("Put into the list"), OrderFill.LINES),
    )


def _next(t: Texts) -> VdomDict:
    own: dict[str, Any] = {"type": "number", "min": 1, "max": PERFORMERS_MOST, "inputMode": "numeric", "form": FORM}
    hint = t(
        "By start number, else by name: those who are in no session of this stage. Once it is published who advances,"
        " only these."
    )
    return html.div(
        {"class": "stack"},
        field(t("Add the next"), "next", value=str(NEXT_PERFORMERS), hint=hint, **own),
        html.div(
            {"class": "row"},
            _button(t("Add the next"), OrderFill.NEXT),
            _button(t("Put in those who advance"), OrderFill.ADVANCING),
        ),
    )


def _copied(sessions: Sequence[SessionOption], t: Texts) -> Markup:
    if not sessions:
        return None
    pairs = [("", t("Choose a session")), *((str(each.id), session_words(each, t.language)) for each in sessions)]
    chosen = select(t("Copy from session"), "copied", pairs, form=FORM)
    return html.div({"class": "stack"}, chosen, _button(t("Copy its performers"), OrderFill.COPY))


def _without_script(
    session: SessionEdit | None, draft: OrderDraft | None, stages: Sequence[StageRow], t: Texts
) -> list[Markup]:
    """Return the fields that the script of the running order keeps current: the order so far, and the stage."""
    stored = [appearance.participant_id for appearance in session.appearances] if session else []
    have = ",".join(map(str, draft.participant_ids if draft else stored))
    hidden = {"type": "hidden", "form": FORM}
    order = html.input(hidden | {"name": "have", "value": have})
    hint = html.p({"class": "field__hint"}, t("Save first what you changed: this begins the form again."))
    if session:
        return [hint, order, html.input(hidden | {"name": "of_stage", "value": str(session.stage_id)})]
    offered = [(str(stage.id), stage.name) for stage in stages if not stage.is_archived]
    return [hint, order, select(t("Stage of the next ones"), "of_stage", offered, form=FORM) if offered else None]


def _report(draft: OrderDraft, choices: FillChoices, t: Texts) -> VdomDict:
    """Return what became of the lines, as numbers that add up, and the lines to choose for."""
    parts = [
        t.plural("%(n)d added", "%(n)d added", draft.added),
        lines_named(t("%(n)d in the list already"), draft.there, t),
        lines_named(t("%(n)d repeated"), draft.repeated, t),
        lines_named(t("%(n)d to choose"), [line.number for line in draft.open_lines], t),
    ]
    if draft.pianos:
        parts.append(t.plural("%(n)d with a piano", "%(n)d with a piano", len(draft.pianos)))
    read = t.plural("%(n)d read", "%(n)d read", draft.lines)
    words = f"{read}: {', '.join(filter(None, parts))}."
    unsaved = t("Nothing is saved yet.")
    return html.div(
        {"class": "message stack", "role": "status", "key": f"report-{draft.stamp}"},
        html.p(words, " ", html.b(unsaved)),
        *(_open_lines(draft.open_lines, choices, t) if draft.open_lines else ()),
    )


def lines_named(words: str, numbers: Sequence[int], t: Texts) -> str:
    """Return the words with the number of these lines, and their first numbers; empty without a line."""
    if not numbers:
        return ""
    named = ", ".join(map(str, numbers[:_LINES_NAMED])) + (" …" if len(numbers) > _LINES_NAMED else "")
    line = t("line {lines}") if len(numbers) == 1 else t("lines {lines}")
    return f"{words % {'n': len(numbers)}} ({line.format(lines=named)})"


def _open_lines(lines: Sequence[OpenLine], choices: FillChoices, t: Texts) -> list[Markup]:
    rows = [html.li({"key": f"line-{line.number}"}, _open_line(line, choices.like[line.number], t)) for line in lines]
    return [html.ol({"class": "lines"}, *rows), _button(t("Put in the chosen ones"), OrderFill.CHOSEN)]


def _open_line(line: OpenLine, like: Sequence[ParticipantOption], t: Texts) -> VdomDict:
    label = t("Line {n}: “{text}”").format(n=line.number, text=line.text)
    if not like:
        return html.p(label, " ", html.span({"class": "muted"}, t("Not found. Add the performer by name below.")))
    pairs = [("", t("Leave out"))]
    pairs += [(f"{line.after}-{each.id}", f"{each.name}, {each.country}") for each in like]
    return select(label, "chosen", pairs, id=f"chosen-{line.number}", form=FORM)
