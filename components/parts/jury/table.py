"""The tables of the jury's marks: all jurors, and the ranking of one."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from apps.core.texts import Texts, texts
from apps.jury.arithmetic import counted
from apps.jury.contents import RECUSED, Cell
from apps.jury.enums import ScoreMethod, SheetState
from apps.jury.selectors import JurorShown, JuryRow, JurySheetShown
from components.runtime import Markup, VdomDict, html
from components.ui.blocks import nth, visually_hidden
from components.ui.people import performer_link

# sources of gettext: the column of changed marks, and the rank without a change
CHANGED = {ScoreMethod.CORRECTED: "Corrected", ScoreMethod.TRIMMED: "Left out"}
PLAIN = {
    ScoreMethod.CORRECTED: "without the correction: {rank}",
    ScoreMethod.TRIMMED: "with all marks: {rank}",
}


def jury_table(
    sheet: JurySheetShown,
    rows: Sequence[JuryRow],
    audience: Mapping[int, int],
    address: Callable[[JurorShown], str],
    language: str,
) -> VdomDict:
    """Return the table with a row for each performer and a column for each juror; it scrolls inside its frame.

    `audience` are the audience's ranks by participant. On a phone a row has them beside the jury's rank and score, and
    unfolds to the marks of the jurors.
    """
    t, method = texts(language), sheet.stage_rule.method
    head = (
        html.th({"scope": "col"}, t("Rank")),
        html.th({"scope": "col", "class": "jury__name"}, t("Performer")),
        html.th({"scope": "col"}, t("Score")),
        html.th({"scope": "col"}, t("Audience")),
        html.th({"scope": "col", "class": "jury__more"}, t("Cumulated")) if sheet.has_cumulated else None,
        html.th({"scope": "col", "class": "jury__more"}, t("Official")) if sheet.has_officials else None,
        html.th({"scope": "col", "class": "jury__more"}, t(CHANGED[method])) if method in CHANGED else None,
        *(
            html.th({"scope": "col", "key": f"juror-{juror.id}", "class": "jury__juror"}, _way(juror, address))
            for juror in sheet.jurors
        ),
    )
    lines = (_line(row, sheet, audience.get(row.participant_id), t) for row in rows)
    label = t("Marks of the jury")
    return html.div(
        {"class": "jury", "tabIndex": 0, "role": "region", "aria-label": label},
        html.table(
            {"class": "jury__table"},
            html.caption({"class": "visually-hidden"}, label),
            html.thead(html.tr(*head)),
            html.tbody(*lines),
        ),
    )


def missing_words(sheet: JurySheetShown, t: Texts) -> str:
    """Return which cumulated scores cannot be computed, and why; empty if all are."""
    lacking = [row.name for row in sheet.rows if row.lacks_cumulated]
    if not lacking:
        return ""
    names = "" if len(lacking) == sum(row.score is not None for row in sheet.rows) else ", ".join(lacking)
    match sheet.state, names:
        case SheetState.PUBLISHED, "":
            words = t("The cumulated scores cannot be computed: the marks of {stages} are not published.")
        case SheetState.PUBLISHED, _:
            words = t(
                "The cumulated scores of {names} cannot be computed: no marks of {stages} are published for them."
            )
        case _, "":
            words = t("The cumulated scores cannot be computed: the marks of {stages} are not stored.")
        case _:
            words = t("The cumulated scores of {names} cannot be computed: no marks of {stages} are stored for them.")
    stages = ", ".join(t("stage {n}").format(n=place) for place in sheet.missing_places)
    return f"{words.format(names=names, stages=stages)} {t('The ranks are those of this stage’s own scores.')}"


def _way(juror: JurorShown, address: Callable[[JurorShown], str]) -> VdomDict:
    return html.a({"href": address(juror), "translate": "no"}, juror.name)


def juror_table(ranking: Sequence[tuple[int, Decimal, JuryRow]], language: str) -> VdomDict:
    """Return the ranking of one juror beside the jury's."""
    t = texts(language)
    lines = (
        html.tr(
            {"key": f"row-{row.participant_id}"},
            html.td(str(rank)),
            _name(row, t),
            html.td(_mark(mark)),
            html.td(nth(row.rank, t) if row.rank else ""),
        )
        for rank, mark, row in ranking
    )
    head = (t("Rank"), t("Performer"), t("Mark"), t("The jury"))
    return html.div(
        {"class": "jury", "tabIndex": 0, "role": "region", "aria-label": t("Ranking of one juror")},
        html.table(
            {"class": "jury__table"},
            html.thead(html.tr(*(html.th({"scope": "col", "key": words}, words) for words in head))),
            html.tbody(*lines),
        ),
    )


