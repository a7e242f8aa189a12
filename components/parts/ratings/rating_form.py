"""The rating form of one performance, on the performer's page and beside the video.

The form is public: the strings above each piece's keys show all approved marks, and the viewer's ratings fill its slots
(`own_ratings.py`). A signed-in viewer sees a piece's marks after their own mark, or on request; until then only their
number is shown (`rating_form.css`). Blind first, because marks that follow others are useless: Lorenz, Rauhut,
Schweitzer, Helbing, How social influence can undermine the wisdom of crowd effect, PNAS 2011.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import urlencode

from apps.competition.selectors.public.participants import AppearanceDetail, PieceTitle, ProgramLine, SessionAppearance
from apps.competition.selectors.public.sessions import appearances_get
from apps.core.texts import Texts, texts
from apps.ranking.selectors.figures import audience_figures
from apps.ratings.enums import QuickRating
from apps.ratings.limits import COMMENT_LENGTH
from apps.ratings.selectors.statistics import Figures, PerformanceFigures
from components.parts.programme import line_parts, program_lines
from components.parts.ratings.covering import FIGURES, PIECE_ASK, PIECE_FIGURES, figures_slot
from components.parts.ratings.performance import performance_mean, piece_heard, piece_strings, whole_heard
from components.parts.stages.rank_words import PUBLISHED
from components.runtime import (
    Markup,
    VdomDict,
    command_button,
    command_form,
    html,
    page_event,
    public_part,
    read_once,
    read_together,
    shared_part,
    slot,
)
from components.ui.blocks import link, ordinal, visually_hidden
from components.ui.forms import characters_left
from components.ui.mark_input import GIVEN, UNMARKED, choice, five, score
from components.ui.marks import sign_slot
from components.ui.pieces import others_link, title_text, video_second, watch_link, work, work_text

EVERY = 1 / 3  # seconds between two reads
BLIND = "blind"  # the slots' name: blind until the viewer has rated
OWN_MARK = "own_mark"  # the slots' name: a piece that the viewer has marked
WAY_IN = "rate_way_in"  # the slots' name: anonymous visitors' link to the log-in, hidden from signed-in viewers


def performances_read(appearance_ids: tuple[int, ...]) -> Mapping[int, tuple[SessionAppearance, PerformanceFigures]]:
    """Return these performances with the figures of their marks, by appearance. Three queries."""
    figures = read_once(audience_figures, appearance_ids=appearance_ids)
    found = read_once(appearances_get, appearance_ids=appearance_ids)
    return {pk: (each, figures.get(pk, PerformanceFigures())) for pk, each in found.items()}


def performance_topics(appearance_id: int, participant_id: int) -> tuple[str, ...]:
    """Return the topics of a performance's program, time and marks."""
    return (f"participant.{participant_id}", f"session_participant.{appearance_id}.ratings")


def keys_address(session_id: int, appearance_id: int) -> str:
    """Return the address of the keys of a performance, which opens its row on the session's page."""
    return f"/sessions/{session_id}?open={appearance_id}#keys-{appearance_id}"


