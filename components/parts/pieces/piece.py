"""The performances of one piece, each with the audience's marks of it and the viewer's own.

A performance as part of a set has the marks of the set, which count neither in the piece's figures nor in its orders.
A member sees the audience's marks of a performance after the own mark, as in the rating form (`covering.py`); the order
by mark is that of the own marks then.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from urllib.parse import urlencode

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.pieces import (
    PieceDetails,
    PiecePerformance,
    PieceSection,
    piece_details,
    piece_get,
    piece_performances,
)
from apps.core.database.fields import venue_zone
from apps.core.rounding import rounded
from apps.core.texts import Texts, texts
from apps.ratings.selectors.pieces import Marked, OwnHearing, heard_figures, heard_own
from apps.ratings.selectors.statistics import NO_PIECES, Figures
from components.parts.people import oval
from components.parts.pieces.catalogue import aliases_of, all_pieces, numbering
from components.parts.pieces.facts import performance_piano, piece_about
from components.parts.ratings.covering import PIECE_ASK, PIECE_FIGURES, show_button
from components.parts.ratings.performance import EVERY, with_most_often
from components.parts.ratings.standing_words import IN_WORDS
from components.runtime import (
    Fill,
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    covered,
    covered_by,
    fill,
    html,
    public_part,
    read_once,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import badge, ordinal, tabs, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames import section, title, unbroken_pair, unbroken_words
from components.ui.marks import KEYS, mean_key, string_lengths, strings
from components.ui.people import performer_link, person, with_names
from components.ui.pieces import composer, other_composer, piece_link, video_second, watch_link, work
from components.ui.venue_time import day_month

HANDS, OWN_MARK, OWN_SET, RATE = "hands", "hand_mark", "hand_set", "hand_rate"  # the slots' names
WATCH = "watch"  # the id of the player's section, and the field of the address
TICK = "tick-"  # with a performance's id the name of the box that chooses it for a comparison
TOGETHER = 50  # rows of one part
NOT_FOUND = "Piece not found."  # a source of gettext


class PieceOrder(StrEnum):
    """The orders of a piece's performances."""

    DATE = "date"
    MARK = "mark"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which performances of a piece a page shows; a `stage_id` of 0 is every stage."""

    piece_id: int
    order: PieceOrder = PieceOrder.DATE
    stage_id: int = 0

    def address(self, **more: int) -> str:
        """Return the address of the page that shows them."""
        fields = {"sort": self.order.value} if self.order is not PieceOrder.DATE else {}
        fields |= {"stage": str(self.stage_id)} if self.stage_id else {}
        fields |= {name: str(value) for name, value in more.items()}
        return f"/pieces/{self.piece_id}" + (f"?{urlencode(fields)}" if fields else "")

    def among(self, performances: Sequence[PiecePerformance]) -> list[PiecePerformance]:
        """Return the performances of the stage."""
        return [each for each in performances if self.stage_id in (0, each.stage_id)]

    def in_order(
        self, performances: Sequence[PiecePerformance], marks: Mapping[int, Decimal | int | None]
    ) -> list[PiecePerformance]:
        """Return the performances of the stage in this order, those to come at the end; `marks` are by appearance."""
        found = self.among(performances)  # the newest first
        if self.order is PieceOrder.NAME:
            found.sort(key=lambda each: (each.sort_name, each.appearance.id))
        if self.order is PieceOrder.MARK:
            found.sort(key=lambda each: marks.get(each.appearance.id) or 0, reverse=True)
        begun = [each for each in found if each.appearance.has_begun]
        coming = [each for each in reversed(self.among(performances)) if not each.appearance.has_begun]
        return begun + coming


def performances_topics(piece_id: int, *_others: object) -> tuple[str, ...]:
    """Return the topics of a piece's performances and marks."""
    competition = ("pieces", "programs", "sessions", "stages", "live", "featured_participants")
    return (f"piece.{piece_id}", *competition, "clock.minute")  # the clock, because sessions begin


def _performances(piece_id: int) -> tuple[PiecePerformance, ...]:
    return read_once(piece_performances, piece_id=piece_id)


def _figures(piece_id: int) -> Mapping[Marked, Figures]:
    return read_once(heard_figures, piece_id=piece_id)


def _figures_of(each: PiecePerformance, figures: Mapping[Marked, Figures]) -> Figures:
    return figures.get((each.appearance.id, each.marked_id), NO_PIECES)


