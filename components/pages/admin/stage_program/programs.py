"""The programs of a stage with slots of its own: who plays, and one program in the order of playing with its notes."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from apps.competition.limits import PIECE_LENGTH, PROGRAM_MOST, WORKS_TYPED_LENGTH
from apps.competition.selectors.admin.pianos import PianoRow
from apps.competition.selectors.admin.stage_programs import CheckedProgram, ProgramItem, WorkOffer, WorkOffers
from apps.competition.selectors.admin.stage_slots import StageSlots
from apps.core.database.fields import venue_zone
from apps.core.limits import SEARCH_LENGTH
from apps.core.rounding import rounded
from apps.core.texts import Texts, texts
from components.pages.admin.sessions.pianos import piano_form
from components.pages.admin.stage_program.address import Where
from components.pages.admin.stage_program.slots import move
from components.runtime import Markup, VdomDict, command_button, command_form, html
from components.ui.areas import PROGRAM_IMPORT, PROGRAMS, STAGE_PROGRAM
from components.ui.blocks import link
from components.ui.empty_states import empty
from components.ui.forms import area, field
from components.ui.frames import answer_line
from components.ui.people import NAMED, sign
from components.ui.pieces import work, work_text
from components.ui.venue_time import day_month

STEPS = 100  # of the ruler, as the classes of `steps.css`
WIDEST = Decimal(60)  # minutes on the ruler of a stage without minutes


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs of a stage, the chosen one, the works that the search found, and all pianos."""

    stage: StageSlots
    programs: tuple[CheckedProgram, ...]
    chosen: CheckedProgram | None
    offers: WorkOffers | None
    pianos: tuple[PianoRow, ...] = ()


def programs_section(shown: Programs, where: Where, language: str) -> VdomDict:
    """Return the section with the performers of a stage and the chosen program."""
    t, stage, chosen = texts(language), shown.stage, shown.chosen
    heading = html.h2({"id": "programs-heading"}, t("Programs"))
    if not stage.has_own_slots:
        words = html.p(
            t("The programs of this stage have the five categories."), " ", link(PROGRAMS, t("All programs"))
        )
        return html.section({"class": "stage-part", "aria-labelledby": "programs-heading"}, heading, words)
    if chosen is None:
        none = empty(t("No performer is in a session of this stage yet."), ("/admin/sessions", t("All sessions")))
        return html.section({"class": "stage-part", "aria-labelledby": "programs-heading"}, heading, none)
    return html.section(
        {"class": "stage-part", "aria-labelledby": "programs-heading"},
        heading,
        html.div(
            {"class": "making"},
            html.div(
                {"class": "stack"},
                _players(shown, chosen, where, t),
                html.p({"class": "small muted"}, t("Minutes are those of the works’ usual length.")),
                html.p(link(f"{PROGRAM_IMPORT}?session={chosen.session_id}", t("Import Programs"))),
            ),
            _program(shown, chosen, where, language),
        ),
    )


def _players(shown: Programs, chosen: CheckedProgram, where: Where, t: Texts) -> VdomDict:
    groups: list[Markup] = []
    has_several = len({each.session_id for each in shown.programs}) > 1
    for session_id, found in groupby(shown.programs, key=lambda each: each.session_id):
        rows = list(found)
        players = (_player(each, each is chosen, where, t) for each in rows)
        groups.append(html.h3({"key": f"session-{session_id}"}, rows[0].session) if has_several else None)
        groups.append(html.ol({"key": f"players-{session_id}"}, *players))
    return html.nav(
        {"class": "players", "aria-label": t("Programs of {stage}").format(stage=shown.stage.name)}, *groups
    )


def _player(program: CheckedProgram, is_chosen: bool, where: Where, t: Texts) -> VdomDict:  # noqa: FBT001 - private
    current = {"aria-current": "true"} if is_chosen else {}
    own = {"class": "player", "href": where.at(appearance=program.appearance_id, find="", slot=0)} | current
    notes = program.check.notes if program.items else 0
    words = t.plural("%(n)d note", "%(n)d notes", notes) if notes else _length(program, t)
    return html.li(
        {"key": f"player-{program.appearance_id}"},
        html.a(
            own,
            html.span({"class": "nr"}, str(program.order_number)),
            html.span(NAMED, program.name),
            html.small({"class": "is-noted"} if notes else {}, words),
        ),
    )