@public_part(topics=performance_topics, every=EVERY, together=performances_read)
def performance_rating(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The form of one performance. Before the performance begins: its program and its place in the order."""
    known = read_together(performances_read, appearance_id)
    if known is None or not known[0].appearance.program:
        return html.p({"class": "muted"}, texts(language)("The program is not known yet."))
    found, figures = known
    return _form(found, figures, language) if found.appearance.has_begun else _to_come(found, language)


def _to_come(found: SessionAppearance, language: str) -> VdomDict:
    appearance, t = found.appearance, texts(language)
    nth = ordinal(appearance.order_number, t)
    if found.previous_name:
        when = t("Plays {nth}, after {name}. You can rate once it begins.").format(nth=nth, name=found.previous_name)
    else:
        when = t("Plays {nth}. You can rate once it begins.").format(nth=nth)
    lines = program_lines(appearance.program, found.session.id, whose=appearance.name, language=language, watch=False)
    return html.div({"class": "to-come"}, html.p({"class": "to-come__when"}, when), lines)


def _form(found: SessionAppearance, figures: PerformanceFigures, language: str) -> VdomDict:
    t, appearance = texts(language), found.appearance
    lines = {line.piece.id: line for line in appearance.program}  # a piece that is played twice has one mark
    name = t("Your ratings: {name}, {title}").format(name=appearance.name, title=found.session.title)
    attributes = {"class": "rating", "aria-label": name} | slot(BLIND, appearance.id)
    following = [*(line.piece for line in lines.values()), None][1:]
    pieces = [
        _piece(nr, line, found, figures.piece(line.piece.id), then=then, language=language)
        for nr, (line, then) in enumerate(zip(lines.values(), following, strict=True), 1)
    ]
    same = {"class": "muted small marks__same", "data-words": t("the audience, of the same {n}: {mean}")}
    figure = shared_part(performance_mean(appearance.id, found.session.stage_id, language=language))
    return html.form(
        command_form("ratings_submit", appearance.id, draft=rating_draft(appearance.id)) | attributes,
        html.ol({"class": "marks items", "id": f"keys-{appearance.id}"}, *pieces),
        html.p({"class": "message", "hidden": True} | slot(GIVEN, f"removed-{appearance.id}")),
        html.p(
            {"class": "marks__sum"},
            html.span(
                t("Your average so far"),
                " ",
                html.span(same, ""),
                html.span({"class": "muted small marks__figure", "hidden": True} | figures_slot(appearance.id), figure),
            ),
            html.output({"class": "marks__average", "aria-live": "off"}, UNMARKED),
        ),
        html.div(
            {"class": "stack marks__rest"},
            *_overall_fields(appearance.id, language),
            _end(appearance, len(lines), t),
        ),
    )


def rating_draft(appearance_id: int) -> str:
    """Return the name under which the browser keeps the form's fields."""
    return f"rating:{appearance_id}"


def _piece(
    number: int,
    line: ProgramLine,
    found: SessionAppearance,
    figures: Figures,
    *,
    then: PieceTitle | None,
    language: str,
) -> VdomDict:
    """Return an item of the form: a line, which `modules/score.js` opens to the keys; `then` is the following piece.

    The only item of a program is open from the start. The audience's figures stand in the line or below the keys.
    """
    t, piece, appearance = texts(language), line.piece, found.appearance
    name = f"mark-{appearance.id}-{piece.id}"
    is_open = number == 1 and then is None
    button = {"class": "items__name", "type": "button", "id": f"of-{name}"}
    own = html.span(slot(OWN_MARK, f"{appearance.id}-{piece.id}"), t("rate"))
    parts_of = partial(line_parts, whose=appearance.name, language=language, appearance_id=appearance.id)
    onward = {"class": "link items__next", "type": "button"}
    return html.li(
        {"key": name} | ({"class": "is-open"} if is_open else {}),
        html.span({"class": "nr"}, str(number)),
        html.button(button | {"aria-expanded": "true" if is_open else "false"}, work(piece, language=language)),
        parts_of(line, found.session.id),
        piece_watch(line, found, language),
        html.span({"class": "items__own"}, visually_hidden(f"{t('you')} "), own),
        piece_score(name, piece, appearance.id, language, labelled_by=f"of-{name}"),
        piece_audience(appearance.id, piece, figures, language),
        html.div(
            {"class": "items__ways"},
            others_link(piece, language=language),
            html.button(onward, t("Next: {piece}").format(piece=title_text(then, language=language))) if then else None,
        ),
    )


def piece_score(name: str, piece: PieceTitle, appearance_id: int, language: str, *, labelled_by: str = "") -> VdomDict:
    """Return the control for a mark of a piece, with the id `name`, and the audience's strings over its keys."""
    t, words = texts(language), work_text(piece, language=language)
    strings = shared_part(piece_strings(appearance_id, piece.id, language=language))
    return score(
        name,
        f"piece-{piece.id}",
        audience=html.span(slot(PIECE_FIGURES, f"{appearance_id}-{piece.id}"), strings),
        unmarked=t("no mark yet"),
        less=t("One point less: {piece}").format(piece=words),
        more=t("One point more: {piece}").format(piece=words),
        labelled_by=labelled_by,
    )


def piece_audience(appearance_id: int, piece: PieceTitle, figures: Figures, language: str) -> VdomDict:
    """Return the audience's marks in words, and the button that shows them before the viewer's mark.

    The number of marks is shown to everybody.
    """
    t, place = texts(language), f"{appearance_id}-{piece.id}"
    if figures.mean is None:
        return html.p({"class": "small marks__heard"}, html.span(t.plural("%(n)d mark", "%(n)d marks", 0)))
    show = {"class": "link"} | command_button("figures_show", appearance_id, busy=t("Processing..."))
    ask = html.button(show, t("Show the audience’s"), visually_hidden(f": {work_text(piece, language=language)}"))
    heard = shared_part(piece_heard(appearance_id, piece.id, language=language))
    return html.div(
        {"class": "small marks__heard"},
        html.span(slot(PIECE_FIGURES, place), heard),
        html.span({"class": "marks__count"}, t.plural("%(n)d mark", "%(n)d marks", figures.count)),
        html.span({"class": "unfold", "hidden": True} | slot(PIECE_ASK, place), ask),
    )


def piece_watch(line: ProgramLine, found: SessionAppearance, language: str) -> Markup:
    """Return the link that plays this piece; without scripts, on the session's page."""
    if not line.video_id:
        return None
    appearance, session = found.appearance, found.session
    to = f"/sessions/{session.id}?watch={line.id}#stage-video"
    asked = page_event("watch", f"{appearance.id}:{line.id}")
    at = video_second(line.second) if line.second else ""
    return watch_link(to, line.piece, language=language, whose=appearance.name, at=at, attributes=asked)


def _overall_fields(appearance_id: int, language: str) -> Sequence[Markup]:
    t = texts(language)
    quick = [(each.value, t(str(each.label))) for each in QuickRating]
    name = f"comment-{appearance_id}"
    field = {"id": name, "name": "comment", "rows": 3, "maxLength": COMMENT_LENGTH} | slot(GIVEN, name)
    audience = shared_part(whole_heard(appearance_id, language=language))
    legend = [t("The whole performance"), html.span({"class": "muted"} | slot(FIGURES, appearance_id), audience)]
    return [
        html.div(
            {"class": "pair"},
            five(f"whole-{appearance_id}", "score", html.span(*legend), of=t("{n} of 5")),
            choice(f"quick-{appearance_id}", "quick_rating", t("Quick rating"), quick),
        ),
        html.div(
            {"class": "field"},
            html.label({"htmlFor": name}, t("Your comment on the performance")),
            html.textarea(field),
            characters_left(t),
        ),
    ]


def _end(appearance: AppearanceDetail, pieces: int, t: Texts) -> VdomDict:
    appearance_id = appearance.id
    needs = t("It needs a mark for a piece, one for the whole performance, and a comment.")
    unchanged = t("All of this is submitted. Change something to submit it again.")
    names = {
        "data-missing": t("Still missing:"),
        "data-piece": t("a piece"),
        "data-whole": t("the whole performance"),
        "data-comment": t("a comment"),
    }
    why = {"class": "small muted marks__needs", "id": f"needs-{appearance_id}", "tabIndex": -1}
    answer = {
        "class": "marks__answer",
        "data-answer": "",
        "role": "status",
        "id": f"answer-{appearance_id}",
        "tabIndex": -1,
    }
    back = (
        {"class": "link small", "hidden": True, "data-draft": rating_draft(appearance_id)}
        | slot(GIVEN, f"back-{appearance_id}")
        | command_button("rating_restore", appearance_id, busy=t("Processing..."))
    )
    far = t.plural(
        "{n} of %(n)d piece marked. You can come back to the others.",
        "{n} of %(n)d pieces marked. You can come back to the others.",
        pieces,
    )
    return html.div(
        {"data-answers": ""},
        _way_in(appearance, t),
        html.div(
            {"class": "row"},
            _submit(appearance_id, t),
            html.p({"class": "sign marks__changed", "data-own": "changed", "hidden": True}, t("Changed, not sent")),
            html.button(back, t("Back to what I sent")),
            html.p({"class": "small muted marks__far", "data-words": far, "hidden": True}, ""),
        ),
        html.p(why | names | {"data-unchanged": unchanged}, needs),
        html.p({"class": "small muted"}, t(PUBLISHED)),
        html.p(answer | slot(GIVEN, f"answer-{appearance_id}")),
        html.p(
            {"class": "small marks__state", "hidden": True} | slot(GIVEN, f"state-{appearance_id}"),
            sign_slot(appearance_id, stop="."),
            " ",
            html.span(slot(GIVEN, f"then-{appearance_id}")),
            " ",
            html.span(slot(GIVEN, f"note-{appearance_id}")),
            " ",
            link("/stages/method", t("Why")),
        ),
    )


def _way_in(appearance: AppearanceDetail, t: Texts) -> VdomDict:
    """Return the replacement of the controls for anonymous visitors without scripts, who have no drafts."""
    to = {"next": f"/participants/{appearance.participant_id}?open={appearance.id}#rating-{appearance.id}"}
    way = {"class": "scriptless"} | slot(WAY_IN, appearance.id)
    return html.p(way, link(f"/login?{urlencode(to)}", t("Sign in to rate")))


def _submit(appearance_id: int, t: Texts) -> VdomDict:
    """Return the button. `modules/score.js` enables it for a complete form; anonymous visitors are sent to sign in."""
    words = t("Submit ratings")
    labels = {"data-busy": t("Submitting..."), "data-first": words, "data-changed": t("Send changes")}
    about = {"class": "button", "type": "submit", "aria-describedby": f"needs-{appearance_id}"}
    return html.button(about | labels, words)
