"""Columns of a file that are matched by hand, with their first rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.core.texts import Texts
from apps.imports.tables.headers import SAMPLES, UNUSED, FileColumn
from components.runtime import Markup, html
from components.ui import forms
from components.ui.frames import answer_line


def column_choice(
    command: Mapping[str, object], columns: Sequence[FileColumn], names: Sequence[str], t: Texts, *, found: str
) -> Markup:
    """Return the form that says what columns are, those that no name explains; None without any.

    `command` are the attributes of its form, `names` the columns to choose from, and `found` the words for a column
    that nobody chose. The first SAMPLES rows stand under each.
    """
    open_columns = [*{each.key: each for each in columns if each.is_chosen or not each.column}.values()]
    if not open_columns:
        return None
    taken = {each.column for each in columns if not each.is_chosen}
    options = [("", found), (UNUSED, t("Not used")), *((name, name) for name in names if name not in taken)]
    return html.form(
        {**command, "class": "stack", "key": "columns-" + "-".join(each.column for each in open_columns)},
        html.h3(t("Columns that no name explains")),
        *(_column(each, options, t) for each in open_columns),
        html.p({"class": "field__hint"}, t("The choice is kept for files with the same header.")),
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read it so")),
        answer_line(),
    )


def _column(column: FileColumn, options: Sequence[tuple[str, str]], t: Texts) -> Markup:
    name = f"column-{column.key}"
    chosen = (column.column or UNUSED) if column.is_chosen else ""
    rows = " · ".join(cell or "–" for cell in column.cells[:SAMPLES])
    described: dict[str, Any] = {"translate": "no", "aria-describedby": f"{name}-rows"}
    return html.div(
        {"key": name},
        forms.select(column.name, name, options, chosen, **described),
        html.p({"class": "field__hint", "id": f"{name}-rows", "translate": "no"}, rows or t("No rows.")),
    )
