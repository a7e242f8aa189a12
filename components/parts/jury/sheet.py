"""The jury's marks of a stage: the tab, the part with the table or one juror's ranking, and its cover."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from apps.core.texts import Texts, texts
from apps.jury.audience import Comparison, comparison_get
from apps.jury.orders import JuryOrder, juror_ranking, rows_ordered
from apps.jury.selectors import JurorShown, JuryRow, JurySheetShown, jury_is_shown, jury_sheet, jury_stages
from apps.ranking.own_states import OwnStates
from components.parts.jury.rules import NAME, rounding_words, stage_rule_words
from components.parts.jury.table import juror_table, jury_table, missing_words
from components.runtime import Markup, VdomDict, command_button, html, public_part, read_once, shared_part, slot
from components.ui.blocks import link, tabs
from components.ui.empty_states import empty
from components.ui.frames import section

JURY = "jury"  # the slot's name: everything about the jury's marks of a stage
METHOD = "/stages/method"
VIEW = "jury"  # the value of `view` in the address
# sources of gettext
NOT_PUBLISHED = "The jury’s marks of this stage are not published."
STUDENT = "S: the juror’s own student."
COVERED = "The jury’s marks of this stage are published. You have not marked all of its performances yet."


def jury_address(stage_id: int, order: JuryOrder = JuryOrder.RANK, juror_id: int = 0) -> str:
    """Return the address of the jury's tab, in this order, or with the ranking of one juror."""
    query = {"view": VIEW}
    query |= {"sort": order.value} if order is not JuryOrder.RANK else {}
    query |= {"juror": str(juror_id)} if juror_id else {}
    return f"/stages/{stage_id}?{urlencode(query)}"


@public_part(topics=lambda stage_id, _view: (f"jury.{stage_id}",))
def stage_views(stage_id: int, view: str, *, language: str) -> VdomDict:
    """The tabs Audience and Jury; a hidden element while the jury's marks are not published."""
    t = texts(language)
    if stage_id not in read_once(jury_stages):
        return html.div({"hidden": True})
    to, jury = f"/stages/{stage_id}", jury_address(stage_id)
    choices = ((to, t("Audience")), (jury, t("Jury")))
    return html.div({"class": "sheet jury__views"}, tabs(t("Whose marks"), choices, jury if view == VIEW else to))


def _topics(stage_id: int, *_: object) -> tuple[str, ...]:
    return (f"jury.{stage_id}", f"ranking.{stage_id}", "stages", "featured_participants")


@public_part(topics=_topics, outcome=True)
def jury_marks(stage_id: int, order: str, juror_id: int, *, language: str) -> VdomDict:
    """The table of all marks in this order beside the audience's ranks, or the ranking of one juror."""
    return _marks(stage_id, order, juror_id, None, language)


@public_part(topics=_topics, outcome=True)
def own_jury_marks(stage_id: int, order: str, juror_id: int, seen: str, *, language: str) -> VdomDict:
    """The same for members who see the figures of the appearances `seen` (ids, as "3-17") only."""
    return _marks(stage_id, order, juror_id, frozenset(int(pk) for pk in seen.split("-") if pk), language)


def _marks(stage_id: int, order: str, juror_id: int, seen: frozenset[int] | None, language: str) -> VdomDict:
    t, sheet = texts(language), read_once(jury_sheet, stage_id=stage_id)
    if sheet is None:
        return _not_published(stage_id, t)
    juror = next((each for each in sheet.jurors if each.id == juror_id), None)
    which = JuryOrder(order)
    is_alone = juror is not None and which is not JuryOrder.JUROR
    if juror and is_alone:
        shown = _juror(sheet, juror, language)
    else:
        shown = _all(sheet, which, juror, _audience_ranks(stage_id, seen), language)
    return html.section(
        {"class": "sheet sheet--ruled"},
        html.div({"class": "hang"}, html.h2(t("The jury")), html.p(_counts(sheet, t))),
        html.div({"class": "body stack"}, _agreement(sheet, t), _missing(sheet, t), *shown),
    )


def _audience_ranks(stage_id: int, seen: frozenset[int] | None) -> Mapping[int, int]:
    """Return the audience's rank of each performer among those whose figures are seen, None is all."""
    comparison: Comparison | None = read_once(comparison_get, stage_id=stage_id)
    if comparison is None:
        return {}
    shown = comparison if seen is None else comparison.as_seen(seen)
    return {each.appearance.participant_id: each.audience_rank for each in shown.performances}


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner part does
def stage_jury(stage_id: int, order: str, juror_id: int, *, language: str) -> VdomDict:
    """The jury's marks, in a slot that is covered for members who have not marked all performances."""
    inner = jury_marks(stage_id, order, juror_id, language=language)
    return html.div(slot(JURY, stage_id), shared_part(inner))


