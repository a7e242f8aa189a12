"""My Ratings: what the viewer has marked, by stage, beside the audience."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from apps.competition.selectors.public.participants import PieceTitle
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.ranking.ledger import LedgerRow, LedgerSort, LedgerStage, biggest_differences, ledger_get
from apps.ranking.selectors.figures import Basis
from apps.ratings.enums import PerformanceState, QuickRating
from apps.ratings.selectors.own import OwnRatings
from apps.ratings.selectors.statistics import Mark
from components.parts.ratings.covering import show_button
from components.parts.ratings.performance import basis_note, basis_words
from components.parts.ratings.rating_rows import (
    hidden_badge,
    mark_delete_button,
    pieces_count,
    rating_delete_button,
    state_badge,
)
from components.parts.ratings.states import state_words
from components.runtime import Markup, VdomDict, component, html, use_live_query, use_viewer
from components.ui.blocks import badge, link, nth, visually_hidden
from components.ui.empty_states import no_marks
from components.ui.marks import five_keys, mark, sign
from components.ui.people import person_name
from components.ui.pieces import work
from components.ui.venue_time import day

Ledger = tuple[LedgerStage, ...]
RATINGS = "ratings"  # the address's `tab`
ADDRESS = f"/profile?tab={RATINGS}"
DELETE: dict[str, object] = {"class": "link says__delete"}
ORDERS = {  # sources of gettext
    LedgerSort.PLAYED: "order played",
    LedgerSort.MARK: "your mark",
    LedgerSort.DIFFERENCE: "difference",
}

SIGNS = {  # sources of gettext
    PerformanceState.MARKED: "marked",
    PerformanceState.CHANGED: "changed, not sent",
    PerformanceState.SUBMITTED: "waits for approval",
    PerformanceState.SHOWN: "shown",
    PerformanceState.COUNTS: "counts",
}


@component
def my_ratings(sort: LedgerSort, show: str, initial: Ledger, language: str) -> VdomDict:
    """Render the viewer's marks by stage, kept current with the viewer's own rows; `show` selects those of one state.

    The audience's figures are those of the newest such read: a mark of another person does not read the ledger again.
    """
    t, account_id = texts(language), use_viewer().id or 0
    topics = (f"account.{account_id}.ratings",)
    stages = use_live_query(ledger_get, topics=topics, initial=initial, account_id=account_id)
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("My Ratings")), _orders(sort, show, t) if stages else None),
        html.div(
            {"class": "body"},
            html.p({"class": "small", "data-answer": "", "role": "status"}),
            *([_count(stages, sort, show, language), _key(stages, t), _differences(stages, t)] if stages else []),
            *(_stage(each, sort, show, language) for each in stages if any(_is_shown(row, show) for row in each.rows)),
            None if stages else no_marks(t("You have not rated anything yet.")),
        ),
    )


YET = {  # sources of gettext; the states of marks that do not count yet, in the order of what is left to do
    PerformanceState.MARKED: ("{n} not submitted", "{n} not submitted"),
    PerformanceState.CHANGED: ("{n} changed and not sent", "{n} changed and not sent"),
    PerformanceState.SUBMITTED: ("{n} waits for approval", "{n} wait for approval"),
    PerformanceState.SHOWN: ("{n} shown, and needs more", "{n} shown, and need more"),
}


def shown_state(value: str) -> str:
    """Return the state of an address, empty for an unknown one."""
    return value if value in {state.value for state in YET} else ""


def _state(row: LedgerRow) -> str:
    """Return the state of a row as the address names it; empty for marks that count, or will not."""
    own = row.own
    is_closed = own.standing is not None and own.standing.after_closing is not None
    return own.state.value if own.state in YET and not is_closed else ""


def _is_shown(row: LedgerRow, show: str) -> bool:
    return not show or _state(row) == show


def _count(stages: Ledger, sort: LedgerSort, show: str, language: str) -> VdomDict:
    """Return the number of marked performances, and why some do not count yet: each reason is a link to its rows."""
    t, rows = texts(language), [row for stage in stages for row in stage.rows]
    number = t.plural("{n} performance.", "{n} performances.", len(rows)).format(n=len(rows))
    reasons = [_reason(state, rows, sort, show, language) for state in YET if any(_state(r) == state for r in rows)]
    waiting = sum(bool(_state(row)) for row in rows)
    if not reasons:
        return html.p({"class": "lead"}, number)
    yet = t.plural("{n} does not count yet:", "{n} do not count yet:", waiting).format(n=waiting)
    every = (" · ", link(_address(sort, ""), t("Show all"))) if show else ()
    return html.p({"class": "lead"}, f"{number} {yet} ", *_listed(reasons), *every)


def _listed(words: Sequence[VdomDict]) -> Iterator[Markup]:
    """Return these elements with commas between them."""
    for number, each in enumerate(words):
        yield from (", ", each) if number else (each,)


def _reason(state: PerformanceState, rows: Sequence[LedgerRow], sort: LedgerSort, show: str, language: str) -> VdomDict:
    """Return the link to the rows of a state: their number, and why they do not count yet."""
    t, found = texts(language), [row for row in rows if _state(row) == state]
    words = t.plural(*YET[state], len(found)).format(n=len(found))
    needs = {state_words(row.own, language) for row in found}
    if state == PerformanceState.SHOWN and len(needs) == 1:
        words = f"{t('{n} shown').format(n=len(found))} ({needs.pop()})"
    current = {"aria-current": "true"} if show == state.value else {}
    return html.a({"class": "link", "href": _address(sort, state.value), "key": state.value} | current, words)


def _address(sort: LedgerSort, show: str) -> str:
    """Return the address of the ledger in this order, with the rows of one state; empty shows all."""
    fields = {"sort": sort.value, "show": show}
    return "&".join([ADDRESS, *(f"{name}={value}" for name, value in fields.items() if value)])


def _key(stages: Ledger, t: Texts) -> VdomDict:
    """Return what each sign means: on a phone a row has the sign alone, and an average of the same pieces a star."""
    signs = (sign(state.value, t(words)) for state, words in SIGNS.items())
    has_star = any(_is_of_same(row) for stage in stages for row in stage.rows)
    star = html.span({"class": "muted", "aria-hidden": "true"}, "* ", t("of the same pieces")) if has_star else None
    return html.p({"class": "row small mine__signs"}, *signs, star)


def _is_of_same(row: LedgerRow) -> bool:
    return not row.own.is_covered and row.audience.value is not None and row.audience.basis is Basis.SAME


def _orders(sort: LedgerSort, show: str, t: Texts) -> VdomDict:
    """Return the links that sort the rows."""

    def way(order: LedgerSort) -> VdomDict:
        to = _address(order, show)
        current = {"aria-current": "true"} if order == sort else {}
        return html.a({"class": "link", "href": to, "key": to} | current, t(ORDERS[order]))

    name = t("Sort by")
    ways = html.div({"class": "row"}, *map(way, LedgerSort))
    return html.nav({"class": "small mine__orders", "aria-label": name}, name, ways)


def _differences(stages: Ledger, t: Texts) -> Markup:
    """Return the biggest differences between the viewer and the audience, None without any."""
    rows = biggest_differences(stages)
    lines = (
        html.li(
            {"key": f"{row.place.id}"},
            html.b(_signed(row.difference)),
            " ",
            link(_there(row), person_name(row.place.name)),
            " ",
            html.small(*_both(row, t)),
        )
        for row in rows
    )
    return html.ol({"class": "row most", "aria-label": t("Where you differ most")}, *lines) if rows else None


def _both(row: LedgerRow, t: Texts) -> tuple[Markup, ...]:
    words = t("you {own}, audience {audience}").format(own=row.mean, audience=row.audience.value)
    return words, _note(row, t)


def _stage(stage: LedgerStage, sort: LedgerSort, show: str, language: str) -> VdomDict:
    t = texts(language)
    count = t("{n} of {all}").format(n=len(stage.rows), all=stage.performances)
    columns = ("", t("Performer"), t("You"), t("Your rank"), t("Audience"), "+/−", t("State"))
    return html.section(
        {"key": f"stage-{stage.id}"},
        html.div(
            {"class": "row row--apart mine__stage"},
            html.h3(stage.name),
            html.p({"class": "small muted"}, count, " · ", link(f"/stages/{stage.id}", t("Ranking"))),
        ),
        html.div({"class": "mine__head", "aria-hidden": "true"}, *(html.span(each) for each in columns)),
        html.ol({"class": "mine"}, *(_row(each, language) for each in stage.ordered(sort) if _is_shown(each, show))),
    )


def _row(row: LedgerRow, language: str) -> VdomDict:
    t, own = texts(language), row.own
    summary = html.summary(
        html.span(visually_hidden(t("number")), " ", str(row.place.number)),
        html.span({"class": "mine__name", "translate": "no"}, row.place.name),
        html.b(visually_hidden(t("you")), " ", _number(row.mean)),
        html.span(nth(row.rank, t) if row.rank else "–"),
        _audience(row, t),
        html.span(_signed(row.difference)),
        sign(own.state.value, state_words(own, language)),
    )
    return html.li({"key": f"{row.place.id}"}, html.details(summary, _inside(row, language)))


def _audience(row: LedgerRow, t: Texts) -> VdomDict:
    if row.own.is_covered:
        return html.span({"class": "muted"}, t("covered"))
    audience = visually_hidden(t("audience")), " ", _number(row.audience.value)
    return html.span({"class": "mine__audience"}, *audience, _note(row, t))


def _note(row: LedgerRow, t: Texts) -> Markup:
    """Return what the audience's figure is called; a star, which the legend explains, for that of the same pieces."""
    if _is_of_same(row):
        return html.small({"class": "mine__star"}, visually_hidden(f" {basis_words(row.audience, t)}"))
    return basis_note(row.audience, t)


