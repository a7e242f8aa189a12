"""The table of a stage's audience ranking, for all viewers or for members from whom some figures are covered.

The ranking is inside a slot. A member who does not see all figures of the stage gets a part of their own in its place,
which members who see the same figures share.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import default_avatars
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.ranking.method2 import LEAST_RATERS
from apps.ranking.own_states import OwnState, own_states
from apps.ranking.publication import performer_labels
from apps.ranking.selectors import Place, RankedPerformance, Ranking, ranking_get
from apps.ratings.enums import PerformanceState
from apps.ratings.selectors.counts import RecommendationCounts
from components.parts.rank_words import LAST_HOUR, has_spread, interval_words, late_words, percent, rank_words
from components.parts.ratings.covering import covering_line, show_button
from components.parts.ratings.rating_form import keys_address
from components.parts.ratings.states import state_fills
from components.runtime import (
    Fill,
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    cached_markup,
    covered_by,
    fill,
    html,
    public_part,
    read_once,
    slot,
    slot_query,
)
from components.ui.blocks import paging, visually_hidden
from components.ui.empty_states import no_marks
from components.ui.frames import HARD
from components.ui.marks import KEYS, keys, own_position, sign_slot, strip, strip_key
from components.ui.people import cameo

RANKED, FEW, COVERED = "ranked", "few", "covered"  # the groups of rows, in their order
RANKING = "ranking"  # the slots' names: the table of a stage
OWN_DOT, OWN_MARK, OWN_WAY, OWN_ASK = "stage_dot", "stage_mark", "stage_way", "stage_ask"
COVERED_STATE = "stage_covered"
ALL_SCORES = "all_scores"  # the sentence at files that contain covered figures
ADMINISTRATORS = "administrators"
MIDDLE = (KEYS + 1) // 2
NOTHING = "–"
# sources of gettext
CONDITION = "Performances are ranked once ten listeners who marked three each have marked them."
NO_RANKING = "No ranking yet. Performances are ranked once ten listeners who marked three each have marked them."
# Topics besides the ranking: names, sessions, performers and recommendations change between two runs.
FURTHER_TOPICS = ("live", "featured_participants", "clock.minute")


@public_part(topics=lambda stage_id, *_: (f"ranking.{stage_id}", *FURTHER_TOPICS), outcome=True)
def ranking_table(stage_id: int, number: int, *, language: str) -> VdomDict:
    """A page of performances by rank, followed by those with too few raters."""
    ranking = read_once(ranking_get, stage_id=stage_id)
    return _ranking(ranking, stage_id, number, language)


@public_part(topics=lambda stage_id, *_: (f"ranking.{stage_id}", *FURTHER_TOPICS), outcome=True)
def own_ranking(stage_id: int, number: int, seen: str, *, language: str) -> VdomDict:
    """The same for members who see the figures of the performances `seen` (ids, as "3-17") only.

    All others stand below, in the order of playing.
    """
    ids = frozenset(int(pk) for pk in seen.split("-") if pk)
    ranking = read_once(ranking_get, stage_id=stage_id)  # the parts of all members share this read of a run
    return _ranking(ranking.as_seen(ids), stage_id, number, language)


def _ranking(ranking: Ranking, stage_id: int, number: int, language: str) -> VdomDict:
    t, page = texts(language), ranking.page(number)
    if not ranking.performances:
        return html.section(
            {"class": "sheet sheet--next"},
            html.div({"class": "hang"}, html.h2(t("The ranking"))),
            html.div({"class": "body"}, no_marks(t(NO_RANKING))),
        )
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("The ranking")), *_keynotes(t)),
        html.div(
            {"class": "body"},
            *(_covering(ranking, stage_id, t) if ranking.is_partly_covered else ()),
            _table(page.rows, language, has_ranks=ranking.has_ranks),
            _details(page.rows, t),
            paging(page.number, page.pages, path=f"/stages/{stage_id}", query={}, language=language),
        ),
    )


def _covering(ranking: Ranking, stage_id: int, t: Texts) -> tuple[VdomDict, ...]:
    """Return the line about covered figures, among which performances ranks are counted, and the place of answers."""
    count = sum(each.place.rank is not None for each in ranking.performances)
    words = t("Ranks are shown here for the performances that you have marked.")
    if count:
        words = t.plural(
            "Ranks are counted among the {n} performance whose marks you see.",
            "Ranks are counted among the {n} performances whose marks you see.",
            count,
        ).format(n=count)
    return (
        covering_line(stage_id, t),
        html.p({"class": "small muted"}, words),
        html.p({"class": "small", "data-answer": "", "role": "status"}),
    )


def _keynotes(t: Texts) -> tuple[VdomDict, ...]:
    return (
        html.p({"class": "keynote"}, strip_key(), t("the audience’s score, and where it lies nine times in ten")),
        html.p({"class": "keynote"}, strip_key(is_own=True), t("your mark")),
    )


def _table(shown: Sequence[RankedPerformance], language: str, *, has_ranks: bool) -> VdomDict:
    """Return the table: ranked performances, those with too few raters, and the covered ones."""
    t, labels = texts(language), performer_labels(each.appearance for each in shown)
    picture = read_once(default_avatars).participant_avatar_url  # for participants without one
    rows = {
        name: [_row(each, labels[each.appearance.id], picture, language) for each in of_group]
        for name, of_group in groupby(shown, key=_group)
    }
    if not has_ranks:
        rows.setdefault(FEW, [])
    headings = {FEW: t(CONDITION if has_ranks else NO_RANKING), COVERED: t("Covered, in the order of playing")}
    return html.table(
        {"class": "rank"},
        html.caption({"class": "visually-hidden"}, t("Audience ranking, by rank")),
        html.thead(_heads(t)),
        html.tbody({"key": RANKED}, *rows.get(RANKED, ())),
        *(
            html.tbody({"key": name}, _group_heading(heading), *rows[name])
            for name, heading in headings.items()
            if name in rows
        ),
    )


def _group(each: RankedPerformance) -> str:
    if each.is_covered:
        return COVERED
    return RANKED if each.place.rank else FEW


def _group_heading(words: str) -> VdomDict:
    heading = html.th({"scope": "rowgroup", "colSpan": 7, "class": "rank__group"}, words)
    return html.tr({"key": "group"}, heading)


def _heads(t: Texts) -> VdomDict:
    scale = html.span({"class": "rank__scale", "aria-hidden": "true"}, *(html.span(str(n)) for n in (1, MIDDLE, KEYS)))
    head = {"scope": "col"}
    return html.tr(
        html.th(head, t("Rank")),
        html.th(head, t("Performer")),
        html.th(head | {"class": "rank__strip"}, visually_hidden(t("On the keys")), scale, keys()),
        html.th(head | {"class": "rank__score"}, t("Score")),
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
        {"key": f"appearance-{appearance.id}"} | _look(each),
        html.td({"class": "rank__nr"}, *_rank(place, t)),
        html.th({"scope": "row", "class": "rank__who"}, person),
        _cell("strip", _strip(appearance.id, place, t)),
        *_figures(each, t),
        _cell("you", None if each.is_covered else html.span(f"{t('you')} "), *_own(each, label, t)),
        _cell("yes", *(_share(each.recommendations, t) if place.rank else ())),
    )


def _look(each: RankedPerformance) -> dict[str, str]:
    if each.is_covered:
        return {"class": "is-few is-covered"}
    return {} if each.place.rank else {"class": "is-few"}


def _cell(name: str, *inside: Markup) -> VdomDict:
    return html.td({"class": f"rank__{name}"}, *inside)


def _rank(place: Place, t: Texts) -> list[Markup]:
    """Return the rank and its interval in words; without a rank a sign, with words for screen readers."""
    if place.rank is None:
        return [html.b(html.span({"aria-hidden": "true"}, NOTHING), visually_hidden(t("no rank")))]
    rank, interval = html.b(rank_words(place, t)), interval_words(place, t)
    return [rank, " ", html.small(interval)] if interval else [rank]


def _strip(appearance_id: int, place: Place, t: Texts) -> VdomDict:
    own = slot(OWN_DOT, appearance_id)
    if place.score is None:
        return strip(None, None, own=own, words="")
    if place.score_from is None or place.score_to is None or not has_spread(place):
        return strip(place.score, None, own=own, words=t("{score} of 25").format(score=place.score))
    ends = place.score_from, place.score_to
    words = t("{score} of 25, nine times in ten between {lowest} and {highest}")
    return strip(place.score, ends, own=own, words=words.format(score=place.score, lowest=ends[0], highest=ends[1]))


def _ranked(place: Place, t: Texts) -> tuple[VdomDict, ...]:
    return (
        _cell("score", html.b(str(place.score))),
        _cell("n", html.span(f"{t('raters')} "), f"{place.raters:,}"),
    )


def _figures(each: RankedPerformance, t: Texts) -> tuple[VdomDict, ...]:
    """Return the cells of score and raters; of a covered performance, the button that shows them."""
    if each.is_covered:
        state = html.span(slot(COVERED_STATE, each.appearance.id), t("covered"))
        show = show_button(each.appearance.id, each.appearance.name, t)
        sign = html.span({"aria-hidden": "true"}, sign_slot(each.appearance.id, look="sign--key"))
        return (html.td({"class": "rank__few", "colSpan": 2}, sign, " ", state, " · ", show),)
    return _ranked(each.place, t) if each.place.rank else _unranked(each.place, t)


def _unranked(place: Place, t: Texts) -> tuple[VdomDict, ...]:
    """Return how many of the listeners that a rank needs there are."""
    words = t("{n} of {least} listeners").format(n=place.raters, least=LEAST_RATERS)
    return (html.td({"class": "rank__few", "colSpan": 2}, words),)


def _own(each: RankedPerformance, label: str, t: Texts) -> tuple[VdomDict, ...]:
    """Return the slot of the viewer's mark, and the link to rate, which is shown until there is a mark."""
    appearance = each.appearance
    to = keys_address(appearance.session_id, appearance.id)
    way = {"class": "link", "href": to} | slot(OWN_WAY, appearance.id)
    if each.is_covered:
        asked = html.span(slot(OWN_ASK, appearance.id), t("Rate"))
        return (html.a(way, asked, visually_hidden(f" {label}")),)
    return (
        html.b({"hidden": True} | slot(OWN_MARK, appearance.id)),
        html.a(way | {"aria-label": t("Rate {name}").format(name=label)}, t("rate")),
        sign_slot(appearance.id, look="sign--key"),
    )


