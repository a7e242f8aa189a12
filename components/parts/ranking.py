"""Shared parts of the audience ranking of a stage."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import default_avatars
from apps.competition.selectors.public.stages import StageName, stage_names
from apps.core.database.fields import venue_day, venue_zone
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.ranking.method import LEAST_RATERS
from apps.ranking.own_states import own_states
from apps.ranking.selectors import (
    Place,
    RankedPerformance,
    Run,
    blind_comparisons,
    performer_labels,
    places_of_participant,
    ranking_get,
    run_get,
)
from apps.ratings.selectors.counts import RecommendationCounts
from components.parts.ratings.covering import RANK
from components.parts.ratings.rating_form import keys_address
from components.parts.ratings.states import state_fills
from components.runtime import (
    Fill,
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    cached_markup,
    command_button,
    fill,
    html,
    public_part,
    read_once,
    read_together,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import link, nth, paging, visually_hidden
from components.ui.empty_states import no_marks
from components.ui.frames import HARD, section, title, unbroken_words
from components.ui.marks import KEYS, keys, own_position, sign_slot, strip, strip_key
from components.ui.people import cameo
from components.ui.venue_time import at_venue, day, day_month

ADMINISTRATORS = "administrators"  # the slots' name


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}", "stages", "sessions", "clock.minute"), outcome=True)
def stage_head(stage_id: int, *, language: str) -> VdomDict:
    """The time of the ranking, the stage's name, the number of counted marks, and links to the other stages."""
    t, stages, run = texts(language), stage_names(), read_once(run_get, stage_id=stage_id)
    here = next((each for each in stages if each.id == stage_id), None)
    if here is None:
        return html.header({"class": "sheet sheet--first"}, html.div({"class": "body"}, title(t("Stage not found."))))
    return html.header(
        {"class": "sheet sheet--first"},
        html.div({"class": "hang hang--low standing__made"}, *_made(run, language)),
        html.div(
            {"class": "body"},
            title(*unbroken_words(here.name)),
            html.p({"class": "standing__lead"}, _lead(run, t)),
            _blind(run, t),
            _stages(stages, here, language),
            _administration(here, run, t),
        ),
    )


def _made(run: Run | None, language: str) -> list[Markup]:
    """Return the time of the ranking, and whether it is final or its last update failed."""
    t = texts(language)
    if run is None:
        return []
    if run.final_at is not None:
        when = day(run.final_at, zone=venue_zone(), language=language)
        return [_said(t("Closed on {time}. Marks given later do not change this ranking."), when)]
    when = _time(run.made_at, language)
    if run.failed_at is not None:
        return [_said(t("The last count failed. This is the ranking of {time}."), when)]
    return [_said(t("Made {time}, anew while marks come in."), when)]


def _said(words: str, when: VdomDict) -> VdomDict:
    before, _, after = words.partition("{time}")
    return html.p(before, when, after)


def _time(at: datetime, language: str) -> VdomDict:
    """Return the time at the venue, with the date unless it is today."""
    since, until = venue_day(timezone.now())
    return at_venue(at, zone=venue_zone(), language=language, has_date=not since <= at < until)


def _lead(run: Run | None, t: Texts) -> str:
    if run is None:
        return t("The audience ranking.")
    marks = t.plural("{n} mark", "{n} marks", run.marks).format(n=f"{run.marks:,}")
    people = t.plural("{n} listener", "{n} listeners", run.raters).format(n=f"{run.raters:,}")
    return t("The audience ranking: {marks} by {listeners}.").format(marks=marks, listeners=people)


def _blind(run: Run | None, t: Texts) -> Markup:
    """Return how many of the marks that count were made blind."""
    if run is None or run.blind is None or not run.marks:
        return None
    words = t.plural("{blind} of {n} rating was made blind.", "{blind} of {n} ratings were made blind.", run.marks)
    made = words.format(blind=f"{run.blind:,}", n=f"{run.marks:,}")
    return html.p({"class": "small muted"}, made, " ", link("/stages/method#blind", t("What that means")))


def _stages(stages: Sequence[StageName], here: StageName, language: str) -> VdomDict:
    """Return links to all stages; a future stage is a text with its first day."""
    t, now = texts(language), timezone.now()
    ways = [_stage(each, language, is_here=each is here, now=now) for each in stages]
    return html.nav({"class": "standing__stages", "aria-label": t("Stages")}, *ways)


def _stage(stage: StageName, language: str, *, is_here: bool, now: datetime) -> VdomDict:
    key, begins = {"key": f"stage-{stage.id}"}, stage.begins_at
    if is_here or (begins is not None and begins <= now):
        current = {"aria-current": "page"} if is_here else {}
        return html.a({"class": "link", "href": f"/stages/{stage.id}"} | key | current, stage.name)
    if begins is None:
        return html.span({"class": "muted"} | key, stage.name)
    since = day_month(begins, zone=venue_zone(), language=language)
    words = texts(language)("{stage}, from {day}").format(stage=stage.name, day=since)
    return html.span({"class": "muted"} | key, words)


