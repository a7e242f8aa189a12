"""The slots of a stage: presets, minutes of the whole, and each slot with its form."""

from itertools import groupby
from typing import Any

from apps.competition.enums import SPECIFIED
from apps.competition.limits import PROGRAM_MOST, SLOT_LABEL_LENGTH, SLOTS_MOST, STAGE_MINUTES_MOST, WORKS_TYPED_LENGTH
from apps.competition.selectors.admin.stage_slots import SlotEdit, StageSlots
from apps.competition.slot_presets import FIVE, NAMES
from apps.core.texts import Texts, texts
from components.pages.admin.stage_program.address import NEW, Where
from components.runtime import Markup, VdomDict, command_button, command_form, html
from components.ui.blocks import button_link, link
from components.ui.forms import area, check, field
from components.ui.frames import answer_line, leave_guard, version_field
from components.ui.people import sign
from components.ui.pieces import CATEGORY, opus_number, title_text, work, work_text


def slots_section(stage: StageSlots, where: Where, language: str) -> VdomDict:
    """Return the section with the preset, the minutes and the slots of a stage."""
    t = texts(language)
    more = None if where.slot == NEW or len(stage.slots) >= SLOTS_MOST else _more(where, t)
    hint = t("A stage without slots takes any program of 1 to {most} items.").format(most=PROGRAM_MOST)
    return html.section(
        {"class": "stage-part", "aria-labelledby": "slots-heading", "data-answers": ""},
        html.h2({"id": "slots-heading"}, t("Slots")),
        answer_line(),
        html.div({"class": "stage-rules"}, _presets(stage, t), _minutes(stage, language)),
        _rows(stage, where, language) if stage.has_own_slots else _five(t),
        _slot_form(None, stage, where, language) if where.slot == NEW else None,
        html.p({"class": "row stage-part__more"}, more, html.span({"class": "small muted"}, hint)),
    )


def _more(where: Where, t: Texts) -> VdomDict:
    return button_link(where.at(slot=NEW, find=""), t("Add a slot"), "plain small")


def _presets(stage: StageSlots, t: Texts) -> VdomDict:
    command = command_form("stage_preset", stage.id)
    asked = {
        "data-ask": t("Use this preset for {stage}?").format(stage=stage.name),
        "data-ask-yes": t("Use the preset"),
    }
    radio = {"type": "radio", "name": "preset"}
    boxes = (
        html.label(
            {"key": name, "htmlFor": f"preset-{number}"},
            html.input(radio | {"id": f"preset-{number}", "value": name, "defaultChecked": name == stage.preset}),
            t(words),
        )
        for number, (name, words) in enumerate(NAMES.items(), start=1)
    )
    edited = html.span({"class": "small muted"}, t("These slots were edited.")) if not stage.preset else None
    return html.form(
        {"key": f"preset-{stage.preset}", "class": "stage-rules__preset"} | command | asked,
        html.fieldset(html.legend({"class": "label"}, t("Preset")), html.div({"class": "choice"}, *boxes)),
        html.p(
            {"class": "row"},
            html.button(
                {"class": "button button--plain button--small", "type": "submit", "data-busy": t("Saving...")},
                t("Use the preset"),
            ),
            edited,
        ),
    )


def _minutes(stage: StageSlots, language: str) -> VdomDict:
    t = texts(language)
    digits = len(str(STAGE_MINUTES_MOST))
    return html.form(
        {"key": f"minutes-{stage.minutes_version}", "class": "stage-rules__minutes"}
        | command_form("stage_minutes", stage.id),
        html.fieldset(
            html.legend({"class": "label"}, t("Minutes of the whole")),
            html.div(
                {"class": "minutes"},
                *_bound("least_minutes", stage.least_minutes, t("at least"), digits),
                html.span({"class": "muted"}, t("to")),
                *_bound("most_minutes", stage.most_minutes, t("at most"), digits),
                html.button({"class": "button button--plain button--small", "type": "submit"}, t("Save")),
            ),
        ),
        version_field(stage.minutes_version, language, "minutes-version"),
        html.p({"class": "small", "data-answer": "", "role": "status"}),
    )


