"""The items of a program on the page "Programs": their recordings, and the dialog that edits a link."""

from dataclasses import dataclass
from typing import Any

from apps.competition.selectors.admin.programs import EntryRow, PartRow, ProgramRow
from apps.core.limits import ADDRESS_LENGTH
from apps.core.texts import Texts, texts
from components.pages.admin.programs.address import Where
from components.pages.admin.stage_program.address import stage_program_at
from components.runtime import Markup, VdomDict, command_button, command_form, html, web_module
from components.ui.blocks import link
from components.ui.forms import field
from components.ui.frames import answer_line, leave_guard, version_field
from components.ui.people import sign
from components.ui.pieces import video_second, work, work_text

MODAL = web_module("modules/backstage/modal.js", "Modal")


@dataclass(frozen=True, slots=True)
class Linked:
    """What the link dialog is about: an item of a program, or a part of it."""

    row: ProgramRow
    entry: EntryRow
    part: PartRow | None = None


def link_dialog(linked: Linked, where: Where, language: str) -> VdomDict:
    """Return the dialog that edits a link; its client module opens it, and Cancel leads to the address without it."""
    t, row, entry, part = texts(language), linked.row, linked.entry, linked.part
    shown = part or entry
    about = [part_text(part, language)] if part else []
    sends = (
        command_form("program_part_link", f"{entry.id}:{part.id}", draft=f"link:{entry.id}:{part.id}")
        if part
        else command_form("program_entry_link", f"{entry.id}", draft=f"link:{entry.id}")
    )
    back = where.at(link=0, part=0)
    hint = t("t is a second (t=95) or a time (t=1h2m3s). Empty takes the link away.")
    own: dict[str, Any] = {
        "maxLength": ADDRESS_LENGTH,
        "autoComplete": "off",
        "inputMode": "url",
        "spellCheck": "false",
    }
    address = field(t("YouTube URL with timestamp"), "url", value=shown.youtube_url, hint=hint, **own)
    cancel = {"class": "button button--plain", "href": back, "data-cancel": ""}
    form = html.form(
        {"class": "stack"} | sends | leave_guard(language),
        html.h2({"id": "link-heading"}, t("Edit YouTube Link")),
        html.p(
            {"class": "dialog__about"},
            ", ".join([*about, work_text(entry.piece, language=language, as_stored=True), row.name]),
        ),
        _present(shown, t),
        address,
        html.input({"type": "hidden", "name": "go", "value": back}),
        version_field(shown.version, language),
        answer_line(),
        html.div(
            {"class": "row"},
            html.a(cancel, t("Cancel")),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Save")),
        ),
        MODAL({}),
    )
    name = {
        "key": f"link-{entry.id}-{part.id if part else 0}",
        "class": "dialog dialog--form",
        "aria-labelledby": "link-heading",
    }
    return html.dialog(name, form)


def _present(entry: EntryRow | PartRow, t: Texts) -> Markup:
    """Return the current start of the piece in its video; None without a timestamp."""
    if entry.timestamp is None:
        return None
    begins = video_second(entry.timestamp)
    of_own = (
        t("Begins now at {time} of this video.") if entry.youtube_url else t("Begins now at {time} of the recording.")
    )
    return html.p({"class": "small muted"}, of_own.format(time=begins))


def entry_item(row: ProgramRow, entry: EntryRow, where: Where, language: str) -> VdomDict:
    """Return an item of a program with its recording, its parts, and the buttons that change it."""
    t, name = texts(language), work_text(entry.piece, language=language, as_stored=True)
    number = html.span({"class": "nr"}, str(entry.order_number))
    piece = html.p({"class": "slot__piece"}, number, " ", work(entry.piece, language=language, as_stored=True))
    edit = {
        "class": "icon-button",
        "href": where.at(link=entry.id, part=0),
        "title": t("Edit link"),
        "aria-label": t("Edit link: {piece}, {name}").format(piece=name, name=row.name),
    }
    return html.li(
        {"key": f"entry-{entry.id}", "class": "slot__entry"},
        piece,
        html.div(
            {"class": "slot__acts"}, _recording(entry, t), html.a(edit, sign("link")), _removal(row, entry, name, t)
        ),
        _parts(row, entry, where, language) if entry.parts else None,
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
    confirmation = {"data-ask": t("Change what listeners rated?"), "data-ask-yes": t("Remove")}
    return html.button(own | doing | confirmation, sign("remove"))


def _recording(entry: EntryRow | PartRow, t: Texts) -> VdomDict:
    """Return the start of the piece: in its own video, in the session's video, or the text for no link."""
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


def part_text(part: PartRow, language: str) -> str:
    """Return the name of a part as plain text."""
    return work_text(part.piece, language=language, as_stored=True) if part.piece else part.name


def _parts(row: ProgramRow, entry: EntryRow, where: Where, language: str) -> VdomDict:
    t = texts(language)
    name = work_text(entry.piece, language=language, as_stored=True)
    moments = sum(bool(each.youtube_url) for each in entry.parts)
    words = t.plural("%(n)d part", "%(n)d parts", len(entry.parts))
    linked = t.plural("%(n)d with a link", "%(n)d with a link", moments) if moments else ""
    rows = (_part(row, entry, each, where, language) for each in entry.parts)
    is_open = where.link == entry.id and bool(where.part)
    return html.details(
        {"class": "slot__parts", "open": is_open},
        html.summary(
            {"class": "link", "aria-label": t("Parts: {piece}, {name}").format(piece=name, name=row.name)},
            ", ".join(filter(None, (words, linked))),
        ),
        html.ul(*rows),
    )


def _part(row: ProgramRow, entry: EntryRow, part: PartRow, where: Where, language: str) -> VdomDict:
    t, name = texts(language), part_text(part, language)
    edit = {
        "class": "icon-button",
        "href": where.at(link=entry.id, part=part.id),
        "title": t("Edit link"),
        "aria-label": t("Edit link: {piece}, {name}").format(piece=name, name=row.name),
    }
    shown = work(part.piece, language=language, as_stored=True) if part.piece else part.name
    acts = html.div({"class": "slot__acts"}, _recording(part, t), html.a(edit, sign("link")))
    return html.li({"key": f"part-{part.id}"}, html.p({"class": "slot__piece"}, shown), acts)


def own_program(row: ProgramRow, where: Where, language: str) -> VdomDict:
    """Return the program of a stage with slots of its own, in the order of playing, and the way to its page."""
    t = texts(language)
    to = html.p(link(stage_program_at(row.stage_id, row.appearance_id), t("Edit the program")))
    if not row.entries:
        return html.div(html.p({"class": "slot__none"}, t("No program yet.")), to)
    entries = (
        html.li({"key": f"own-{entry.id}", "class": "slot"}, html.ul(entry_item(row, entry, where, language)))
        for entry in row.entries
    )
    return html.div(html.ol({"class": "slots"}, *entries), to)
