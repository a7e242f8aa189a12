"""An appearance's program with its Watch links."""

from collections.abc import Sequence

from apps.competition.selectors import ProgramLine
from apps.core.texts import texts
from components.markup import VdomDict, html
from components.ui.programme_lines import line, watch_link

STAGE_VIDEO = "stage-video"  # the id of the session page's player


def program_lines(
    program: Sequence[ProgramLine], session_id: int, *, whose: str, language: str, watch: bool = True
) -> VdomDict:
    """Return the lines of a program; where one may `watch`, with links to the session's page.

    `whose` distinguishes links to the same piece.
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