@public_part(topics=lambda _piece_id: ("pieces",))
def piece_head(piece_id: int, *, language: str) -> VdomDict:
    """Composer, title, other names, usual length and parts of a piece."""
    t, details = texts(language), piece_details(piece_id=piece_id)
    if details is None:
        return html.div({"class": "body"}, title(t(NOT_FOUND)))
    piece = details.piece
    by = other_composer(piece)
    return html.div(
        {"class": "body"},
        html.p({"class": "composer"}, html.b(by)) if by else composer(),
        html.div({"class": "piece-title"}, title(work(replace(piece, composer=""), language=language))),
        html.p({"class": "muted"}, *_other_names(piece, t), *_length(details, t), all_pieces(t)),
        _sections(details, language),
        *piece_about(piece_id, t),
    )


def _length(details: PieceDetails, t: Texts) -> list[Markup]:
    if details.minutes is None:
        return []
    minutes = max(1, int(rounded(details.minutes, places=0)))
    return [t.plural("About one minute.", "About %(n)d minutes.", minutes), " "]


def _sections(details: PieceDetails, language: str) -> Markup:
    """Return the movements or sections with roman numbers, or the pieces of a set as links."""
    if not details.sections:
        return None
    rows = (_section(each, number, language) for number, each in enumerate(details.sections))
    t, is_set = texts(language), any(each.piece for each in details.sections)
    name, look = (t("Pieces"), "sections sections--set") if is_set else (t("Parts"), "sections")
    return html.ol({"class": look, "aria-label": name}, *rows)


def _section(each: PieceSection, number: int, language: str) -> VdomDict:
    shown = piece_link(each.piece, language=language) if each.piece else html.em(each.name)
    return html.li({"key": f"section-{number}"}, shown)


def _other_names(piece: PieceTitle, t: Texts) -> list[Markup]:
    aliases = aliases_of(piece)
    nicknames, number = ", ".join(aliases.nicknames), numbering(aliases, t)
    names = [*with_names(t("Also called {names}."), names=nicknames), " "] if nicknames else []
    return [*names, f"{number[:1].upper()}{number[1:]}. "] if number else names


@public_part(topics=performances_topics, every=EVERY)
def piece_played(piece_id: int, *, language: str) -> VdomDict:
    """How many played a piece, also in sets, and how many marks it has itself; empty before the first performance."""
    t = texts(language)
    begun = {each.appearance.participant_id for each in _performances(piece_id) if each.appearance.has_begun}
    if not begun:
        return html.p()
    players = unbroken_pair(t.plural("one performer", "%(n)d performers", len(begun)))
    count = sum(each.count for (_, marked_id), each in _figures(piece_id).items() if marked_id == piece_id)
    marks = unbroken_pair(t.plural("%(n)d mark", "%(n)d marks", count))
    return html.p(t("Played by {performers}, {marks}.").format(performers=players, marks=marks))


@public_part(topics=lambda _piece_id, appearance_id: (f"session_participant.{appearance_id}.ratings",), every=EVERY)
def piece_hand(piece_id: int, appearance_id: int, *, language: str) -> VdomDict:
    """The audience's marks of a piece in one performance: strings over the keys, the most frequent and the average."""
    t, figures = texts(language), _figures(piece_id).get((appearance_id, piece_id), NO_PIECES)
    if figures.mean is None:
        return _hand(strings([0.0] * KEYS), t("no marks yet"))
    words = with_most_often(_count(figures, t), figures, t)
    mean = html.p(
        {"class": "hands__mean"}, html.span({"class": "small muted"}, f"{t('audience')} "), html.b(str(figures.mean))
    )
    return _hand(strings(string_lengths(figures.distribution), mean=mean_key(figures.mean)), words, mean)


@public_part(topics=lambda *ids: (f"session_participant.{ids[-1]}.ratings",), every=EVERY)
def set_hand(piece_id: int, set_id: int, appearance_id: int, *, language: str) -> VdomDict:
    """The audience's average mark of the set in one performance, in words."""
    t, figures = texts(language), _figures(piece_id).get((appearance_id, set_id), NO_PIECES)
    if figures.mean is None:
        return html.span(t("No marks yet"))
    return html.span(f"{t('Audience')} ", html.b(str(figures.mean)))


def _hand(board: VdomDict, words: Markup, mean: Markup = None) -> VdomDict:
    return html.div({"class": "hands__audience"}, board, html.p({"class": "small muted"}, words), mean)


