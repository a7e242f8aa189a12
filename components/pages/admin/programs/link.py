"""The dialog Edit YouTube Link: where in which video a piece begins."""

from typing import Any

from apps.competition.selectors import EntryRow, ProgramRow
from apps.core.limits import ADDRESS_LENGTH
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, html, web_module
from components.pages.admin.programs.query import Where
from components.ui.controls.commands import command_form
from components.ui.controls.forms import field
from components.ui.frames.admin_frame import answer_line, leave_guard, version_field
from components.ui.piece_title import work_text
from components.ui.programme_lines import video_second

MODAL = web_module("modules/backstage/modal.js", "Modal")


def link_dialog(row: ProgramRow, entry: EntryRow, *, where: Where, language: str) -> VdomDict:
    """Return the dialog, which its module opens; Cancel leads to the address without it."""
    t = texts(language)
    hint = t("t is a second (t=95) or a time (t=1h2m3s). Empty takes the link away.")
    own: dict[str, Any] = {
        "maxLength": ADDRESS_LENGTH,
        "autoComplete": "off",
        "inputMode": "url",
        "spellCheck": "false",
    }
    address = field(t("YouTube URL with timestamp"), "url", value=entry.youtube_url, hint=hint, **own)
    cancel = {"class": "button button--plain", "href": where.at(link=0), "data-cancel": ""}
    form = html.form(
        {"class": "stack"}
        | command_form("program_entry_link", entry.id, draft=f"link:{entry.id}")
        | leave_guard(language),
        html.h2({"id": "link-heading"}, t("Edit YouTube Link")),
        html.p({"class": "dialog__about"}, f"{work_text(entry.piece, language=language)}, {row.name}"),
        _present(entry, t),
        address,
        html.input({"type": "hidden", "name": "go", "value": where.at(link=0)}),
        version_field(entry.version, language),
        answer_line(),
        html.div(
            {"class": "row"},
            html.a(cancel, t("Cancel")),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Save")),
        ),
        MODAL({}),
    )
    name = {"key": f"link-{entry.id}", "class": "dialog dialog--form", "aria-labelledby": "link-heading"}
    return html.dialog(name, form)


def _present(entry: EntryRow, t: Texts) -> Markup:
    """Return where the piece begins now."""
    if entry.timestamp is None:
        return None
    begins = video_second(entry.timestamp)
    of_own = (
        t("Begins now at {time} of this video.") if entry.youtube_url else t("Begins now at {time} of the recording.")
    )
    return html.p({"class": "small muted"}, of_own.format(time=begins))