def _details(shown: Sequence[RankedPerformance], t: Texts) -> Markup:
    """Return the plain means beside the scores of the ranked performances, folded, and how many marks were late."""
    ranked = [each for each in shown if not each.is_covered and each.place.rank]
    if not ranked:
        return None
    has_late = any(each.place.late is not None for each in ranked)
    return html.details(
        {"key": "details"},
        html.summary({"class": "link"}, t("Plain means, and marks of the last hour") if has_late else t("Plain means")),
        html.ul({"class": "lines"}, *(_detail(each, t) for each in ranked)),
        html.p({"class": "small muted"}, t(LAST_HOUR)) if has_late else None,
    )


def _detail(each: RankedPerformance, t: Texts) -> VdomDict:
    place = each.place
    about = [t("score {score}").format(score=place.score)]
    about += [] if place.late is None else [late_words(place.late, place.raters, t)]
    return html.li(
        {"key": f"detail-{each.appearance.id}"},
        html.span({"class": "work"}, html.b(each.appearance.name), html.small(", ".join(about))),
        html.span({"class": "dots"}),
        html.span(t("plain mean {mean}").format(mean=place.mean)),
    )


def _share(counts: RecommendationCounts, t: Texts) -> tuple[Markup, ...]:
    """Return the share of recommendations for advancing the performer, also as a bar."""
    label, count = html.span(f"{t('send on')} "), counts.up + counts.down
    if not count:
        return label, NOTHING
    share = percent(counts.up, count)
    return label, f"{share}{HARD}%", html.i({"class": f"n-{share}", "aria-hidden": "true"})