def _administration(stage: StageName, run: Run | None, t: Texts) -> Markup:
    """Return the controls of a ranking; a slot shows them to administrators."""
    if run is None:
        return None
    return html.div(
        {"class": "row standing__acts", "hidden": True, "data-answers": ""} | slot(ADMINISTRATORS, "ranking"),
        _reopen(stage, t) if run.final_at is not None else _close(stage, t),
        link(f"/admin?tab=quarantine&stage={stage.id}", t("Quarantine")),
        html.p({"data-answer": "", "role": "status"}),
    )


def _close(stage: StageName, t: Texts) -> VdomDict:
    """Return the button that closes the ranking. The service asks first, with the number of marks left out."""
    asked = command_button("ranking_close", stage.id, busy=t("Processing..."))
    ask = t("Close the ranking of {stage}?").format(stage=stage.name)
    own = {"class": "button button--plain button--small", "data-ask": ask, "data-ask-yes": t("Close the ranking")}
    return html.button(own | asked, t("Close the ranking"))


def _reopen(stage: StageName, t: Texts) -> VdomDict:
    asked = command_button(
        "ranking_reopen",
        stage.id,
        busy=t("Processing..."),
        confirm=t("Open the ranking of {stage} again?").format(stage=stage.name),
        words=t("It is counted anew, with all marks given since."),
        yes=t("Open it again"),
    )
    return html.button({"class": "button button--plain button--small"} | asked, t("Open the ranking again"))


OWN_DOT, OWN_MARK, OWN_WAY = "stage_dot", "stage_mark", "stage_way"  # the slots' names
MIDDLE = (KEYS + 1) // 2
NOTHING = "–"
THIN = "\u202f"  # a narrow space that never breaks
# Topics besides the ranking: names, sessions, performers and recommendations change between two runs.
FURTHER_TOPICS = ("live", "featured_participants", "clock.minute")


@public_part(topics=lambda stage_id, *_: (f"ranking.{stage_id}", *FURTHER_TOPICS), outcome=True)
def stage_ranking(stage_id: int, number: int, *, language: str) -> VdomDict:
    """A page of performances by rank, followed by those with too few raters."""
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
        html.p({"class": "keynote"}, strip_key(), t("the audience’s score, and where it lies nine times in ten")),
        html.p({"class": "keynote"}, strip_key(is_own=True), t("your mark")),
    )