def _count(figures: Figures, t: Texts) -> str:
    return t.plural("%(n)d mark", "%(n)d marks", figures.count)


@public_part(topics=performances_topics, every=EVERY)
def hands_some(piece_id: int, order: str, stage_id: int, own: str, start: int, *, language: str) -> VdomDict:
    """The performances of a piece from the place `start` on, at most TOGETHER: a part holds so many others only."""
    t, shown = texts(language), Selection(piece_id, PieceOrder(order), stage_id)
    rows, figures = _rows(shown, own)[start : start + TOGETHER], _figures(piece_id)
    piece = read_once(piece_get, piece_id=piece_id)
    compared = _comparable(_performances(piece_id))
    return html.ol(
        {"class": "hands hands--ticked" if compared else "hands"},
        *(
            _row(each, _figures_of(each, figures), piece, shown, language, tick=_tick(each, shown.piece_id, t))
            if each.appearance.id in compared
            else _row(each, _figures_of(each, figures), piece, shown, language)
            for each in rows
        ),
    )


@public_part(topics=performances_topics, every=EVERY)
def hands_in_order(piece_id: int, order: str, stage_id: int, own: str, *, language: str) -> VdomDict:
    """The performances of a piece; `own` are those that a member has marked, the highest first: "17-12"."""
    t, count = texts(language), len(_rows(Selection(piece_id, PieceOrder(order), stage_id), own))
    if not count:
        words = t("Nobody plays it in this stage.")
        words = words if _performances(piece_id) else t("Nobody has this piece in the program.")
        return html.div(empty(words, ("/pieces", t("All pieces"))))
    starts = range(0, count, TOGETHER)
    return html.div(
        *(shared_part(hands_some(piece_id, order, stage_id, own, start, language=language)) for start in starts)
    )


def _rows(shown: Selection, own: str) -> list[PiecePerformance]:
    marks: dict[int, Decimal | int | None] = own_means(shown.piece_id, _figures(shown.piece_id))
    if own:
        marks = {int(pk): place for place, pk in enumerate(reversed(own.split("-")), start=1)}
    return shown.in_order(_performances(shown.piece_id), marks)


def own_means(piece_id: int, figures: Mapping[Marked, Figures]) -> dict[int, Decimal | int | None]:
    """Return the averages of the piece's own marks by appearance, without those of sets."""
    return {appearance_id: each.mean for (appearance_id, marked_id), each in figures.items() if marked_id == piece_id}


def _comparable(performances: Sequence[PiecePerformance]) -> frozenset[int]:
    """Return the appearances that can be compared: of the piece itself, and begun; none if there is only one."""
    begun = [each.appearance.id for each in performances if each.appearance.has_begun and each.whole is None]
    return frozenset(begun if len(begun) > 1 else ())


def _tick(each: PiecePerformance, piece_id: int, t: Texts) -> VdomDict:
    """Return the box that chooses a performance for a comparison."""
    pk = str(each.appearance.id)
    own = {"type": "checkbox", "class": "tick", "name": f"{TICK}{pk}", "value": pk, "form": f"compare-{piece_id}"}
    label = t("Compare: {name}").format(name=each.appearance.name)
    return html.label({"class": "hands__tick"}, html.input(own | {"aria-label": label}))


def _row(
    each: PiecePerformance,
    figures: Figures,
    piece: PieceTitle | None,
    shown: Selection,
    language: str,
    *,
    tick: Markup = None,
) -> VdomDict:
    t, appearance = texts(language), each.appearance
    repeated = (" ", badge(t("repeated"), "quiet")) if appearance.is_repeated else ()
    who = played_by(each, html.h3, *repeated, language=language)
    key = {"key": f"hand-{appearance.id}"}
    if not appearance.has_begun:
        nth = ordinal(appearance.order_number, t)
        when = t("Plays {nth}. You can rate once it begins.").format(nth=nth)
        return html.li(key | {"class": "is-coming"}, who, html.p({"class": "hands__wait"}, when))
    watch = _watch(each, piece, shown, language)
    if each.whole is not None:
        return html.li(key, who, _heard_in_set(shown.piece_id, each, figures, t, language), watch)
    heard = _heard(shown.piece_id, each, figures, t, language)
    return html.li(key, tick, who, heard, _own(shown.piece_id, each, t), watch)