def _inside(row: LedgerRow, language: str) -> VdomDict:
    """Return what a row unfolds to: all that the viewer has given or kept, and the buttons that delete it."""
    t, own, rating = texts(language), row.own, row.rating
    about = html.p(
        {"class": "row small"},
        link(_there(row), person_name(row.place.name)),
        html.span({"class": "muted"}, row.place.session_title),
        day(rating.at, zone=venue_zone(), language=language) if rating else None,
        show_button(row.place.id, row.place.name, t) if own.is_covered else None,
    )
    state = html.p(
        {"class": "row small"},
        sign(own.state.value, state_words(own, language)),
        html.span(t("your rank: {nth}").format(nth=nth(row.rank, t))) if row.rank else None,
        html.span(pieces_count(rating, t)) if rating else None,
        *_whole(own.ratings, t),
        hidden_badge(rating, t) if rating else None,
    )
    comment = own.ratings.comment
    return html.div(
        {"class": "mine__in mark-list"},
        about,
        state,
        html.p({"class": "says__text"}, comment) if comment else None,
        html.ol(*_lines(row, language)),
        html.p({"class": "row"}, rating_delete_button(rating, t, DELETE)) if rating else None,
    )


def _whole(own: OwnRatings, t: Texts) -> Iterator[Markup]:
    if own.score:
        yield five_keys(own.score, t("{n} of 5").format(n=own.score))
    if own.quick_rating:
        yield html.span(t(str(QuickRating(own.quick_rating).label)))


