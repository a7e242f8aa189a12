"""What a participant file changes of people who are there: facts that are filled, and changes to be ticked."""

from typing import Any

from apps.competition.limits import EXCERPT_LENGTH
from apps.core.texts import Texts
from apps.imports.participant_files.changes import to_tick
from apps.imports.selectors.participant_files import ImportRow, ImportShown
from components.parts.participants import first_characters
from components.runtime import Markup, VdomDict, command_button, command_form, html


def changes_choice(file: ImportShown, t: Texts) -> Markup:
    """Return the number of changes with the buttons that tick all of them or none; None without any."""
    if not file.changes:
        return None
    words = t("Changes of people who are there: {n}, ticked: {ticked}.").format(
        n=file.changes, ticked=file.changes_taken
    )
    look = {"class": "button button--plain button--small"}
    ways = (("all", t("Tick all"), file.changes_taken < file.changes), ("none", t("Tick none"), file.changes_taken > 0))
    return html.div(
        {"class": "row", "key": "changes"},
        html.span(words),
        *(
            html.button(look | {"key": way} | command_button("import_changes_take_all", f"{file.id}:{way}"), label)
            for way, label, is_offered in ways
            if is_offered
        ),
    )


def row_changes(file: ImportShown, row: ImportRow, t: Texts, *, is_open: bool) -> list[Markup]:
    """Return which facts a row fills, and the form that ticks its changes; their words alone unless `is_open`."""
    labels, changing = _labels(t), to_tick(row.before)
    filled = [labels[field] + _value(row, field) for field in row.before if field not in changing]
    lines: list[Markup] = []
    if filled:
        lines.append(html.div({"key": "fills", "class": "small"}, t("Fills: {facts}").format(facts=", ".join(filled))))
    if changing and not is_open:
        words = ", ".join(f"{labels[field]}{_change(row, field)}" for field in row.taken)
        lines.append(html.div({"key": "changed", "class": "small"}, t("Changes: {facts}").format(facts=words or "–")))
    elif changing:
        lines.append(_ticks(file, row, changing, labels, t))
    return lines


def _ticks(file: ImportShown, row: ImportRow, changing: tuple[str, ...], labels: dict[str, str], t: Texts) -> VdomDict:
    named = t("Keep these ticks: {name}, line {n}").format(name=f"{row.first_name} {row.last_name}", n=row.line)
    return html.form(
        command_form("import_changes_take", f"{file.id}:{row.position}")
        | {"class": "stack", "key": f"changes-{row.position}-{'-'.join(row.taken)}"},
        *(_tick(row, field, labels[field]) for field in changing),
        html.button(
            {"class": "button button--plain button--small", "type": "submit", "aria-label": named},
            t("Keep these ticks"),
        ),
    )


def _tick(row: ImportRow, field: str, label: str) -> VdomDict:
    own = {"id": f"take-{row.position}-{field}", "type": "checkbox", "name": "take", "value": field}
    return html.label(
        {"class": "check", "htmlFor": own["id"], "key": field},
        html.input(own | {"defaultChecked": field in row.taken}),
        html.span(html.b(label), _change(row, field)),
    )


def _labels(t: Texts) -> dict[str, str]:
    return {
        "start_number": t("start number"),
        "birth_year": t("birth year"),
        "biography": t("biography"),
        "name_local": t("name in another script"),
        "avatar_url": t("picture"),
    }


def _value(row: ImportRow, field: str) -> str:
    """Return the value of a short fact after a blank, empty for a biography."""
    return "" if field == "biography" else f" {getattr(row, field)}"


def _change(row: ImportRow, field: str) -> str:
    before, after = (_short(value) for value in (row.before[field], getattr(row, field)))
    return f" {before} → {after}"


def _short(value: Any) -> str:
    return first_characters(str(value)[: EXCERPT_LENGTH + 1])
