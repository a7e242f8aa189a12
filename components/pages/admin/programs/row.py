"""One participant's program: five slots with their pieces, links, and a panel to choose."""

from apps.competition.selectors import EntryRow, PieceChoice, ProgramRow, SlotRow, program_admin
from apps.core.texts import Texts, texts
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html, key
from components.pages.admin.programs.choice import piece_choice
from components.pages.admin.programs.order import order_panel
from components.pages.admin.programs.query import ORDER, Where
from components.ui.controls.commands import command_button
from components.ui.piece_title import work, work_text
from components.ui.placeholder_pictures import sign
from components.ui.programme_lines import video_second


@component
def program_row(first: ProgramRow, where: Where, choice: PieceChoice | None, language: str) -> Markup:
    """The participant and the slots, kept current; the open slot's panel follows it."""
    topic = f"participant.{first.participant_id}"
    initial: ProgramRow | None = first
    row = use_live_query(program_admin, topic, initial=initial, appearance_id=first.appearance_id)
    if row is None:
        return None  # the appearance is gone: the list follows
    heading = f"program-{row.appearance_id}"
    ordered = order_panel(row, where, language) if where.shows(row.appearance_id, ORDER) else None
    groups = [part for slot in row.slots for part in _group(row, slot, where, choice, language)]
    return html.li(
        {"class": "program", "aria-labelledby": heading},
        _head(row, heading, where, language),
        ordered,
        html.ul({"class": "slots"}, *groups),
    )


def _head(row: ProgramRow, heading: str, where: Where, language: str) -> VdomDict:
    t = texts(language)
    filled = sum(bool(slot.entries) for slot in row.slots)
    name = html.a({"href": f"/participants/{row.participant_id}"}, row.name)
    count = t("{filled} of {all} chosen").format(filled=filled, all=len(row.slots))
    return html.div(
        {"class": "program__head"},
        html.h2({"id": heading}, html.span({"class": "nr"}, str(row.order_number)), " ", name),
        html.span({"class": "person__from"}, row.country),
        html.span({"class": "program__count"}, count),
        _toggle(row, ORDER, t("Order of playing"), row.name, where) if len(row.entries) > 1 else None,
    )


def _toggle(row: ProgramRow, slot: str, words: str, whose: str, where: Where) -> VdomDict:
    """Return a link that opens or closes a panel of this program."""
    is_open = where.shows(row.appearance_id, slot)
    to = where.opened() if is_open else where.opened(row.appearance_id, slot)
    own = {"aria-expanded": "true" if is_open else "false", "aria-label": f"{words}: {whose}"}
    return html.a({"class": "link program__toggle", "href": to} | own, words)


def _group(row: ProgramRow, slot: SlotRow, where: Where, choice: PieceChoice | None, language: str) -> list[Markup]:
    """Return the slot and, when it is open, its panel."""
    t = texts(language)
    label, is_open = t(slot.label), where.shows(row.appearance_id, slot.slot)
    entries = [_entry(row, entry, where, language) for entry in slot.entries]
    group = html.li(
        {"key": f"slot-{slot.slot}", "class": "slot slot--open" if is_open else "slot"},
        html.h3({"class": "slot__label"}, label),
        html.ul({"class": "slot__entries"}, *entries) if entries else html.p({"class": "slot__none"}, t("Not chosen")),
        _toggle(row, slot.slot, t("Change") if entries else t("Choose"), f"{label}, {row.name}", where),
    )
    if not is_open or choice is None:
        return [group]
    name = f"choice-{slot.slot}-{where.find}"
    return [group, key(name, piece_choice(row, slot, choice, where, language))]


def _entry(row: ProgramRow, entry: EntryRow, where: Where, language: str) -> VdomDict:
    t, name = texts(language), work_text(entry.piece, language=language)
    number = html.span({"class": "nr"}, str(entry.order_number))
    piece = html.p({"class": "slot__piece"}, number, " ", work(entry.piece, language=language))
    edit = {
        "class": "icon-button",
        "href": where.at(link=entry.id),
        "title": t("Edit link"),
        "aria-label": t("Edit link: {piece}, {name}").format(piece=name, name=row.name),
    }
    return html.li(
        {"key": f"entry-{entry.id}", "class": "slot__entry"},
        piece,
        html.div(
            {"class": "slot__acts"}, _recording(entry, t), html.a(edit, sign("link")), _removal(row, entry, name, t)
        ),
    )


def _removal(row: ProgramRow, entry: EntryRow, name: str, t: Texts) -> VdomDict:
    ask = t("Remove {piece} from the program of {name}?").format(piece=name, name=row.name)
    words = t("Its YouTube link goes with it.") if entry.youtube_url else ""
    own = {
        "type": "button",
        "class": "icon-button",
        "title": t("Remove"),
        "aria-label": t("Remove: {piece}, {name}").format(piece=name, name=row.name),
    }
    doing = command_button("program_entry_remove", entry.id, confirm=ask, words=words, yes=t("Remove"))
    asked = {"data-ask": t("Change what listeners rated?"), "data-ask-yes": t("Remove")}
    return html.button(own | doing | asked, sign("remove"))


def _recording(entry: EntryRow, t: Texts) -> VdomDict:
    """Return where the piece begins: in a video of its own, in the session's, or no link."""
    begins = "" if entry.timestamp is None else video_second(entry.timestamp)
    if not entry.youtube_url:
        words = t("from {time}").format(time=begins) if begins else t("No link")
        return html.span({"class": "slot__link muted"}, words)
    words = t("Video, {time}").format(time=begins) if begins else t("Video")
    return html.a(
        {
            "class": "link slot__link",
            "href": entry.youtube_url,
            "target": "_blank",
            "rel": "external noopener noreferrer",
        },
        words,
    )