def _lines(row: LedgerRow, language: str) -> Iterator[VdomDict]:
    """Return the latest mark of each piece in the program's order, then that of the whole performance."""
    t, own, rating = texts(language), row.own.ratings, row.rating
    rejected, kept = t("Not approved"), t("Not submitted")
    submitted = {each.piece.id: each for each in rating.pieces} if rating else {}
    pieces = {each.id: each for each in row.program} | {pk: each.piece for pk, each in submitted.items()}
    for pk, piece in pieces.items():
        score = own.marks.get(pk)
        if score is not None:
            unsent = rejected if pk in own.sheet.rejected_pieces else kept
            given = submitted.get(pk)
            number = mark(score, t("{n} of 25").format(n=score))
            yield _line(f"piece-{pk}", number, _piece(piece, language), _beside(row, given, score, unsent, language))
    if own.score:
        whole = rating.whole if rating else None
        number = mark(own.score, t("{n} of 5").format(n=own.score))
        subject = html.span({"class": "work"}, html.b(t("The whole performance")))
        unsent = rejected if own.sheet.is_rejected else kept
        yield _line("whole", number, subject, _beside(row, whole, own.score, unsent, language))


def _piece(piece: PieceTitle, language: str) -> VdomDict:
    return work(piece, language=language)


def _line(name: str, number: VdomDict, subject: VdomDict, beside: Sequence[Markup]) -> VdomDict:
    figure = html.span({"class": "mark-list__mark"}, number)
    return html.li({"key": name}, figure, subject, html.span({"class": "row"}, *beside))


def _beside(row: LedgerRow, given: Mark | None, score: int, unsent: str, language: str) -> list[Markup]:
    """Return what is beside a mark: how it differs from the submitted one, or its state if the states differ.

    With several submitted marks, each has a delete button. `unsent` are the words for a mark that is not submitted.
    """
    t, marks = texts(language), row.rating.marks if row.rating else ()
    if given is None or row.rating is None:
        return [badge(unsent, "quiet")]
    is_mixed = len({each.approved for each in marks}) > 1
    return [
        html.span({"class": "muted"}, t("{n} is submitted").format(n=given.score)) if given.score != score else None,
        state_badge([given], t) if is_mixed else None,
        mark_delete_button(row.rating, given, language, DELETE) if len(marks) > 1 else None,
    ]


def _there(row: LedgerRow) -> str:
    """Return the address of the viewer's keys of a performance."""
    return f"/participants/{row.place.participant_id}?open={row.place.id}#rating-{row.place.id}"


def _number(mean: Decimal | None) -> str:
    return "–" if mean is None else str(mean)


def _signed(difference: Decimal | None) -> str:
    """Return a difference with its sign, a dash without one."""
    if not difference:
        return "–" if difference is None else str(difference)
    return f"{'+' if difference > 0 else '−'}{abs(difference)}"
