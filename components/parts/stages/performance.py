"""The unfolded row of a performance in a stage's table: its score on the keys, and its pieces with their marks.

Figures are parts of their own, inside slots that are covered with the performance's figures.
"""

from collections.abc import Mapping

from apps.competition.selectors.public.participants import AppearanceDetail, ProgramLine, SessionAppearance
from apps.competition.selectors.public.sessions import appearances_get
from apps.core.texts import Texts, texts
from apps.ranking.selectors import ranking_get
from apps.ranking.selectors.figures import audience_figures
from apps.ranking.selectors.results import Place
from apps.ratings.selectors.statistics import PerformanceFigures
from components.parts.programme import line_parts
from components.parts.ratings.covering import figures_slot
from components.parts.ratings.performance import BESIDE, EVERY
from components.parts.ratings.rating_form import keys_address
from components.parts.stages.rank_words import LAST_HOUR, added_words, has_spread, late_words
from components.parts.words import about_path
from components.runtime import Markup, VdomDict, html, public_part, read_once, read_together, shared_part, slot
from components.ui.blocks import link, visually_hidden
from components.ui.marks import KEYS, keys, mean_key, strip
from components.ui.pieces import piece_link, watch_link

OWN_DOT, OWN_PIECE = "stage_dot", "stage_piece"  # the slots' names: the viewer's mark on the keys, and of a piece
UNFOLDED = "unfolded"  # the slots' name: an unfolded row, filled for members
MIDDLE = (KEYS + 1) // 2


def _performances_read(appearance_ids: tuple[int, ...]) -> Mapping[int, SessionAppearance]:
    """Return these performances with their programs. Two queries."""
    return read_once(appearances_get, appearance_ids=appearance_ids)


def _figures_read(appearance_ids: tuple[int, ...]) -> Mapping[int, PerformanceFigures]:
    """Return the figures of these performances. One query."""
    return read_once(audience_figures, appearance_ids=appearance_ids)


@public_part(
    topics=lambda appearance_id, _piece_id: (f"session_participant.{appearance_id}.ratings",),
    every=EVERY,
    together=_figures_read,
)
def piece_result(appearance_id: int, piece_id: int, *, language: str) -> VdomDict:
    """The audience's mean of one piece, on small keys and as a number; empty without marks."""
    t = texts(language)
    mean = (read_together(_figures_read, appearance_id) or PerformanceFigures()).piece(piece_id).mean
    if mean is None:
        return html.span()
    return html.span(
        keys(mean=mean_key(mean), look="keys--mini"), html.b(visually_hidden(f"{t('audience')} "), str(mean))
    )