def _length(program: CheckedProgram, t: Texts) -> str:
    if not program.items:
        return t("no program")
    return minutes_text(program.check.minutes, t)


def minutes_text(minutes: Decimal, t: Texts) -> str:
    """Return whole minutes, at least 1: "9 min"."""
    return t("{n} min").format(n=max(1, whole(minutes)))


def whole(minutes: Decimal) -> int:
    """Return minutes without decimals."""
    return int(rounded(minutes, 0))


def _program(shown: Programs, program: CheckedProgram, where: Where, language: str) -> VdomDict:
    t, stage = texts(language), shown.stage
    watch = f"{PROGRAMS}?session={program.session_id}"
    return html.div(
        {"key": f"program-{program.appearance_id}", "data-answers": ""},
        html.div(
            {"class": "making__head"},
            html.h3(NAMED, program.name),
            html.a(
                {"class": "link", "href": watch, "aria-label": t("Watch links: {name}").format(name=program.name)},
                t("Watch links"),
            ),
        ),
        _ruler(stage, program, t) if program.items else None,
        answer_line(),
        html.div({"role": "status"}, _notes(stage, program, t)),
        html.ol(
            {"class": "made"},
            *(_item(stage, program, at, language) for at in range(len(program.items))),
        )
        if program.items
        else html.p({"class": "muted"}, t("No program yet.")),
        *_adding(stage, program, shown.offers, where, language),
        piano_form(program.session_id, program.appearance_id, program.piano_id, shown.pianos, t),
    )


def _ruler(stage: StageSlots, program: CheckedProgram, t: Texts) -> VdomDict:
    """Return the minutes of the items side by side, and the stage's limits as lines."""
    limits = [each for each in (stage.least_minutes, stage.most_minutes) if each]
    most = Decimal(stage.most_minutes or 0)
    end = max([program.check.minutes, *(Decimal(each) * Decimal("1.05") for each in limits)], default=WIDEST)
    segments: list[VdomDict] = []
    begin = Decimal(0)
    for each in program.items:
        until = begin + (each.minutes or 0)
        over = max(Decimal(0), min(until - begin, until - most)) if most else Decimal(0)
        segments += _segment(str(each.order_number), begin, until - over, end, "")
        segments += _segment("", until - over, until, end, "is-over")
        begin = until
    lines = [html.i({"key": f"line-{each}", "class": f"n-{_step(Decimal(each), end)}"}) for each in limits]
    marks = [
        html.span(
            {"key": f"mark-{each}", "class": f"n-{_step(Decimal(each), end)}"},
            minutes_text(Decimal(each), t) if each == limits[-1] else str(each),
        )
        for each in limits
    ]
    return html.figure(
        {"class": "ruler"},
        html.div({"class": "ruler__bar", "aria-hidden": "true"}, *segments, *lines),
        html.span({"class": "ruler__marks", "aria-hidden": "true"}, html.span({"class": "n-0"}, "0"), *marks),
        html.figcaption({"class": "visually-hidden"}, _ruler_words(stage, program, t)),
    )


def _segment(words: str, begin: Decimal, until: Decimal, end: Decimal, look: str) -> list[VdomDict]:
    width = _step(until, end) - _step(begin, end)
    if width <= 0:
        return []
    shown = words if width >= len(words) + 2 else ""
    return [html.span({"key": f"{begin}-{look}", "class": f"n-{width} {look}".strip()}, shown)]


def _step(minutes: Decimal, end: Decimal) -> int:
    return min(STEPS, whole(minutes * STEPS / end)) if end else 0