def _table(shown: Sequence[RankedPerformance], language: str) -> VdomDict:
    t, labels = texts(language), performer_labels(each.appearance for each in shown)
    picture = read_once(default_avatars).participant_avatar_url  # for participants without one
    rows = (_row(each, labels[each.appearance.id], picture, language) for each in shown)
    return html.table(
        {"class": "rank"},
        html.caption({"class": "visually-hidden"}, t("Audience ranking, by rank")),
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
    """Return the rank, whether it is shared, and the range in which it lies nine times in ten."""
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
    """Return the slot of the viewer's mark, and the link to rate, which is shown until there is a mark."""
    appearance = each.appearance
    to = keys_address(appearance.session_id, appearance.id)
    way = {"class": "link", "href": to, "aria-label": t("Rate {name}").format(name=label)}
    return (
        html.b({"hidden": True} | slot(OWN_MARK, appearance.id)),
        html.a(way | slot(OWN_WAY, appearance.id), t("rate")),
        sign_slot(appearance.id, look="sign--key"),
    )


def _share(counts: RecommendationCounts, t: Texts) -> tuple[Markup, ...]:
    """Return the share of recommendations for advancing the performer, also as a bar."""
    label, said = html.span(f"{t('send on')} "), counts.up + counts.down
    if not said:
        return label, NOTHING
    share = int((Decimal(100 * counts.up) / said).quantize(Decimal(1), ROUND_HALF_UP))
    return label, f"{share}{HARD}%", html.i({"class": f"n-{share}", "aria-hidden": "true"})


SHOWN, GONE = fill({"hidden": False}), fill({"hidden": True})


def stage_slots(*, stage_id: int, language: str) -> SlotQuery:
    """Return the query for the viewer's own marks on a stage's page."""
    return slot_query(
        stage_fills, topics=("account.<id>.ratings", f"ranking.{stage_id}"), stage_id=stage_id, language=language
    )


def stage_fills(*, viewer: Viewer, stage_id: int, language: str) -> Fills:
    """Return the viewer's own marks of a stage's performances with their states, and administrators' controls."""
    if viewer.id is None:
        return {}
    fills: dict[str, Fill] = {ADMINISTRATORS: SHOWN} if viewer.is_admin else {}
    states = own_states(user_id=viewer.id, stage_id=stage_id)
    fills |= state_fills(states, language)
    for appearance_id, mark in ((pk, own.ratings.mean) for pk, own in states.items()):
        if mark is None:
            continue
        fills[f"{OWN_DOT}:{appearance_id}"] = fill(
            {"hidden": False, "aria-hidden": "true", "value": own_position(mark)}
        )
        fills[f"{OWN_MARK}:{appearance_id}"] = fill({"hidden": False}, str(mark))
        fills[f"{OWN_WAY}:{appearance_id}"] = GONE
    return fills


def _places_read(participant_ids: tuple[int, ...]) -> Mapping[int, Mapping[int, Place]]:
    """Return the places of these participants' performances, by participant and appearance. One query for each."""
    return {pk: places_of_participant(participant_id=pk) for pk in participant_ids}


@public_part(
    topics=lambda participant_id, appearance_id, stage_id, stage: (f"ranking.{stage_id}",),  # noqa: ARG005 - a part gets all
    together=_places_read,
    outcome=True,
)
def performance_rank(participant_id: int, appearance_id: int, stage_id: int, stage: str, *, language: str) -> VdomDict:
    """The line with the rank and its range; a hidden element for a performance without a rank."""
    found = read_together(_places_read, participant_id) or {}
    place = found.get(appearance_id)
    if place is None or place.rank is None:
        return html.p({"hidden": True})
    return html.p(
        {"class": "performance__place"}, html.a({"href": f"/stages/{stage_id}"}, _words(place, stage, texts(language)))
    )


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner part does
def performance_place(participant_id: int, appearance_id: int, stage_id: int, stage: str, *, language: str) -> VdomDict:
    """The line with the rank, in a slot that is covered for members who have not marked the performance."""
    ref = performance_rank(participant_id, appearance_id, stage_id, stage, language=language)
    return html.div({"class": "performance__rank"} | slot(RANK, appearance_id), shared_part(ref))


def _words(place: Place, stage: str, t: Texts) -> str:
    words = {"rank": nth(place.rank or 0, t), "stage": stage}
    if place.lowest is None or place.highest is None or place.lowest == place.highest:
        return t("{rank} in {stage}").format(**words)
    ends = {"lowest": nth(place.lowest, t), "highest": nth(place.highest, t)}
    return t("{rank} in {stage}, {lowest} to {highest}").format(**words, **ends)


@public_part(topics=lambda: ("stages", "clock.minute"))
def blind_differences(*, language: str) -> VdomDict:
    """How blind marks differ from the others, for each stage with enough of both; hidden without any."""
    t, found = texts(language), blind_comparisons()
    if not found:
        return html.p({"hidden": True})
    words = t("{stage}: blind marks are {difference} points higher, nine times in ten between {lowest} and {highest}.")
    lines = (
        words.format(stage=each.stage, difference=each.difference, lowest=each.lowest, highest=each.highest)
        for each in found
    )
    note = t("Each mark is compared with the mean of its performance. A number below zero means lower.")
    return html.div(*(html.p({"key": line}, line) for line in lines), html.p({"class": "small muted"}, note))


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}",), outcome=True)
def stage_tally(stage_id: int, *, language: str) -> VdomDict:
    """How many marks do not count and why, without their authors, and the downloads; empty before the first run."""
    t, run = texts(language), read_once(run_get, stage_id=stage_id)
    if run is None:
        return html.div({"hidden": True})
    return html.div(_not_counted(run, t), _files(stage_id, t))


def _not_counted(run: Run, t: Texts) -> VdomDict:
    lines = (
        html.div({"key": reason.value}, html.dt(t(str(reason.label))), html.dd(f"{count:,}"))
        for reason, count in run.not_counted.items()
    )
    return section(t("What does not count yet"), html.div({"class": "body"}, html.dl({"class": "tally"}, *lines)))


def _files(stage_id: int, t: Texts) -> VdomDict:
    to = f"/stages/{stage_id}"
    lines = (
        _line("marks", t("The marks"), t("without names"), _file(to, "marks.csv")),
        _line("ranking", t("The ranking"), "", _file(to, "ranking.csv"), _file(to, "ranking.json")),
        _line("method", t("The program that computes it"), "", _file(to, "ranking.py")),
    )
    run = html.p({"class": "small muted standing__run"}, html.code(f"python ranking.py marks-{stage_id}.csv"))
    return section(t("To check it yourself"), html.div({"class": "body"}, html.ul({"class": "lines"}, *lines), run))


def _file(to: str, name: str) -> VdomDict:
    return html.a({"class": "link", "href": f"{to}/{name}", "download": True}, name)


def _line(name: str, what: str, more: str, *ways: Markup) -> VdomDict:
    about = html.span({"class": "work__key"}, more) if more else None
    return html.li(
        {"key": name},
        html.span({"class": "work"}, html.b(what), " ", about),
        html.span({"class": "dots"}),
        html.span({"class": "row"}, *ways),
    )
