"""The page "Programs": a session's participants in running order, each with an editable program."""

from dataclasses import dataclass, replace
from typing import Any

from apps.competition.enums import Category, UndoKind
from apps.competition.selectors.admin.pieces import PieceChoice, pieces_to_choose
from apps.competition.selectors.admin.programs import (
    DoubtfulMoment,
    EntryRow,
    ProgramRow,
    SlotRow,
    program_admin,
    programs_admin,
)
from apps.competition.selectors.admin.sessions import SessionOption, UndoRow, undos_recent
from apps.competition.selectors.public.participants import PieceTitle
from apps.core.database.paging import NumberedPage
from apps.core.limits import MINUTE, SEARCH_LENGTH
from apps.core.texts import Texts, texts
from apps.imports.program_offers import AppearanceOffers
from apps.imports.selectors.programs import program_offers
from components.pages.admin.choices import Choice, session_choice, session_fields
from components.pages.admin.entity_screen import create_at, edit_at
from components.pages.admin.programs.address import ORDER, PATH, Where, where_of
from components.pages.admin.programs.links import Linked, entry_item, link_dialog, own_program
from components.pages.admin.programs.offers import offers_by_id, row_offers, session_offers
from components.pages.public.not_found import not_found_page
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    VdomDict,
    command_button,
    component,
    html,
    key,
    use_live_query,
)
from components.ui import forms
from components.ui import frames as blocks
from components.ui.areas import PROGRAM_IMPORT
from components.ui.blocks import badge, button_link, go_on_here, link, paging
from components.ui.empty_states import empty, skeleton
from components.ui.forms import field
from components.ui.people import performer_link, with_names
from components.ui.pieces import category, category_marks, video_second, work, work_text


@component
def piece_choice(row: ProgramRow, slot: SlotRow, first: PieceChoice, where: Where, language: str) -> VdomDict:
    """Render the panel with the pieces of a slot, kept current; chosen pieces are marked."""
    t, chosen = texts(language), frozenset(entry.piece.id for entry in slot.entries)
    choice = use_live_query(pieces_to_choose, topics=("pieces",), initial=first, category=slot.slot, query=where.find)
    heading = with_names(t("Choose for {name}: {group}"), name=row.name, group=category(Category(slot.slot).label))
    return html.li(
        {"class": "slot__panel"},
        html.div(
            {"class": "slot__panel-head"},
            html.h4({"id": "choice-heading"}, go_on_here(), *heading),
            _piece_search(where, t),
            link(where.opened(), t("Close")),
        ),
        _pieces(row, choice, chosen, language) if choice.pieces else _nothing(where, t),
        html.p({"class": "small muted"}, t("There are more: search by name.")) if choice.more else None,
    )


def _piece_search(where: Where, t: Texts) -> VdomDict:
    hidden_fields = [
        html.input({"type": "hidden", "key": name, "name": name, "value": text}) for name, text in where.fields.items()
    ]
    name: dict[str, Any] = {
        "type": "search",
        "maxLength": SEARCH_LENGTH,
        "autoComplete": "off",
        "placeholder": t("c-sharp, 27"),
    }
    return html.form(
        {"class": "slot__search", "method": "get", "action": PATH, "data-navigate": ""},
        *hidden_fields,
        field(t("Search"), "find", value=where.find, **name),
        html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search")),
    )


def _pieces(row: ProgramRow, choice: PieceChoice, chosen: frozenset[int], language: str) -> VdomDict:
    rows = [
        html.li({"key": f"piece-{piece.id}"}, _piece(row.appearance_id, piece, piece.id in chosen, language))
        for piece in choice.pieces
    ]
    return html.ul({"class": "picks", "aria-labelledby": "choice-heading"}, *rows)