def played_by(each: PiecePerformance, heading: Callable[..., VdomDict], *more: Markup, language: str) -> VdomDict:
    """Return the performer with session and day; `heading` is the element of the name, `more` the end of the line."""
    appearance = each.appearance
    name = performer_link(appearance.participant_id, appearance.name)
    where = html.p(
        {"class": "person__from"},
        html.a({"href": f"/sessions/{each.session_id}"}, *unbroken_words(each.session)),
        ", ",
        day_month(each.starts_at, zone=venue_zone(), language=language),
        *more,
    )
    named = heading({"class": "person__name"}, name)
    piano = performance_piano(appearance, texts(language))
    return person(oval(appearance, "small"), named, *_as_part(each, language), where, piano)


def _as_part(each: PiecePerformance, language: str) -> list[Markup]:
    """Return the line with the set as part of which the piece was played."""
    if each.whole is None:
        return []
    words = texts(language)("as part of {set}")
    before, _, after = words.partition("{set}")
    return [html.p({"class": "hands__part"}, before, piece_link(each.whole, language=language), after)]


def _heard(piece_id: int, each: PiecePerformance, figures: Figures, t: Texts, language: str) -> VdomDict:
    """Return the audience's marks, and in their place, for who has not marked, their number and a button."""
    appearance = each.appearance
    place = f"{appearance.id}-{piece_id}"
    ask = show_button(appearance.id, appearance.name, t, t("Show the audience’s")) if figures.count else None
    words = [_count(figures, t), " ", ask] if figures.count else [t("no marks yet")]
    covered_hand = _hand(strings([0.0] * KEYS), html.span(*words))
    return html.div(
        {"class": "hands__heard"},
        html.div(slot(PIECE_FIGURES, place), shared_part(piece_hand(piece_id, appearance.id, language=language))),
        html.div({"class": "unfold", "hidden": True} | slot(PIECE_ASK, place), covered_hand),
    )


def _heard_in_set(piece_id: int, each: PiecePerformance, figures: Figures, t: Texts, language: str) -> VdomDict:
    """Return the marks of the set in one sentence: "Audience 18.6, you 20, for the three together"."""
    appearance, set_id = each.appearance, each.marked_id
    place = f"{appearance.id}-{set_id}"
    ask = show_button(appearance.id, appearance.name, t, t("Show the audience’s")) if figures.count else None
    count = _count(figures, t) if figures.count else t("No marks yet")
    hand = set_hand(piece_id, set_id, appearance.id, language=language)
    audience = (
        html.span(slot(PIECE_FIGURES, place), shared_part(hand)),
        html.span({"hidden": True} | slot(PIECE_ASK, place), count, " ", ask),
    )
    you = html.span({"hidden": True} | slot(OWN_SET, place), f", {t('you')} ", html.b(slot(OWN_MARK, place)))
    together = t("for the {number} together").format(number=_in_words(each.size, t))
    return html.p({"class": "hands__set"}, *audience, you, f", {together}. ", _rate(each, place, t))


def _in_words(number: int, t: Texts) -> str:
    return t(IN_WORDS[number]) if number < len(IN_WORDS) else str(number)


def _own(piece_id: int, each: PiecePerformance, t: Texts) -> VdomDict:
    """Return the viewer's mark, or the way to the keys of the performance."""
    place = f"{each.appearance.id}-{piece_id}"
    mark = html.b({"hidden": True} | slot(OWN_MARK, place))
    you = html.span({"class": "small muted"}, f"{t('you')} ")
    return html.p({"class": "hands__you"}, you, mark, _rate(each, place, t))


def _rate(each: PiecePerformance, place: str, t: Texts) -> VdomDict:
    """Return the way to the keys of the performance, which is hidden after the viewer's mark."""
    appearance = each.appearance
    to = f"/participants/{appearance.participant_id}?open={appearance.id}#rating-{appearance.id}"
    name = visually_hidden(f" {appearance.name}", has_name=True)
    return html.a({"class": "link", "href": to} | slot(RATE, place), t("rate"), name)


def _watch(each: PiecePerformance, piece: PieceTitle | None, shown: Selection, language: str) -> Markup:
    if not each.video_id or piece is None:
        return None
    at = video_second(each.second) if each.second else ""
    to = f"{shown.address(watch=each.appearance.id)}#{WATCH}"
    return watch_link(to, piece, language=language, whose=each.appearance.name, at=at, attributes={})