def _ruler_words(stage: StageSlots, program: CheckedProgram, t: Texts) -> str:
    n, least, most = whole(program.check.minutes), stage.least_minutes, stage.most_minutes
    if least and most:
        return t("{n} minutes; the stage asks for {least} to {most}.").format(n=n, least=least, most=most)
    if most:
        return t("{n} minutes; the stage asks for at most {most}.").format(n=n, most=most)
    if least:
        return t("{n} minutes; the stage asks for at least {least}.").format(n=n, least=least)
    return t.plural("%(n)d minute", "%(n)d minutes", n)


def _notes(stage: StageSlots, program: CheckedProgram, t: Texts) -> Markup:
    """Return what is missing, and minutes outside of the stage's; None without a program or a note."""
    check = program.check
    if not program.items:
        return None
    lines: list[VdomDict] = []
    for slot, count in check.missing:
        many = f" ({count})" if count > 1 else ""
        words = html.span(html.b(t("Missing:")), f" {stage.slots[slot].label}{many}")
        lines.append(
            html.li({"key": f"missing-{slot}"}, words, html.a({"class": "link", "href": "#find"}, t("Add one")))
        )
    n = whole(check.minutes)
    if check.is_long:
        long = t("{n} of at most {most} minutes").format(n=n, most=stage.most_minutes)
        lines.append(html.li({"key": "long"}, html.b(long)))
    if check.is_short:
        short = t("{n} of at least {least} minutes").format(n=n, least=stage.least_minutes)
        lines.append(html.li({"key": "short"}, html.b(short)))
    unknown = t.plural("%(n)d work has no usual length.", "%(n)d works have no usual length.", check.unknown)
    about = html.p({"class": "small muted"}, unknown) if check.unknown else None
    return html.div(html.ul({"class": "notes"}, *lines) if lines else None, about) if lines or about else None


def _item(stage: StageSlots, program: CheckedProgram, at: int, language: str) -> VdomDict:
    item = program.items[at]
    t, name = texts(language), work_text(item.piece, language=language, as_stored=True)
    note = _item_note(program, at, item, t)
    version = program.version
    return html.li(
        {"key": f"item-{item.id}", "class": "is-noted" if note else ""},
        html.span({"class": "nr"}, str(at + 1)),
        work(item.piece, language=language, as_stored=True),
        html.small(*(note or [_item_words(stage, program, at, item, t)])),
        html.span({"class": "made__min"}, minutes_text(item.minutes, t) if item.minutes else ""),
        html.span(
            {"class": "acts"},
            move(
                "program_entry_move",
                f"{item.id}:up:{version}",
                t("Move up: {name}").format(name=name),
                "up",
                is_idle=at == 0,
            ),
            move(
                "program_entry_move",
                f"{item.id}:down:{version}",
                t("Move down: {name}").format(name=name),
                "down",
                is_idle=at == len(program.items) - 1,
            ),
            _removal(f"{item.id}:{version}", name, t),
        ),
    )


def _removal(argument: str, name: str, t: Texts) -> VdomDict:
    own = {"class": "icon-button", "aria-label": t("Take out: {name}").format(name=name)}
    asked = {"data-ask": t("Change what listeners rated?"), "data-ask-yes": t("Remove")}
    return html.button(
        {"key": "remove"} | own | command_button("program_entry_remove", argument) | asked, sign("remove")
    )


def _item_note(program: CheckedProgram, at: int, item: ProgramItem, t: Texts) -> list[Markup]:
    """Return the note about an item; empty without one."""
    if item.played:
        day = day_month(item.played.starts_at, zone=venue_zone(), language=t.language)
        words = t("in {stage}, {day}").format(stage=item.played.stage, day=day)
        of = f": {item.played.piece}" if item.played.piece != item.piece.name else ""
        return [html.b(t("Played already")), f" {words}{of}"]
    if at in program.check.outside:
        return [html.b(t("Outside of the slots"))]
    return []


def _item_words(stage: StageSlots, program: CheckedProgram, at: int, item: ProgramItem, t: Texts) -> str:
    slot = program.check.slots[at]
    parts = t.plural("%(n)d part", "%(n)d parts", item.parts) if item.parts else ""
    return ", ".join(filter(None, (stage.slots[slot].label if slot is not None else "", parts)))