def _piece(appearance_id: int, piece: PieceTitle, is_chosen: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    t = texts(language)
    state = {"aria-pressed": "true" if is_chosen else "false"}
    state |= {"data-ask": t("Change what listeners rated?"), "data-ask-yes": t("Choose")}
    return html.button(
        {"class": "pick"} | command_button("program_select", f"{appearance_id}:{piece.id}") | state,
        work(piece, language=language, as_stored=True),
    )


def _nothing(where: Where, t: Texts) -> Markup:
    if where.find:
        return html.p({"class": "muted"}, t("No pieces found matching your criteria."))
    return html.p({"class": "muted"}, t("No pieces yet."), " ", link("/admin/pieces", t("Add pieces")))


def order_panel(row: ProgramRow, where: Where, language: str) -> VdomDict:
    """Return the panel with the pieces of a program in order, and buttons that move them."""
    t, last = texts(language), len(row.entries) - 1
    entries = [_ordered_entry(entry, at == 0, at == last, language) for at, entry in enumerate(row.entries)]
    heading = with_names(t("Order of playing: {name}"), name=row.name)
    return html.div(
        {"class": "slot__panel"},
        html.div(
            {"class": "slot__panel-head"},
            html.h3({"id": "order-heading"}, go_on_here(), *heading),
            link(where.opened(), t("Close")),
        ),
        html.ol({"class": "moves", "aria-labelledby": "order-heading"}, *entries),
    )


def _ordered_entry(entry: EntryRow, is_first: bool, is_last: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    t, piece = texts(language), work_text(entry.piece, language=language, as_stored=True)
    return html.li(
        {"key": f"move-{entry.id}"},
        html.span({"class": "nr"}, str(entry.order_number)),
        html.span({"class": "slot__piece"}, work(entry.piece, language=language, as_stored=True)),
        html.div(
            {"class": "slot__acts"},
            _move(entry, "up", "↑", t("Move up: {piece}").format(piece=piece), is_first),
            _move(entry, "down", "↓", t("Move down: {piece}").format(piece=piece), is_last),
        ),
    )


def _move(entry: EntryRow, way: str, arrow: str, words: str, is_idle: bool) -> VdomDict:  # noqa: FBT001 - private
    """Return a move button; at the end of the order it is disabled, not removed, so that focus is kept."""
    doing = {"aria-disabled": "true"} if is_idle else command_button("program_entry_move", f"{entry.id}:{way}")
    own = {"type": "button", "class": "icon-button", "aria-label": words}
    return html.button(own | doing, arrow)


@component
def program_row(
    first: ProgramRow, where: Where, choice: PieceChoice | None, offers: AppearanceOffers | None, language: str
) -> Markup:
    """Render a participant and the slots of the program, kept current; an open panel follows its slot."""
    topic = f"participant.{first.participant_id}"
    initial: ProgramRow | None = first
    row = use_live_query(program_admin, topics=(topic,), initial=initial, appearance_id=first.appearance_id)
    if row is None:
        return None  # the appearance was deleted; the list will follow
    heading = f"program-{row.appearance_id}"
    ordered = order_panel(row, where, language) if where.shows(row.appearance_id, ORDER) else None
    groups = [part for slot in row.slots for part in _group(row, slot, where, choice, language)]
    sheet = own_program(row, where, language) if row.has_own_slots else html.ul({"class": "slots"}, *groups)
    return html.li(
        {"class": "program", "aria-labelledby": heading},
        _head(row, heading, where, language),
        *(_doubtful(each, row, where, language) for each in row.doubtful_moments),
        *([] if row.entries else row_offers(where.session, offers, language)),
        ordered,
        sheet,
    )


def _head(row: ProgramRow, heading: str, where: Where, language: str) -> VdomDict:
    t = texts(language)
    filled = sum(bool(slot.entries) for slot in row.slots)
    name = performer_link(row.participant_id, row.name)
    count = t("{filled} of {all} chosen").format(filled=filled, all=len(row.slots))
    if row.has_own_slots:
        count = t.plural("%(n)d piece", "%(n)d pieces", len(row.entries))
    return html.div(
        {"class": "program__head"},
        html.h2({"id": heading}, html.span({"class": "nr"}, str(row.order_number)), " ", name),
        html.span({"class": "person__from"}, row.country),
        *(_repeated(row, t) if row.is_repeated else ()),
        html.span({"class": "program__count"}, count),
        _toggle(row, ORDER, t("Order of playing"), row.name, where) if len(row.entries) > 1 else None,
    )


def _doubtful(found: DoubtfulMoment, row: ProgramRow, where: Where, language: str) -> VdomDict:
    """Return the warning about a moment that descends or jumps, with the link to the dialog that corrects it."""
    t = texts(language)
    sentence = (
        t("{piece} begins at {time}, but {before}, played before it, begins at {time_before}.")
        if found.seconds < 0
        else t("{piece} begins at {time}, {minutes} minutes after the beginning of {before}.")
    )
    words = sentence.format(
        piece=work_text(found.entry.piece, language=language, as_stored=True),
        time=video_second(found.entry.timestamp or 0),
        before=work_text(found.before.piece, language=language, as_stored=True),
        time_before=video_second(found.before.timestamp or 0),
        minutes=found.seconds // MINUTE,
    )
    name = t("Check the moment: {piece}, {name}").format(
        piece=work_text(found.entry.piece, language=language, as_stored=True), name=row.name
    )
    check = html.a({"class": "link", "href": where.at(link=found.entry.id), "aria-label": name}, t("Check the moment"))
    return html.p({"key": f"doubtful-{found.entry.id}", "class": "message read__warn"}, words, " ", check)


def _repeated(row: ProgramRow, t: Texts) -> list[Markup]:
    """Return the word for a repeated performance, which one counts in its place, and the button that makes it count."""
    counting = t("{session} counts").format(session=row.counting) if row.counting else t("none counts in this stage")
    own = {"type": "button", "class": "button button--plain button--small"}
    own |= {"aria-label": t("Count this performance: {name}").format(name=row.name)}
    return [
        html.span({"class": "small muted"}, badge(t("repeated")), " ", counting),
        html.button(own | command_button("appearance_count", row.appearance_id), t("Count this performance")),
    ]


def _toggle(row: ProgramRow, slot: str, words: str, subject: str, where: Where) -> VdomDict:
    """Return a link that opens or closes a panel of this program."""
    is_open = where.shows(row.appearance_id, slot)
    to = where.opened() if is_open else where.opened(row.appearance_id, slot)
    own = {"aria-expanded": "true" if is_open else "false", "aria-label": f"{words}: {subject}"}
    return html.a({"class": "link program__toggle", "href": to} | own, words)


def _group(row: ProgramRow, slot: SlotRow, where: Where, choice: PieceChoice | None, language: str) -> list[Markup]:
    """Return the slot and, if open, its panel."""
    t = texts(language)
    label, is_open = slot.label, where.shows(row.appearance_id, slot.slot)
    entries = [entry_item(row, entry, where, language) for entry in slot.entries]
    group = html.li(
        {"key": f"slot-{slot.slot}", "class": "slot slot--open" if is_open else "slot"},
        html.h3({"class": "slot__label"} | category_marks(label), label),
        html.ul({"class": "slot__entries"}, *entries) if entries else html.p({"class": "slot__none"}, t("Not chosen")),
        _toggle(row, slot.slot, t("Change") if entries else t("Choose"), f"{label}, {row.name}", where),
    )
    if not is_open or choice is None:
        return [group]
    name = f"choice-{slot.slot}-{where.find}"
    return [group, key(name, piece_choice(row, slot, choice, where, language))]


SESSIONS = "/admin/sessions"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page data: the programs for the address, and the pieces for the open slot."""

    where: Where
    sessions: Choice[SessionOption]
    found: NumberedPage[ProgramRow]
    choice: PieceChoice | None
    offers: tuple[AppearanceOffers, ...]
    undos: tuple[UndoRow, ...]

    @property
    def linked(self) -> Linked | None:
        """Return what the link dialog is about, or None."""
        entries = ((row, entry) for row in self.found.rows for entry in row.entries if entry.id == self.where.link)
        for row, entry in entries:
            part = next((each for each in entry.parts if each.id == self.where.part), None)
            return Linked(row, entry, part) if part or not self.where.part else None
        return None


def load(request: PageRequest) -> Page:
    """Return the page for the session in the address; without one, for the live or nearest session."""
    t, where = request.t, where_of(request.query)
    sessions = session_choice(request.query, where.session)
    where = replace(where, session=where.session or next((each.id for each in sessions.options), 0))
    if where.session and where.session not in {each.id for each in sessions.options}:
        return not_found_page(t("Session not found."), (PATH, t("Back to the programs")), "sessions")
    programs = programs_admin(session_id=where.session, query=where.query, number=where.number)
    where = replace(where, number=programs.number)
    return Page(
        description=t("What each participant plays in a session."),
        component=programs_page,
        data=Sheet(
            where,
            sessions,
            programs,
            _choice(where),
            program_offers(session_id=where.session),
            undos_recent(kind=UndoKind.ASSIGNMENT),
        ),
        topics=("sessions", "pieces", "imports"),  # each row follows its own program
    )


def _choice(where: Where) -> PieceChoice | None:
    known = where.appearance and where.slot in Category.values
    return pieces_to_choose(category=where.slot, query=where.find) if known else None


@component
def programs_page(page: Page) -> VdomDict:
    """Render the select of a session, the search, the programs, and the link dialog."""
    t, sheet = texts(page.language), page.data
    session = f"?session={sheet.where.session}" if sheet.where.session else ""
    return blocks.backstage(
        t("Programs"),
        blocks.tools(
            _search(sheet, page.language), button_link(PROGRAM_IMPORT + session, t("Import Programs"), "plain")
        ),
        skeleton(),
        blocks.answered_list(*_listing(sheet, page.language)),
        link_dialog(sheet.linked, sheet.where, page.language) if sheet.linked else None,
        page=page,
    )


def _search(sheet: Sheet, language: str) -> VdomDict:
    t = texts(language)
    name: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"}
    return blocks.search(
        PATH,
        *session_fields(sheet.sessions, sheet.where.session, language),
        forms.field(t("Name"), "q", value=sheet.where.query, **name),
        language=language,
    )


def _listing(sheet: Sheet, language: str) -> list[Markup]:
    t, programs, where = texts(language), sheet.found, sheet.where
    if not programs.rows:
        return [_no_participants(sheet, t)]
    offers = offers_by_id(sheet.offers)
    rows = [
        key(
            f"program-{row.appearance_id}",
            program_row(row, where, sheet.choice, offers.get(row.appearance_id), language),
        )
        for row in programs.rows
    ]
    query = {"session": str(where.session), "q": where.query}
    return [
        key(f"offers-{where.session}", session_offers(where.session, sheet.offers, sheet.undos, language)),
        html.ol({"class": "programs"}, *rows),
        paging(programs.number, programs.pages, path=PATH, query=query, language=language),
    ]


def _no_participants(sheet: Sheet, t: Texts) -> VdomDict:
    words = t("No participants found.")
    if sheet.sessions.is_empty:
        return empty(words, (create_at(SESSIONS), t("Plan a first session")))
    if not sheet.where.session:
        return empty(t("No sessions found."))
    if sheet.where.query:
        return empty(words)
    return empty(words, (edit_at(SESSIONS, sheet.where.session), t("Edit the session")))