@public_part(topics=performances_topics, every=EVERY)
def piece_hands(piece_id: int, order: str, stage_id: int, *, language: str) -> VdomDict:
    """The section of a piece's performances: the choices of order and stage, and the list."""
    t, shown, performances = texts(language), Selection(piece_id, PieceOrder(order), stage_id), _performances(piece_id)
    rows = shared_part(hands_in_order(piece_id, order, stage_id, "", language=language))
    note = html.p(t("The longer the string, the more often this mark was given. Brass key: the average."))
    return section(
        t("Every pair of hands"),
        html.div(
            {"class": "body"},
            html.div({"class": "hands__ways"}, *_ways(shown, performances, t)) if performances else None,
            html.div(slot(HANDS, piece_id), rows),
            _compare(piece_id, performances, t),
            html.p({"class": "small", "data-answer": "", "role": "status"}),
        ),
        aside=note,
    )


def _compare(piece_id: int, performances: Sequence[PiecePerformance], t: Texts) -> Markup:
    """Return the form that compares the ticked performances; None before there are two."""
    if not _comparable(performances):
        return None
    return html.form(
        {
            "class": "hands__compare row",
            "method": "get",
            "id": f"compare-{piece_id}",
            "action": f"/pieces/{piece_id}/compare",
        },
        html.button({"class": "button button--plain", "type": "submit"}, t("Compare")),
        html.span({"class": "small muted"}, t("Tick two or three to hear them side by side.")),
    )


def _ways(shown: Selection, performances: Sequence[PiecePerformance], t: Texts) -> list[Markup]:
    names = {PieceOrder.DATE: t("Newest"), PieceOrder.MARK: t("Highest"), PieceOrder.NAME: t("Name")}
    orders = (
        html.a(
            {"key": order.value, "href": Selection(shown.piece_id, order, shown.stage_id).address(), "data-stay": ""}
            | ({"aria-current": "true"} if order is shown.order else {}),
            words,
        )
        for order, words in names.items()
    )
    ways: list[Markup] = [html.nav({"class": "switch", "aria-label": t("Order")}, *orders)]
    stages = {each.stage_id: each.stage for each in reversed(performances)}
    if len(stages) > 1 or shown.stage_id:
        every = [(Selection(shown.piece_id, shown.order).address(), t("All stages"))]
        every += [(Selection(shown.piece_id, shown.order, pk).address(), name) for pk, name in stages.items()]
        ways.append(tabs(t("Stages"), every, shown.address()))
    return ways


def piece_slots(*, piece_id: int, order: str, stage_id: int, language: str) -> SlotQuery:
    """Return the query for the viewer's marks of a piece, and for what is covered."""
    which = {"piece_id": piece_id, "order": order, "stage_id": stage_id}
    return slot_query(piece_fills, topics=("account.<id>.ratings",), language=language, **which)


def piece_fills(*, viewer: Viewer, piece_id: int, order: str, stage_id: int, language: str) -> Fills:
    """Return the viewer's marks of a piece, and the covers of the audience's until then. One query."""
    if viewer.id is None:
        return {}
    own = heard_own(user_id=viewer.id, piece_id=piece_id)
    covers = not all(each.is_seen for each in own.values())
    fills: dict[str, Fill] = {PIECE_FIGURES: covered(), PIECE_ASK: fill({"hidden": False})} if covers else {}
    for (appearance_id, marked_id), each in own.items():
        place = f"{appearance_id}-{marked_id}"
        if covers and each.is_seen:
            fills |= {f"{PIECE_FIGURES}:{place}": fill(), f"{PIECE_ASK}:{place}": fill({"hidden": True})}
        if each.mark is not None:
            fills[f"{OWN_MARK}:{place}"] = fill({"hidden": False}, str(each.mark))
            fills[f"{RATE}:{place}"] = fill({"hidden": True})
            if marked_id != piece_id:
                fills[f"{OWN_SET}:{place}"] = fill({"hidden": False})
    if covers and order == PieceOrder.MARK:
        rows = hands_in_order(piece_id, order, stage_id, _by_own_mark(piece_id, own), language=language)
        fills[f"{HANDS}:{piece_id}"] = covered_by(rows)
    return fills


def _by_own_mark(piece_id: int, own: Mapping[Marked, OwnHearing]) -> str:
    """Return the appearances in which the viewer has marked the piece itself, the highest first; "0" without any."""
    marks = ((each.mark, pk) for (pk, marked_id), each in own.items() if marked_id == piece_id)
    marked = [(mark, pk) for mark, pk in marks if mark is not None]
    return "-".join(str(pk) for _, pk in sorted(marked, reverse=True)) or "0"
