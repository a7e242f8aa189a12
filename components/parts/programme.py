"""An appearance's program with its Watch links."""

from collections.abc import Sequence
from functools import partial

from apps.competition.selectors.public.participants import LinePart, ProgramLine
from apps.core.texts import texts
from components.runtime import Markup, VdomDict, html, page_event
from components.ui.pieces import line, member_work, video_second, watch_link

STAGE_VIDEO = "stage-video"  # the id of the session page's player
SECOND_DIGITS = 6  # the most digits of a second in a `watch` argument
PARTS_SHOWN = 6  # of a line; more of them unfold


def watch_argument(line_id: int, second: int) -> str:
    """Return the `watch` argument for a second of the video of a program's line.

    The line's id alone means the second at which the line begins.
    """
    return f"{line_id}.{second}"


def video_moment(program: Sequence[ProgramLine], watch: str) -> tuple[str, int] | None:
    """Return video and second for the `watch` argument "301" (a line of this program), "301.252", or "301-7" (a part).

    The argument is untrusted input: return None for one that does not match.
    """
    line_id, dash, part_id = watch.partition("-")
    if dash:
        parts = (part for line in program if str(line.id) == line_id for part in line.parts)
        part = next((part for part in parts if str(part.id) == part_id), None)
        return (part.video_id, part.second) if part and part.video_id and part.second is not None else None
    line_id, dot, second = watch.partition(".")
    line = next((line for line in program if str(line.id) == line_id and line.video_id), None)
    if line is None:
        return None
    if not dot:
        return line.video_id, line.second or 0
    is_second = second.isascii() and second.isdecimal() and len(second) <= SECOND_DIGITS
    return (line.video_id, int(second)) if is_second else None


def program_lines(
    program: Sequence[ProgramLine], session_id: int, *, whose: str, language: str, watch: bool = True
) -> VdomDict:
    """Return the lines of a program; with `watch`, they link to the video on the session's page.

    `whose`, the performer's name, distinguishes the labels of links to the same piece.
    """
    if not program:
        return html.p({"class": "lines muted"}, texts(language)("The program is not known yet."))
    rows = []
    for entry in program:
        to = f"/sessions/{session_id}?watch={entry.id}#{STAGE_VIDEO}"
        way = watch_link(to, entry.piece, language=language, whose=whose, attributes={})
        shown = way if watch and entry.video_id else None
        parts = line_parts(entry, session_id, whose=whose, language=language, watch=watch)
        rows.append(line(f"entry-{entry.id}", entry.piece, shown, parts, language=language))
    return html.ol({"class": "lines"}, *rows)


def line_parts(
    entry: ProgramLine, session_id: int, *, whose: str, language: str, appearance_id: int = 0, watch: bool = True
) -> Markup:
    """Return the parts of a line: the pieces of a set as links, or movements and sections; None without parts.

    With `watch`, each with a known begin links to its second of the video: on the session's page, and with
    `appearance_id` in the player of the page that shows it (the page event `watch`).
    """
    if not entry.parts:
        return None
    t, is_set = texts(language), entry.parts[0].piece is not None
    look = {"class": "parts parts--set" if is_set else "parts", "aria-label": t("Pieces") if is_set else t("Parts")}
    way_of = partial(_part_watch, appearance_id=appearance_id, whose=whose, language=language)
    rows = []
    for part in entry.parts:
        way = way_of(part, entry, session_id) if watch else None
        rows.append(html.li({"key": f"part-{part.id}"}, _part_name(part, entry, language), way))
    if len(rows) <= PARTS_SHOWN:
        return html.ol(look, *rows)
    rest = html.ol(look | {"start": str(PARTS_SHOWN + 1)}, *rows[PARTS_SHOWN:])
    unfolds = html.details({"class": "parts__more"}, html.summary(t("All {n}").format(n=len(rows))), rest)
    return html.div({"class": "parts__all"}, html.ol(look, *rows[:PARTS_SHOWN]), unfolds)


def _part_name(part: LinePart, entry: ProgramLine, language: str) -> VdomDict:
    if part.piece is None:
        return html.span({"class": "parts__name"}, part.name)
    words = member_work(part.piece, entry.piece, language=language)
    return html.a({"class": "parts__name work-link", "href": f"/pieces/{part.piece.id}"}, words)


def _part_watch(
    part: LinePart, entry: ProgramLine, session_id: int, *, appearance_id: int, whose: str, language: str
) -> Markup:
    if not part.video_id or part.second is None:
        return None
    watch = f"{entry.id}-{part.id}"
    return watch_link(
        f"/sessions/{session_id}?watch={watch}#{STAGE_VIDEO}",
        part.piece or entry.piece,
        language=language,
        part=part.name,
        whose=whose,
        at=video_second(part.second),
        attributes=page_event("watch", f"{appearance_id}:{watch}") if appearance_id else {},
    )
