"""The area Prepare: what is to be done next, and the state of all that a competition consists of."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.competition.selectors.admin.live import FirstSteps, first_steps_get
from apps.competition.selectors.admin.preparation import Preparation, SessionState, preparation_get
from apps.core.texts import Texts, texts
from apps.imports.selectors.participant_files import ImportShown, import_get, import_pending
from apps.imports.selectors.programs import program_text_get
from apps.jury.selectors import SheetCounts, sheet_counts
from apps.news.selectors import PostCounts, post_counts
from components.pages.admin.dashboard.first_steps import first_steps
from components.pages.admin.entity_screen import create_at, edit_at
from components.runtime import Markup, Page, PageRequest, VdomDict, component, html
from components.ui.areas import PROGRAM_IMPORT
from components.ui.blocks import button_link, link
from components.ui.frames import backstage, row, rows

TOPICS = (
    *("site_contact", "featured_participants", "pieces", "pianos", "stages", "sessions", "programs"),
    *("live", "latest_news", "imports", "jury.drafts"),
)
PARTICIPANTS, STAGES, NEWS = "/admin/participants", "/admin/stages", "/admin/blog"
SESSIONS, PROGRAMS = "/admin/sessions", "/admin/programs"


@dataclass(frozen=True, slots=True)
class Prepared:
    """The setup steps, the counts of the competition and of the news, and the viewer's open imports."""

    steps: FirstSteps
    competition: Preparation
    news: PostCounts
    file: ImportShown | None  # the viewer's participant file that is not saved
    has_text: bool  # whether the viewer has pasted programs
    sheets: SheetCounts  # of the jury


def load(request: PageRequest) -> Page:
    """Return the page of the area. Ten queries."""
    user_id = request.viewer.id or 0
    pending = import_pending(user_id=user_id)
    file = import_get(import_id=pending) if pending else None
    has_text = bool(program_text_get(user_id=user_id).strip())
    return Page(
        request.t("Participants, pieces, stages, sessions, programs, imports, the jury and news."),
        prepare_page,
        data=Prepared(first_steps_get(), preparation_get(), post_counts(), file, has_text, sheet_counts()),
        topics=(*TOPICS, f"account.{user_id}.program_text"),
    )


@component
def prepare_page(page: Page) -> VdomDict:
    """Render the setup steps or the next task, then a line for each kind of row."""
    t, prepared = texts(page.language), page.data
    first = first_steps(prepared.steps, page.language) if prepared.steps.next else _next(prepared.competition, t)
    return backstage(page.title, first, rows(*_lines(prepared, t)), page=page)


def _next(competition: Preparation, t: Texts) -> VdomDict:
    """Return the next task with the button that leads to it."""
    session = competition.unprepared
    if session is None:
        words = t("All sessions to come have their programs.") if competition.coming else t("No session is to come.")
        return html.p({"key": "next", "class": "muted"}, words)
    if session.lacks_order:
        words, way = _lacking(session, t), (edit_at(SESSIONS, session.id), t("Choose the performers"))
    else:
        words, way = _with_programs(session, t), (f"{PROGRAMS}?session={session.id}", t("Choose programs"))
    return html.section(
        {"key": "next", "class": "next-task", "aria-labelledby": "next-task"},
        html.div(html.h2({"id": "next-task"}, t("Next")), html.p(words)),
        button_link(*way),
    )


def _lines(prepared: Prepared, t: Texts) -> list[VdomDict]:
    """Return the line of each kind of row: a link, the present state, and links to what is often done."""
    state = prepared.competition
    return [
        _line(
            PARTICIPANTS, t("Participants"), _participants(state, t), (create_at(PARTICIPANTS), t("New Participant"))
        ),
        _line("/admin/pieces", t("Pieces"), (_pieces(state.pieces, t),)),
        _line("/admin/pianos", t("Pianos"), (_pianos(state.pianos, t),)),
        _line(STAGES, t("Stages"), (_stages(state.stages, t),), (create_at(STAGES), t("New Stage"))),
        _line(SESSIONS, t("Sessions"), (_sessions(state, t),), (create_at(SESSIONS), t("New Session"))),
        _line(PROGRAMS, t("Programs"), (_programs(state.next_session, t),), (PROGRAM_IMPORT, t("Import Programs"))),
        _line("/admin/import", t("Imports"), (_imports(prepared, t),)),
        _line("/admin/jury", t("Jury"), (_sheets(prepared.sheets, t),)),
        _line(NEWS, t("Blog"), (_news(prepared.news, t),), (create_at(NEWS), t("New Post"))),
    ]


