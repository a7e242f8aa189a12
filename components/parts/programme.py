"""An appearance's program with its Watch links."""

from collections.abc import Sequence

from apps.competition.selectors.public.participants import ProgramLine
from apps.core.texts import texts
from components.runtime import VdomDict, html
from components.ui.pieces import line, watch_link

STAGE_VIDEO = "stage-video"  # the id of the session page's player
SECOND_DIGITS = 6  # the most digits of a second in a `watch` argument


def watch_argument(line_id: int, second: int) -> str:
    """Return the `watch` argument for a second of the video of a program's line.

    The line's id alone means the second at which the line begins.
    """
    return f"{line_id}.{second}"


def video_moment(program: Sequence[ProgramLine], watch: str) -> tuple[str, int] | None:
    """Return video and second for the `watch` argument "301" (a line of this program) or "301.252".

    The argument is untrusted input: return None for one that does not match.
    """
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
        rows.append(line(f"entry-{entry.id}", entry.piece, shown, language=language))
    return html.ol({"class": "lines"}, *rows)