SHOWN, GONE = fill({"hidden": False}), fill({"hidden": True})


def stage_slots(*, stage_id: int, number: int, language: str) -> SlotQuery:
    """Return the query for the viewer's own marks on a stage's page, with the page `number` of the ranking."""
    topics = ("account.<id>.ratings", f"ranking.{stage_id}")
    return slot_query(stage_fills, topics=topics, stage_id=stage_id, number=number, language=language)


def stage_fills(*, viewer: Viewer, stage_id: int, number: int, language: str) -> Fills:
    """Return the viewer's own marks of a stage's performances with their states, and administrators' controls.

    A member who is not shown all figures of the stage gets the ranking of those whose figures the member sees.
    """
    if viewer.id is None:
        return {}
    fills: dict[str, Fill] = {ADMINISTRATORS: SHOWN} if viewer.is_admin else {}
    states = own_states(user_id=viewer.id, stage_id=stage_id)
    fills |= state_fills(states, language)
    if any(own.covers_others for own in states.values()):
        fills |= _covered(states, stage_id, number, language)
    for appearance_id, own in states.items():
        mark = own.ratings.mean
        if mark is None:
            continue
        fills[f"{OWN_DOT}:{appearance_id}"] = fill(
            {"hidden": False, "aria-hidden": "true", "value": own_position(mark)}
        )
        fills[f"{OWN_MARK}:{appearance_id}"] = fill({"hidden": False}, str(mark))
        if not own.is_covered:
            fills[f"{OWN_WAY}:{appearance_id}"] = GONE
    return fills


def _covered(states: Mapping[int, OwnState], stage_id: int, number: int, language: str) -> dict[str, Fill]:
    """Return the fills of the ranking and of its covered rows. Members who see the same figures share a part."""
    t = texts(language)
    seen = "-".join(str(pk) for pk, own in sorted(states.items()) if not own.is_covered)
    fills = {f"{RANKING}:{stage_id}": covered_by(own_ranking(stage_id, number, seen, language=language))}
    for appearance_id, own in states.items():
        if own.is_covered and own.marked:
            words = t("{n} of {all} marked").format(n=own.marked, all=own.pieces)
            fills[f"{COVERED_STATE}:{appearance_id}"] = fill(text=words)
            fills[f"{OWN_ASK}:{appearance_id}"] = fill(text=t("Finish to see"))
    if any(own.is_covered and own.state != PerformanceState.TO_COME for own in states.values()):
        fills[ALL_SCORES] = SHOWN
    return fills