def _line(to: str, name: str, state: Sequence[Markup], *ways: tuple[str, str]) -> VdomDict:
    acts = [button_link(*way, "plain small") for way in ways]
    return row(to, html.h2(html.a({"href": to}, name)), html.p({"class": "muted"}, *state), acts=acts)


def _participants(state: Preparation, t: Texts) -> Sequence[Markup]:
    if not state.participants:
        return (t("No participants yet."),)
    count = t.plural("%(n)d participant", "%(n)d participants", state.participants)
    if not state.without_picture:
        return (count,)
    bare = t.plural("%(n)d without a picture", "%(n)d without a picture", state.without_picture)
    return (count, ", ", link(f"{PARTICIPANTS}?missing=1", bare))


def _pieces(count: int, t: Texts) -> str:
    return t.plural("%(n)d piece", "%(n)d pieces", count) if count else t("No pieces yet.")


def _pianos(count: int, t: Texts) -> str:
    return t.plural("%(n)d piano", "%(n)d pianos", count) if count else t("No pianos yet.")


def _stages(count: int, t: Texts) -> str:
    return t.plural("%(n)d stage", "%(n)d stages", count) if count else t("No stages yet.")


def _sessions(state: Preparation, t: Texts) -> str:
    if not state.sessions:
        return t("No sessions yet.")
    bare = sum(1 for each in state.coming if each.lacks_order)
    parts = [
        t.plural("%(n)d session", "%(n)d sessions", state.sessions),
        t.plural("%(n)d to come", "%(n)d to come", state.to_come),
        t.plural("%(n)d without an order of playing", "%(n)d without an order of playing", bare) if bare else "",
    ]
    return ", ".join(filter(None, parts))


def _programs(session: SessionState | None, t: Texts) -> str:
    if session is None:
        return t("No session is to come.")
    return _lacking(session, t) if session.lacks_order else _with_programs(session, t)


def _lacking(session: SessionState, t: Texts) -> str:
    return t("{session}: no order of playing yet").format(session=session.title)


def _with_programs(session: SessionState, t: Texts) -> str:
    words = t.plural(
        "{session}: {n} of %(n)d has a program", "{session}: {n} of %(n)d have a program", session.performers
    )
    return words.format(session=session.title, n=session.programs)


def _imports(prepared: Prepared, t: Texts) -> str:
    file = _file(prepared.file, t) if prepared.file else ""
    text = t("pasted programs wait") if prepared.has_text else ""
    return "; ".join(filter(None, (file, text))) or t("Nothing waits.")


def _sheets(counts: SheetCounts, t: Texts) -> str:
    parts = [
        t.plural("%(n)d sheet published", "%(n)d sheets published", counts.published) if counts.published else "",
        t.plural("%(n)d draft", "%(n)d drafts", counts.drafts) if counts.drafts else "",
    ]
    return ", ".join(filter(None, parts)) or t("No sheet is stored yet.")


def _file(file: ImportShown, t: Texts) -> str:
    """Return the name of a file that is not saved, with the numbers of its rows."""
    counts = file.counts
    parts = [
        t.plural("%(n)d row to save", "%(n)d rows to save", counts.unsaved) if counts.unsaved else "",
        t.plural("%(n)d row to decide", "%(n)d rows to decide", counts.undecided) if counts.undecided else "",
        t.plural("%(n)d bad row", "%(n)d bad rows", counts.bad) if counts.bad else "",
        t.plural("%(n)d short row", "%(n)d short rows", counts.short) if counts.short else "",
    ]
    about = ", ".join(filter(None, parts)) or t("no rows")
    return t("{file}: {rows}").format(file=file.file_name, rows=about)


def _news(counts: PostCounts, t: Texts) -> str:
    parts = [
        t.plural("%(n)d article", "%(n)d articles", counts.published) if counts.published else "",
        t.plural("%(n)d draft", "%(n)d drafts", counts.drafts) if counts.drafts else "",
    ]
    return ", ".join(filter(None, parts)) or t("No blog posts yet.")
