"""A stage's ranking as a table, whose scores hang from one keyboard; a list of rows on a phone.

What is a viewer's own fills its slots (`own_marks.py`).
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from apps.accounts.selectors import default_avatars
from apps.core.text_rules.names import initials
from apps.core.texts import Texts, texts
from apps.ranking.method import LEAST_RATERS
from apps.ranking.selectors.files import performer_labels
from apps.ranking.selectors.rankings import Place, RankedPerformance, ranking_get
from apps.ratings.selectors import RecommendationCounts
from components.markup import Markup, VdomDict, cached_markup, html
from components.rendering.parts import public_part, read_once
from components.rendering.slots import slot
from components.ui.blocks import paging, visually_hidden
from components.ui.empty_states import no_marks
from components.ui.frames.page_grid import HARD
from components.ui.keyboard import KEYS, keys
from components.ui.mark_strip import strip, strip_key
from components.ui.people import cameo

OWN_DOT, OWN_MARK, OWN_WAY = "stage_dot", "stage_mark", "stage_way"  # the slots' names
MIDDLE = (KEYS + 1) // 2
NOTHING = "–"
THIN = "\u202f"  # a narrow space that never breaks
# Who plays in which session, under which name; and those who would send somebody on say so between two runs.
MEANWHILE = ("live", "featured_participants", "clock.minute")


@public_part(topics=lambda stage_id, *_: (f"ranking.{stage_id}", *MEANWHILE), outcome=True)
def stage_ranking(stage_id: int, number: int, *, language: str) -> VdomDict:
    """A page of the performances by rank, then of those that have too few raters."""
    t, found = texts(language), ranking_get(stage_id=stage_id, number=number)
    page = found.page
    if not found.has_ranks:
        words = t("No ranking yet. It begins when ten listeners have marked three performances each.")
        return html.section(
            {"class": "sheet sheet--next"},
            html.div({"class": "hang"}, html.h2(t("The ranking"))),
            html.div({"class": "body"}, no_marks(words)),
        )
    return html.section(
        {"class": "sheet sheet--next"},
        html.div({"class": "hang"}, html.h2(t("The ranking")), *_keynotes(t)),
        html.div(
            {"class": "body"},
            _table(page.rows, language),
            paging(page.number, page.pages, path=f"/stages/{stage_id}", query={}, language=language),
        ),
    )


def _keynotes(t: Texts) -> tuple[VdomDict, ...]:
    return (
        html.p({"class": "keynote"}, strip_key(), t("the hall’s score, and where it lies nine times in ten")),
        html.p({"class": "keynote"}, strip_key(is_own=True), t("your mark")),
    )


def _table(shown: Sequence[RankedPerformance], language: str) -> VdomDict:
    """Return the table."""
    t, labels = texts(language), performer_labels(each.appearance for each in shown)
    picture = read_once(default_avatars).participant_avatar_url  # of those who have none
    rows = (_row(each, labels[each.appearance.id], picture, language) for each in shown)
    return html.table(
        {"class": "rank"},
        html.caption({"class": "visually-hidden"}, t("What the stalls think, by rank")),
        html.thead(_heads(t)),
        html.tbody(*rows),
    )


def _heads(t: Texts) -> VdomDict:
    scale = html.span({"class": "rank__scale", "aria-hidden": "true"}, *(html.span(str(n)) for n in (1, MIDDLE, KEYS)))
    head = {"scope": "col"}
    return html.tr(
        html.th(head, t("Rank")),
        html.th(head, t("Performer")),
        html.th(head | {"class": "rank__strip"}, visually_hidden(t("On the keys")), scale, keys()),
        html.th(head | {"class": "rank__score"}, t("Score"), html.small(t("plain mean"))),
        html.th(head | {"class": "rank__n"}, t("Raters")),
        html.th(head | {"class": "rank__you"}, t("You")),
        html.th(head | {"class": "rank__yes"}, t("Would send on")),
    )


@cached_markup
def _row(each: RankedPerformance, label: str, picture: str, language: str) -> VdomDict:
    t, appearance, place = texts(language), each.appearance, each.place
    name = html.a({"href": f"/participants/{appearance.participant_id}"}, appearance.name)
    person = html.span(
        {"class": "person"},
        cameo(appearance.name, initials(appearance.name), appearance.avatar_url or picture, size="small"),
        html.span(html.span({"class": "person__name"}, name), html.span({"class": "person__from"}, appearance.country)),
    )
    return html.tr(
        {"key": f"appearance-{appearance.id}"} | ({} if place.rank else {"class": "is-few"}),
        html.td({"class": "rank__nr"}, *_rank(place, t)),
        html.th({"scope": "row", "class": "rank__who"}, person),
        _cell("strip", _strip(appearance.id, place, t)),
        *(_ranked(place, t) if place.rank else _unranked(place, t)),
        _cell("you", html.span(f"{t('you')} "), *_own(each, label, t)),
        _cell("yes", *(_share(each.recommendations, t) if place.rank else ())),
    )


def _cell(name: str, *inside: Markup) -> VdomDict:
    return html.td({"class": f"rank__{name}"}, *inside)


def _rank(place: Place, t: Texts) -> list[Markup]:
    """Return the rank, whether others have it too, and between which ranks it lies nine times in ten."""
    if place.rank is None:
        return [html.b(html.span({"aria-hidden": "true"}, NOTHING), visually_hidden(t("no rank")))]
    rank = html.b(str(place.rank), *([f"{THIN}=", visually_hidden(t(" (shared)"))] if place.is_shared else []))
    if place.lowest is None or place.highest is None:
        return [rank]
    between = str(place.lowest) if place.lowest == place.highest else f"{place.lowest}–{place.highest}"
    return [rank, html.small(visually_hidden(t(", nine times in ten ")), between)]


def _strip(appearance_id: int, place: Place, t: Texts) -> VdomDict:
    own = slot(OWN_DOT, appearance_id)
    if place.score is None:
        return strip(None, None, own=own, words="")
    if place.score_from is None or place.score_to is None:
        return strip(place.score, None, own=own, words=t("{score} of 25").format(score=place.score))
    ends = place.score_from, place.score_to
    words = t("{score} of 25, nine times in ten between {lowest} and {highest}")
    return strip(place.score, ends, own=own, words=words.format(score=place.score, lowest=ends[0], highest=ends[1]))


def _ranked(place: Place, t: Texts) -> tuple[VdomDict, ...]:
    mean = html.small(visually_hidden(t("plain mean ")), str(place.mean))
    return (
        _cell("score", html.b(str(place.score)), mean),
        _cell("n", html.span(f"{t('raters')} "), f"{place.raters:,}"),
    )


def _unranked(place: Place, t: Texts) -> tuple[VdomDict, ...]:
    words = t("not ranked yet ({n} of {least})").format(n=place.raters, least=LEAST_RATERS)
    return (html.td({"class": "rank__few", "colSpan": 2}, words),)


def _own(each: RankedPerformance, label: str, t: Texts) -> tuple[VdomDict, ...]:
    """Return one's own mark, and until there is one the way to give it."""
    appearance = each.appearance
    to = f"/sessions/{appearance.session_id}?open={appearance.id}#appearance-{appearance.id}"
    way = {"class": "link", "href": to, "aria-label": t("Rate {name}").format(name=label)}
    return (
        html.b({"hidden": True} | slot(OWN_MARK, appearance.id)),
        html.a(way | slot(OWN_WAY, appearance.id), t("rate")),
    )


def _share(counts: RecommendationCounts, t: Texts) -> tuple[Markup, ...]:
    """Return how many of those who said so would send the performer on, also as a bar."""
    label, said = html.span(f"{t('send on')} "), counts.up + counts.down
    if not said:
        return label, NOTHING
    share = int((Decimal(100 * counts.up) / said).quantize(Decimal(1), ROUND_HALF_UP))
    return label, f"{share}{HARD}%", html.i({"class": f"n-{share}", "aria-hidden": "true"})
