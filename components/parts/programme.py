"""An appearance's program with its Watch links."""

from collections.abc import Mapping, Sequence

from apps.competition.selectors import ProgramLine
from apps.core.texts import texts
from components.markup import VdomDict, html
from components.rendering.parts import page_event
from components.ui.programme_lines import line, watch_link

STAGE_VIDEO = "stage-video"  # the id of the session page's player


def program_lines(
    program: Sequence[ProgramLine], session_id: int, *, whose: str, language: str, acting: bool = False
) -> VdomDict:
    """Return the lines of a program; Watch links to the session's page, or sends a page event if `acting`.

    `whose` distinguishes links to the same piece.
    """
    if not program:
        return html.p({"class": "lines muted"}, texts(language)("The program is not known yet."))
    rows = []
    for entry in program:
        to = f"/sessions/{session_id}?watch={entry.id}#{STAGE_VIDEO}"
        asked: Mapping[str, str] = page_event("watch", entry.id) if acting else {}
        watch = watch_link(to, entry.piece, language=language, whose=whose, attributes=asked)
        rows.append(line(f"entry-{entry.id}", entry.piece, watch if entry.video_id else None, language=language))
    return html.ol({"class": "lines"}, *rows)