@public_part(topics=lambda stage_id: (f"jury.{stage_id}",))
def jury_cover(stage_id: int, *, language: str) -> VdomDict:
    """The button that shows the jury's marks to a member who has not marked all performances."""
    t = texts(language)
    if stage_id not in read_once(jury_stages):
        return _not_published(stage_id, t)
    show = command_button("jury_show", stage_id, busy=t("Processing..."))
    return section(
        t("The jury"),
        html.div(
            {"class": "body stack", "data-answers": ""},
            html.p(t(COVERED)),
            html.p(html.button({"class": "button button--plain"} | show, t("Show the jury’s marks"))),
            html.p({"class": "small", "data-answer": "", "role": "status"}),
        ),
    )


def jury_shown_to(*, user_id: int, stage_id: int, states: OwnStates) -> bool:
    """Whether the jury's marks are shown to a member: nothing of the stage is covered, or the member asked for them.

    One query if something is covered.
    """
    return not _is_covered(states) or jury_is_shown(user_id=user_id, stage_id=stage_id)


def _not_published(stage_id: int, t: Texts) -> VdomDict:
    audience = (f"/stages/{stage_id}", t("The audience’s ranking"))
    return section(t("The jury"), html.div({"class": "body"}, empty(t(NOT_PUBLISHED), audience)))


def _is_covered(states: OwnStates) -> bool:
    return any(own.is_covered for own in states.values())


def _all(
    sheet: JurySheetShown, which: JuryOrder, juror: JurorShown | None, audience: Mapping[int, int], language: str
) -> tuple[Markup, ...]:
    t = texts(language)
    words = f"{stage_rule_words(sheet.stage_rule, t)} {rounding_words(sheet.rule, t)} {t(STUDENT)}"
    order = JuryOrder.RANK if which is JuryOrder.JUROR and juror is None else which
    rows = rows_ordered(sheet, order, juror.id if juror else 0)
    return (
        _orders(sheet.stage_id, order, juror, t),
        jury_table(sheet, rows, audience, lambda juror: jury_address(sheet.stage_id, juror_id=juror.id), language),
        _rankings(sheet, t),
        html.p({"class": "small muted"}, words, " ", html.a({"href": f"{METHOD}#{NAME}"}, t("The whole rule"))),
        html.p(link(f"/stages/{sheet.stage_id}/jury.csv", t("All marks as a file"))),
    )


def _rankings(sheet: JurySheetShown, t: Texts) -> VdomDict:
    """Return the links to the rankings of single jurors, folded: on a phone no head of a column has them."""
    ways = (link(jury_address(sheet.stage_id, juror_id=each.id), each.name) for each in sheet.jurors)
    rows = (html.li({"key": str(place)}, way) for place, way in enumerate(ways))
    return html.details(
        html.summary({"class": "link"}, t("The ranking of one juror")), html.ul({"class": "row"}, *rows)
    )


def _orders(stage_id: int, order: JuryOrder, juror: JurorShown | None, t: Texts) -> VdomDict:
    names = {JuryOrder.RANK: t("Rank"), JuryOrder.NUMBER: t("Start number"), JuryOrder.NAME: t("Name")}
    names |= {JuryOrder.JUROR: juror.name} if juror else {}
    ways = (
        html.a(
            {"key": which.value, "href": _order_address(stage_id, which, juror), "data-stay": ""}
            | ({"aria-current": "true"} if which is order else {}),
            words,
        )
        for which, words in names.items()
    )
    return html.nav({"class": "switch", "aria-label": t("Order of the table")}, *ways)


def _order_address(stage_id: int, order: JuryOrder, juror: JurorShown | None) -> str:
    return jury_address(stage_id, order, juror.id if juror and order is JuryOrder.JUROR else 0)


def _juror(sheet: JurySheetShown, juror: JurorShown, language: str) -> tuple[Markup, ...]:
    t, ranking = texts(language), juror_ranking(sheet, juror.id)
    return (
        html.h3(t("The ranking of {juror}").format(juror=juror.name)),
        juror_table(ranking, language),
        html.p(link(jury_address(sheet.stage_id, JuryOrder.JUROR, juror.id), t("The whole table in this order"))),
        html.p(link(jury_address(sheet.stage_id), t("All jurors"))),
    )


def _counts(sheet: JurySheetShown, t: Texts) -> str:
    performers = t.plural("%(n)d performer", "%(n)d performers", len(sheet.rows))
    return f"{performers}, {t.plural('%(n)d juror', '%(n)d jurors', len(sheet.jurors))}"


def _agreement(sheet: JurySheetShown, t: Texts) -> Markup:
    """Return whether the imported official figures are those that follow from the marks; None without any."""
    if not any(row.compared for row in sheet.rows):
        return None
    differing: Sequence[JuryRow] = [row for row in sheet.rows if row.differs]
    if not differing:
        return html.p({"class": "small muted"}, t("The official scores are those that follow from these marks."))
    words = t.plural(
        "The official figures of %(n)d performer differ from those that follow from these marks: {names}.",
        "The official figures of %(n)d performers differ from those that follow from these marks: {names}.",
        len(differing),
    )
    return html.p({"class": "message"}, words.format(names=", ".join(row.name for row in differing)))


def _missing(sheet: JurySheetShown, t: Texts) -> Markup:
    words = missing_words(sheet, t)
    return html.p({"class": "message"}, words) if words else None
