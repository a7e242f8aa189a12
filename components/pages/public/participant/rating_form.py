"""The rating form of one performance, the same for everybody; one's own ratings fill its slots (`own_ratings.py`)."""

from urllib.parse import urlencode

from apps.competition.selectors import PieceTitle, ProgramLine, SessionAppearance
from apps.core.texts import Texts, texts
from apps.ratings.enums import QuickRating
from apps.ratings.limits import COMMENT_LENGTH
from components.markup import Markup, VdomDict, cached_markup, html
from components.rendering.parts import page_event
from components.rendering.slots import slot
from components.ui.blocks import button_link
from components.ui.controls.commands import command_form
from components.ui.controls.mark_input import GIVEN, UNMARKED, choice, five, score
from components.ui.piece_title import work, work_text
from components.ui.programme_lines import composer, watch_link


@cached_markup
def rating_section(session_appearance: SessionAppearance, is_signed_in: bool, language: str) -> VdomDict:  # noqa: FBT001
    """Return the section with the form, or with a sentence while there is no program."""
    t, appearance = texts(language), session_appearance.appearance
    how = t(
        "One to twenty-five for each piece. Slide, tap, use the arrow keys or type the number. The rest sign means no "
        "mark yet."
    )
    return html.section(
        {"class": "sheet sheet--ruled", "id": f"rating-{appearance.id}"},
        html.div({"class": "hang"}, html.h2(t("Your ratings")), html.p(how)),
        _form(session_appearance, is_signed_in, language)
        if appearance.program
        else html.p({"class": "body muted"}, t("The program is not known yet.")),
    )


def _form(session_appearance: SessionAppearance, is_signed_in: bool, language: str) -> VdomDict:  # noqa: FBT001
    t, appearance = texts(language), session_appearance.appearance
    lines = {line.piece.id: line for line in appearance.program}  # a piece that is played twice has one mark
    name = t("Your ratings: {title}").format(title=session_appearance.session.title)
    attributes = {"class": "body rating", "aria-label": name}
    return html.form(
        command_form("ratings_submit", appearance.id, draft=f"rating:{appearance.id}") | attributes,
        composer(),
        html.ol(
            {"class": "marks"},
            *(_piece(nr, line, session_appearance, language) for nr, line in enumerate(lines.values(), 1)),
        ),
        html.p(
            {"class": "marks__sum"},
            html.span(t("Your average so far")),
            html.output({"class": "marks__average", "aria-live": "off"}, UNMARKED),
        ),
        html.div(
            {"class": "stack marks__rest"},
            *_overall_fields(appearance.id, t),
            _end(session_appearance, is_signed_in, len(lines), t),
        ),
    )


def _piece(number: int, line: ProgramLine, session_appearance: SessionAppearance, language: str) -> VdomDict:
    piece, appearance = line.piece, session_appearance.appearance
    name = f"mark-{appearance.id}-{piece.id}"
    label = html.label({"htmlFor": name}, work(piece, language=language))
    title = html.div({"class": "marks__title"}, label, _watch(line, session_appearance, language))
    return html.li({"key": name}, html.span({"class": "nr"}, str(number)), title, _score(name, piece, language))


def _score(name: str, piece: PieceTitle, language: str) -> VdomDict:
    t, words = texts(language), work_text(piece, language=language)
    return score(
        name,
        f"piece-{piece.id}",
        unmarked=t("no mark yet"),
        less=t("One point less: {piece}").format(piece=words),
        more=t("One point more: {piece}").format(piece=words),
    )


def _watch(line: ProgramLine, session_appearance: SessionAppearance, language: str) -> Markup:
    """Return the link that plays this piece above; without scripts, on the session's page."""
    if not line.video_id:
        return None
    appearance, session = session_appearance.appearance, session_appearance.session
    to = f"/sessions/{session.id}?watch={line.id}#stage-video"
    asked = page_event("watch", f"{appearance.id}:{line.id}")
    return watch_link(to, line.piece, language=language, whose=session.title, attributes=asked)


def _overall_fields(appearance_id: int, t: Texts) -> list[Markup]:
    quick = [(each.value, t(str(each.label))) for each in QuickRating]
    name = f"comment-{appearance_id}"
    field = {"id": name, "name": "comment", "rows": 3, "maxLength": COMMENT_LENGTH} | slot(GIVEN, name)
    return [
        html.div(
            {"class": "pair"},
            five(f"whole-{appearance_id}", "score", t("The whole performance"), of=t("{n} of 5")),
            choice(f"quick-{appearance_id}", "quick_rating", t("Quick rating"), quick),
        ),
        html.div({"class": "field"}, html.label({"htmlFor": name}, t("Your comment")), html.textarea(field)),
    ]


def _end(session_appearance: SessionAppearance, is_signed_in: bool, pieces: int, t: Texts) -> VdomDict:  # noqa: FBT001
    appearance = session_appearance.appearance
    there = f"/participants/{appearance.participant_id}#rating-{appearance.id}"
    enter = button_link("/login?" + urlencode({"next": there}), t("Sign in to rate"))
    needs = t("It needs a mark for a piece, one for the whole performance, and a comment.")
    far = t("{n} of {all} pieces marked. You can come back to the others.")
    return html.div(
        html.div(
            {"class": "row"},
            _submit(appearance.id, t) if is_signed_in else enter,
            html.p({"class": "small muted marks__far", "data-words": far, "data-all": str(pieces), "hidden": True}, ""),
        ),
        html.p({"class": "small muted marks__needs", "id": f"needs-{appearance.id}"}, needs) if is_signed_in else None,
        html.p({"class": "small marks__state", "hidden": True} | slot(GIVEN, f"state-{appearance.id}")),
        html.p({"class": "marks__answer", "data-answer": "", "role": "status"}),
    )


def _submit(appearance_id: int, t: Texts) -> VdomDict:
    """Return the button, which `modules/score.js` enables when the form is complete."""
    asked = {"data-busy": t("Submitting..."), "aria-describedby": f"needs-{appearance_id}"}
    return html.button({"class": "button", "type": "submit", **asked}, t("Submit ratings"))