def _line(row: JuryRow, sheet: JurySheetShown, audience: int | None, t: Texts) -> VdomDict:
    unfolds = html.details({"class": "jury__open"}, html.summary(visually_hidden(t("The jurors’ marks"))))
    return html.tr(
        {"key": f"row-{row.participant_id}"},
        html.td("" if row.rank is None else str(row.rank)),
        _name(row, t, unfolds),
        html.td({"class": "jury__score"}, _score(row.score)),
        html.td({"class": "muted"}, "–" if audience is None else str(audience)),
        _more(t("Cumulated"), _score(row.cumulated)) if sheet.has_cumulated else None,
        _official(row, t) if sheet.has_officials else None,
        _changed(row, sheet, t) if sheet.stage_rule.method in CHANGED else None,
        *_cells(row, sheet, t),
    )


def _more(words: str, figure: str) -> VdomDict:
    return html.td({"class": "jury__more"}, _whose(words) if figure else None, html.span(figure))


def _whose(words: str) -> VdomDict:
    """Return the name of a column, which stands before its figure where the rows unfold."""
    return html.span({"class": "jury__whose"}, words)


def _name(row: JuryRow, t: Texts, *more: Markup) -> VdomDict:
    number = "" if row.start_number is None else f"{row.start_number} "
    mark = html.span({"class": "badge badge--quiet"}, t("Advanced")) if row.has_advanced else None
    return html.th(
        {"scope": "row", "class": "jury__name"},
        html.span({"class": "nr"}, number) if number else None,
        performer_link(row.participant_id, row.name),
        " " if mark else None,
        mark,
        *more,
    )


def _changed(row: JuryRow, sheet: JurySheetShown, t: Texts) -> VdomDict:
    """Return how many marks were changed or left out, with the rank by the first mean if it is another one."""
    count = str(row.corrected) if row.corrected else ""
    look, whose = {"class": "jury__more"}, _whose(t(CHANGED[sheet.stage_rule.method]))
    if row.plain_rank is None or row.plain_rank == row.rank:
        return html.td(look, whose if count else None, count)
    words = t(PLAIN[sheet.stage_rule.method]).format(rank=nth(row.plain_rank, t))
    return html.td(look, whose, count, html.small({"class": "muted"}, words))


def _official(row: JuryRow, t: Texts) -> VdomDict:
    figures = [each for each in (row.official, row.official_cumulated) if each is not None]
    if not figures:
        return html.td({"class": "jury__more"})
    said = (
        t(", differs") if row.differs else t(", agrees") if len(row.compared) == len(figures) else t(", not compared")
    )
    look = f"jury__more {'jury__differs' if row.differs else 'muted'}"
    words = " / ".join(map(_score, figures))
    shown = f"≠ {words}" if row.differs else words
    return html.td({"class": look}, _whose(t("Official")), html.span(shown, visually_hidden(said)))


def _cells(row: JuryRow, sheet: JurySheetShown, t: Texts) -> list[VdomDict]:
    """Return a cell for each juror: the mark, one that was set to another number or left out struck."""
    marks = [cell for cell in row.cells if isinstance(cell, Decimal)]
    after = iter(marks if row.mean is None else counted(marks, sheet.stage_rule, row.mean))
    return [
        html.td(
            {"class": "jury__cell"},
            _whose(juror.name),
            html.span(*_cell(cell, next(after) if isinstance(cell, Decimal) else None, t)),
        )
        for juror, cell in zip(sheet.jurors, row.cells, strict=True)
    ]


def _cell(cell: Cell | None, after: Decimal | None, t: Texts) -> tuple[Markup, ...]:
    if cell is None:
        return ()
    if not isinstance(cell, Decimal):
        words = t("The juror’s own student")
        letter = html.abbr({"title": words, "aria-hidden": "true"}, RECUSED)
        return html.span({"class": "muted"}, letter), visually_hidden(words)
    if after == cell:
        return (_mark(cell),)
    if after is None:
        return html.s(_mark(cell)), visually_hidden(t(", left out"))
    return html.s(_mark(cell)), visually_hidden(t(", set to ")), html.small(_score(after))


def _score(value: Decimal | None) -> str:
    return "" if value is None else f"{value:f}"


def _mark(value: Decimal) -> str:
    """Return a mark, a whole one without decimals."""
    return str(int(value)) if value == value.to_integral_value() else f"{value:f}"