def _bound(name: str, value: int | None, words: str, digits: int) -> tuple[VdomDict, VdomDict]:
    """Return the label, which is not seen, and the field of a number of at most `digits` digits."""
    own = {"inputMode": "numeric", "autoComplete": "off", "maxLength": digits, "class": "input"}
    typed = "" if value is None else str(value)
    label = html.label({"class": "visually-hidden", "htmlFor": name}, words)
    return label, html.input({"id": name, "name": name, "defaultValue": typed} | own)


def _five(t: Texts) -> VdomDict:
    rows = (
        html.li(
            {"key": each.value},
            html.div(
                {"class": "stage-slots__row"},
                html.span({"class": "nr"}, str(number)),
                html.span({"class": "stage-slots__label"} | CATEGORY, str(each.label)),
                html.span({"class": "stage-slots__what"}, t(each.plural)),
                html.span({"class": "stage-slots__n"}, t("one")),
            ),
        )
        for number, each in enumerate(SPECIFIED, start=1)
    )
    return html.ol({"key": FIVE, "class": "stage-slots"}, *rows)


def _rows(stage: StageSlots, where: Where, language: str) -> Markup:
    t, last = texts(language), len(stage.slots) - 1
    if not stage.slots:
        return None
    head = (t("Slot"), t("Allowed"), t("How many"))
    return html.div(
        {"key": "own"},
        html.p(
            {"class": "stage-slots__row stage-slots__head", "aria-hidden": "true"},
            html.span(),
            *(html.span({"key": words}, words) for words in head),
        ),
        html.ol(
            {"class": "stage-slots"},
            *(
                _row(each, stage, where, language, is_first=at == 0, is_last=at == last)
                for at, each in enumerate(stage.slots)
            ),
        ),
    )


def _row(slot: SlotEdit, stage: StageSlots, where: Where, language: str, *, is_first: bool, is_last: bool) -> VdomDict:
    t, is_open = texts(language), where.slot == slot.id
    words, to = (t("Close"), 0) if is_open else (t("Edit"), slot.id)
    own = {"class": "link", "href": where.at(slot=to, find=""), "aria-label": f"{words}: {slot.label}"}
    return html.li(
        {"key": f"slot-{slot.id}", "class": "is-edit" if is_open else ""},
        html.div(
            {"class": "stage-slots__row"},
            html.span({"class": "nr"}, str(slot.order_number)),
            html.span({"class": "stage-slots__label"}, slot.label),
            html.span({"class": "stage-slots__what"}, *allowed_words(slot, language)),
            html.span({"class": "stage-slots__n"}, count_words(slot.least, slot.most, t)),
            html.span(
                {"class": "acts"},
                html.a(own | {"aria-expanded": "true" if is_open else "false"}, words),
                *([] if is_open else _moves(slot, t, is_first=is_first, is_last=is_last)),
            ),
        ),
        _slot_form(slot, stage, where, language) if is_open else None,
    )


def _moves(slot: SlotEdit, t: Texts, *, is_first: bool, is_last: bool) -> list[VdomDict]:
    up, down = t("Move up: {name}").format(name=slot.label), t("Move down: {name}").format(name=slot.label)
    return [
        move("slot_move", f"{slot.id}:up", up, "up", is_idle=is_first),
        move("slot_move", f"{slot.id}:down", down, "down", is_idle=is_last),
    ]


def move(command: str, argument: str, words: str, way: str, *, is_idle: bool) -> VdomDict:
    """Return a button that moves a row up or down; at the end it is disabled, not removed, so that focus is kept."""
    doing = {"type": "button", "aria-disabled": "true"} if is_idle else command_button(command, argument)
    return html.button({"key": way, "class": "icon-button", "aria-label": words} | doing, sign(way))


def allowed_words(slot: SlotEdit, language: str) -> list[Markup]:
    """Return what a slot allows: categories by plural, then works; several of one title have it once."""
    t = texts(language)
    if slot.is_free:
        return [t("Free: every work without orchestra")]
    words: list[list[Markup]] = [[t(each.plural)] for each in slot.categories]
    for title, found in groupby((each.piece for each in slot.pieces), key=lambda piece: piece.title):
        pieces = list(found)
        if title and len(pieces) > 1 and all(each.opus for each in pieces):
            words.append([f"{title_text(pieces[0], language=language)} ", opus_number(pieces[0])])
            words += [[opus_number(each)] for each in pieces[1:]]
        else:
            words += [[work(each, language=language, as_stored=True)] for each in pieces]
    return [part for at, each in enumerate(words) for part in ([", ", *each] if at else each)]


