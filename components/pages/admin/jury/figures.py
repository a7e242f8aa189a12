"""The figures of a sheet as a compact table, and their agreement with the official scores."""

from collections.abc import Sequence
from decimal import Decimal

from apps.core.texts import Texts, texts
from apps.jury.selectors import JuryRow, JurySheetShown
from components.parts.jury.table import missing_words
from components.runtime import Markup, VdomDict, html
from components.ui.numbers import number_text


def agreement(sheet: JurySheetShown, t: Texts) -> Markup:
    """Return whether the official figures agree with the recomputed ones, and what cannot be computed; None without."""
    parts = [each for each in (_compared(sheet.rows, t), _missing(sheet, t)) if each]
    return html.div({"class": "stack", "key": "agreement"}, *parts) if parts else None


def _compared(rows: Sequence[JuryRow], t: Texts) -> Markup:
    """Return whether the official figures agree, a difference first; None if none can be compared."""
    official = [row for row in rows if row.compared]
    differing = [row for row in official if row.differs]
    if not official:
        return None
    if differing:
        words = t.plural(
            "{n} of %(n)d official score differs from the recomputed one.",
            "{n} of %(n)d official scores differ from the recomputed ones.",
            len(official),
        ).format(n=len(differing))
        names = ", ".join(row.name for row in differing)
        return html.div({"class": "message message--bad", "key": "compared"}, html.p(html.b(words)), html.p(names))
    words = t.plural(
        "The official score of %(n)d performer agrees with the recomputed one.",
        "The official scores of all %(n)d performers agree with the recomputed ones.",
        len(official),
    )
    return html.div({"class": "message message--good", "key": "compared"}, html.p(words))


def _missing(sheet: JurySheetShown, t: Texts) -> Markup:
    words = missing_words(sheet, t)
    return html.p({"class": "message", "key": "missing"}, words) if words else None


def figures_table(rows: Sequence[JuryRow], language: str, *, caption: str) -> VdomDict:
    """Return one line for each performer: rank, score, mean, corrected marks, cumulated and official score."""
    t = texts(language)
    headings = (t("Rank"), t("Performer"), t("Score"), t("Figures"), t("Official"))
    head = html.tr(*(html.th({"key": words, "scope": "col"}, words) for words in headings))
    return html.table(
        {"class": "file"},
        html.caption({"class": "visually-hidden"}, caption),
        html.thead(head),
        html.tbody(*(_row(row, t) for row in rows)),
    )


def _row(row: JuryRow, t: Texts) -> VdomDict:
    number = f"{row.start_number} " if row.start_number is not None else ""
    return html.tr(
        {"key": f"row-{row.participant_id}"} | ({"class": "is-bad"} if row.differs else {}),
        html.td({"class": "num"}, str(row.rank) if row.rank is not None else "–"),
        html.th({"scope": "row", "translate": "no"}, f"{number}{row.name}"),
        html.td(_number(row.score)),
        html.td({"class": "file__prog"}, _figures(row, t)),
        html.td({"class": "file__what"}, *_official(row, t)),
    )


def _figures(row: JuryRow, t: Texts) -> str:
    corrected = (
        t.plural("%(n)d mark corrected or left out", "%(n)d marks corrected or left out", row.corrected)
        if row.corrected
        else ""
    )
    parts = (
        t("mean {n}").format(n=_number(row.mean)),
        corrected,
        t("cumulated {n}").format(n=_number(row.cumulated)) if row.cumulated is not None else "",
    )
    return ", ".join(filter(None, parts))


def _official(row: JuryRow, t: Texts) -> list[Markup]:
    if row.official is None and row.official_cumulated is None:
        return [html.span({"class": "muted"}, t("no official score"))]
    figures = f"{_number(row.official)}, {t('cumulated {n}').format(n=_number(row.official_cumulated))}"
    words = figures if row.official_cumulated is not None else _number(row.official)
    figure_count = sum(each is not None for each in (row.official, row.official_cumulated))
    said = t("differs") if row.differs else t("agrees") if len(row.compared) == figure_count else t("not compared")
    look = html.b if row.differs else html.span
    return [look({"key": "official"}, f"{words}: {said}")]


def _number(value: Decimal | None) -> str:
    return "–" if value is None else number_text(value, 2)