def _adding(
    stage: StageSlots, program: CheckedProgram, offers: WorkOffers | None, where: Where, language: str
) -> list[Markup]:
    t = texts(language)
    if program.is_full:
        return [html.p({"class": "muted"}, t("A program has at most {most} items.").format(most=PROGRAM_MOST))]
    hidden = (
        html.input({"type": "hidden", "key": name, "name": name, "value": value})
        for name, value in Where(stage.id, program.appearance_id).fields.items()
    )
    own: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"}
    search = html.form(
        {"key": "find", "class": "made__find", "method": "get", "action": STAGE_PROGRAM, "data-navigate": ""},
        *hidden,
        field(t("Add a work"), "find", value=where.find, placeholder=t("mazurkas 59"), **own),
        html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search")),
    )
    return [
        search,
        _offers(stage, program, offers, language) if offers else None,
        _set_form(program, t),
    ]


def _offers(stage: StageSlots, program: CheckedProgram, offers: WorkOffers, language: str) -> VdomDict:
    t = texts(language)
    if not offers.works:
        none = html.p(
            {"class": "muted"},
            t("No pieces found matching your criteria."),
            " ",
            link("/admin/pieces", t("Add pieces")),
        )
        return html.div({"key": "offers"}, none)
    rows = (_offer(stage, program, each, language) for each in offers.works)
    more = html.p({"class": "small muted"}, t("There are more: search by name.")) if offers.has_more else None
    return html.div({"key": "offers"}, html.ul({"class": "offered", "aria-label": t("Works")}, *rows), more)


def _offer(stage: StageSlots, program: CheckedProgram, offer: WorkOffer, language: str) -> VdomDict:
    t = texts(language)
    parts = [minutes_text(offer.minutes, t) if offer.minutes else ""]
    if offer.is_in_program:
        parts.append(t("in the program"))
    elif offer.slot is not None:
        parts.append(t("fills {slot}").format(slot=stage.slots[offer.slot].label))
    elif stage.slots:
        parts.append(t("outside of the slots"))
    words = html.small(", ".join(filter(None, parts)))
    title = work(offer.piece, language=language, as_stored=True)
    if offer.is_in_program:
        return html.li({"key": f"offer-{offer.piece.id}"}, html.div({"class": "offered__work is-in"}, title, words))
    argument = f"{program.appearance_id}:{offer.piece.id}:{PROGRAM_MOST}:{program.version}"
    asked = {"data-ask": t("Change what listeners rated?"), "data-ask-yes": t("Choose")}
    own = {"class": "offered__work"} | command_button("program_entry_add", argument) | asked
    return html.li({"key": f"offer-{offer.piece.id}"}, html.button(own, title, words))


def _set_form(program: CheckedProgram, t: Texts) -> VdomDict:
    """Return the form that adds a set whose pieces are typed."""
    command = command_form("program_set_add", f"{program.appearance_id}:{program.version}")
    hint = t("In the order of playing, one a line: Mazurka op. 30 no. 2")
    pieces = area(t("Pieces of the set"), "pieces", hint=hint, maxLength=WORKS_TYPED_LENGTH, rows=3)
    name_hint = t("Only for pieces that are not numbers of one opus.")
    name = field(t("Name of the set"), "name", hint=name_hint, maxLength=PIECE_LENGTH, autoComplete="off")
    asked = {"data-ask": t("Change what listeners rated?"), "data-ask-yes": t("Add the set")}
    return html.details(
        {"key": "set", "class": "made__set"},
        html.summary({"class": "link"}, t("Another set: choose the pieces")),
        html.form(
            {"class": "stack", "noValidate": True} | command | asked,
            pieces,
            name,
            answer_line(),
            html.p(
                html.button(
                    {"class": "button button--plain", "type": "submit", "data-busy": t("Saving...")}, t("Add the set")
                )
            ),
        ),
    )