def count_words(least: int, most: int | None, t: Texts) -> str:
    """Return how many items a slot has: "one", "2 to 4", "any number"."""
    if most is None:
        return t("at least {n}").format(n=least) if least else t("any number")
    if least == most:
        return t("one") if most == 1 else str(most)
    return t("{least} to {most}").format(least=least, most=most)


def _slot_form(slot: SlotEdit | None, stage: StageSlots, where: Where, language: str) -> VdomDict:
    t = texts(language)
    command = (
        command_form("slot_update", slot.id, draft=f"slot:{slot.id}")
        if slot
        else command_form("slot_add", stage.id, draft=f"slot:new:{stage.id}")
    )
    back = where.at(slot=0)
    buttons = html.p(
        {"class": "row"},
        html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Save Slot")),
        link(back, t("Cancel")),
        _removal(slot, t) if slot else None,
    )
    return html.form(
        {"key": f"form-{slot.id if slot else 'new'}", "class": "stage-slots__edit", "noValidate": True}
        | command
        | leave_guard(language),
        html.div({"class": "stack"}, *_left(slot, t)),
        html.div({"class": "stack"}, *_allowed(slot, language)),
        html.input({"type": "hidden", "name": "go", "value": back}),
        version_field(slot.version, language) if slot else None,
        answer_line(),
        buttons,
    )


def _removal(slot: SlotEdit, t: Texts) -> VdomDict:
    ask = t("Remove the slot {name}?").format(name=slot.label)
    words = t("The programs stay as they are; their notes are read anew.")
    doing = command_button("slot_remove", slot.id, confirm=ask, words=words, yes=t("Remove"))
    return html.button(
        {"class": "link", "aria-label": t("Remove: {name}").format(name=slot.label)} | doing, t("Remove this slot")
    )


def _left(slot: SlotEdit | None, t: Texts) -> list[VdomDict]:
    digits = len(str(PROGRAM_MOST))
    least, most = (slot.least, slot.most) if slot else (1, 1)
    return [
        field(t("Label"), "label", value=slot.label if slot else "", maxLength=SLOT_LABEL_LENGTH, autoComplete="off"),
        html.fieldset(
            html.legend({"class": "label"}, t("How many items")),
            html.div(
                {"class": "minutes"},
                *_bound("least", least, t("at least"), digits),
                html.span({"class": "muted"}, t("to")),
                *_bound("most", most, t("at most"), digits),
                check(t("any number"), "any", defaultChecked=most is None),
            ),
        ),
        check(t("Free: every work without orchestra"), "free", defaultChecked=bool(slot and slot.is_free)),
    ]


def _allowed(slot: SlotEdit | None, language: str) -> list[Markup]:
    t = texts(language)
    boxes = _boxes(slot, language) if slot and (slot.categories or slot.pieces) else []
    hint = t("Separate several with commas. A set is named by its title and opus.")
    typed: dict[str, Any] = {
        "placeholder": t("ballades, op. 44, Polonaises op. 26"),
        "maxLength": WORKS_TYPED_LENGTH,
        "autoComplete": "off",
        "rows": 2,
    }
    kept = html.fieldset(html.legend({"class": "label"}, t("Allowed")), html.ul({"class": "allowed"}, *boxes))
    return [kept if boxes else None, area(t("Allow a category, a work or a set"), "more", hint=hint, **typed)]


def _boxes(slot: SlotEdit, language: str) -> list[VdomDict]:
    t = texts(language)
    categories = [_box(each.value, t(each.plural), t(each.plural), t) for each in slot.categories]
    pieces = [
        _box(
            str(each.piece.id),
            work(each.piece, language=language, as_stored=True),
            work_text(each.piece, language=language),
            t,
        )
        for each in slot.pieces
    ]
    return [*categories, *pieces]


def _box(value: str, words: Markup, name: str, t: Texts) -> VdomDict:
    own = {"type": "checkbox", "id": f"allowed-{value}", "name": "allowed", "value": value, "defaultChecked": True}
    label = {"aria-label": t("Allowed: {name}").format(name=name)}
    box = html.label({"class": "check", "htmlFor": own["id"]}, html.input(own | label), words)
    return html.li({"key": f"allowed-{value}"}, box)