@public_part(topics=lambda _appearance_id, stage_id: (f"ranking.{stage_id}",), outcome=True)
def performance_score(appearance_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The score of a performance on the keys with its interval; a hidden element without a score."""
    ranking = read_once(ranking_get, stage_id=stage_id)
    places = {each.appearance.id: each.place for each in ranking.performances}
    place = places.get(appearance_id, Place())
    if place.score is None:
        return html.div({"hidden": True})
    scale = html.span({"class": "rank__scale", "aria-hidden": "true"}, *(html.span(str(n)) for n in (1, MIDDLE, KEYS)))
    lies = *_strip(appearance_id, place, language), *_plain(place, texts(language))
    return html.div({"class": "rank__lies"}, scale, keys(), *lies)


def _plain(place: Place, t: Texts) -> tuple[Markup, ...]:
    """Return the plain mean, by its name, and how many ratings were late."""
    mean = t("plain mean {mean}").format(mean=place.mean)
    if place.late is None:
        return (html.p({"class": "small muted"}, mean),)
    late = late_words(place.late, place.raters, t)
    return html.p({"class": "small muted"}, f"{mean}, {late}"), html.p({"class": "small muted"}, t(LAST_HOUR))


def _strip(appearance_id: int, place: Place, language: str) -> tuple[VdomDict, ...]:
    t, own = texts(language), slot(OWN_DOT, appearance_id)
    added = added_words(place, t)
    if place.score_from is None or place.score_to is None or not has_spread(place):
        about = ", ".join(filter(None, (t("{score} of 25").format(score=place.score), added)))
        return (strip(place.score, None, own=own, words=about),)
    ends = place.score_from, place.score_to
    words = t("{score} of 25, nine times in ten between {lowest} and {highest}")
    about = ", ".join(filter(None, (words.format(score=place.score, lowest=ends[0], highest=ends[1]), added)))
    return strip(place.score, ends, own=own, words=about), html.p({"class": "small muted"}, about)


@public_part(
    topics=lambda _appearance_id, participant_id, _stage_id: (f"participant.{participant_id}",),
    together=_performances_read,
)
def stage_performance(appearance_id: int, participant_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The content of an unfolded row; a sentence for a performance that is no longer there."""
    t, found = texts(language), read_together(_performances_read, appearance_id)
    if found is None:
        return html.div({"class": "rank__unfolded"}, html.p({"class": "muted"}, t("This performance was removed.")))
    appearance, session = found.appearance, found.session
    pieces = {line.piece.id: line for line in appearance.program}.values()  # a piece played twice has one mark
    score = shared_part(performance_score(appearance_id, stage_id, language=language))
    beside = html.p({"class": "small muted"} | slot(BESIDE, appearance_id))
    rate = html.a({"class": "link", "href": keys_address(session.id, appearance_id)}, t("Mark it on the keys"))
    more = link(f"/participants/{participant_id}", t("Performer’s page"))
    write = link(about_path(appearance_id), t("Write about it"))
    about = html.p({"class": "small muted"}, appearance.country, " · ", link(f"/sessions/{session.id}", session.title))
    return html.div(
        {"class": "rank__unfolded"} | slot(UNFOLDED, appearance_id),
        about,
        html.div(figures_slot(appearance_id), score, beside) if appearance.has_begun else None,
        _ask(t) if appearance.has_begun and pieces else None,
        _pieces(tuple(pieces), found, language),
        html.p({"class": "row"}, rate if appearance.has_begun else None, more, write),
    )


def _ask(t: Texts) -> VdomDict:
    """Return the line that shows an anonymous visitor the marks of the pieces; members' are covered by the server."""
    return html.details({"class": "bits__ask small"}, html.summary({"class": "link"}, t("Show the audience’s")))


def _pieces(lines: tuple[ProgramLine, ...], found: SessionAppearance, language: str) -> VdomDict:
    if not lines:
        return html.p({"class": "muted"}, texts(language)("The program is not known yet."))
    return html.ol({"class": "bits"}, *(_piece(line, found, language) for line in lines))


def _piece(line: ProgramLine, found: SessionAppearance, language: str) -> VdomDict:
    appearance, t = found.appearance, texts(language)
    own = slot(OWN_PIECE, f"{appearance.id}-{line.piece.id}")
    audience = shared_part(piece_result(appearance.id, line.piece.id, language=language))
    marks = (
        html.span({"class": "bits__audience"} | figures_slot(appearance.id), audience),
        html.span({"class": "bits__mine"}, visually_hidden(f"{t('you')} "), html.span(own)),
    )
    return html.li(
        {"key": f"piece-{line.piece.id}"},
        piece_link(line.piece, language=language),
        *(marks if appearance.has_begun else ()),
        _watch(line, found.session.id, appearance, language),
        line_parts(line, found.session.id, whose=appearance.name, language=language),
    )


def _watch(line: ProgramLine, session_id: int, appearance: AppearanceDetail, language: str) -> Markup:
    if not line.video_id:
        return None
    to = f"/sessions/{session_id}?watch={line.id}#stage-video"
    return watch_link(to, line.piece, language=language, whose=appearance.name, attributes={})
