"""The form of a series: several sessions of a stage at once, with their performers and planned times."""

from collections.abc import Sequence
from typing import Any

from apps.competition.limits import (
    INTERVAL_MINUTES_MOST,
    INTERVALS_LENGTH,
    ORDER_TEXT_LENGTH,
    SERIES_LENGTH,
    SESSION_TEXTS,
    START_NUMBER_MOST,
)
from apps.competition.selectors.admin.sessions import SeriesRow, StageRow, stages_admin
from apps.core.texts import Texts, texts
from components.pages.admin.sessions.list_file import list_file
from components.runtime import Markup, Page, PageRequest, VdomDict, command_button, command_form, component, html, key
from components.ui.forms import area, field, select
from components.ui.frames import answer_line, backstage, form_page

PATH = "/admin/sessions"
SERIES = "series"  # the mode in the address
SERIES_AT = f"{PATH}?mode={SERIES}"


def series_page(request: PageRequest) -> Page:
    """Return the page of the form. One query."""
    t = request.t
    stages = tuple(stage for stage in stages_admin() if not stage.is_archived)
    return Page(t("Several sessions of a stage at once."), series_form_page, title=t("New series"), data=stages)


@component
def series_form_page(page: Page) -> VdomDict:
    """Render the form of a series."""
    t = texts(page.language)
    asking = {"data-ask": t("Make these sessions?"), "data-ask-yes": t("Make them")}
    form = form_page(
        command_form("session_series_create", draft="session-series") | asking,
        html.div({"class": "form-page__halves"}, _sessions(page.data, t), _performers(t)),
        save=t("Show what it makes"),
        cancel=PATH,
        look="form-page--wide",
        language=page.language,
    )
    return backstage(page.title, form, page=page, trail=[(PATH, t("Sessions"))])


def _sessions(stages: Sequence[StageRow], t: Texts) -> VdomDict:
    offered = [(str(stage.id), stage.name) for stage in stages]
    none = [("", t("Choose a stage"))] if len(offered) > 1 else []
    hint = t(
        "One session in each line: date, start, and if you know them end, number of performers and title. For example:"
        " 2027-10-12 10:00 14:00 21 Morning session. A line without a date is of the day above."
    )
    lines: dict[str, Any] = {"rows": 6, "maxLength": SERIES_LENGTH, "autoComplete": "off", "required": True}
    lengths: dict[str, dict[str, Any]] = {name: {"maxLength": most} for name, most in SESSION_TEXTS.items()}
    return html.div(
        {"class": "stack"},
        select(t("Stage"), "stage", [*none, *offered]) if offered else None,
        area(t("Sessions"), "sessions", hint=hint, **lines),
        area(t("Description of each"), "description", rows=2, **lengths["description"]),
        field(t("Orchestra"), "orchestra", hint=t("Empty for recitals."), autoComplete="off", **lengths["orchestra"]),
        field(t("Conductor"), "conductor", autoComplete="off", **lengths["conductor"]),
    )


def _performers(t: Texts) -> VdomDict:
    hint = t(
        "In the drawn order, one in each line: start number, name, or both. They are shared out over the sessions."
    )
    lines: dict[str, Any] = {"rows": 6, "maxLength": ORDER_TEXT_LENGTH, "autoComplete": "off"}
    number: dict[str, Any] = {"type": "number", "min": 1, "max": START_NUMBER_MOST, "inputMode": "numeric"}
    minutes: dict[str, Any] = {"type": "number", "min": 1, "max": INTERVAL_MINUTES_MOST, "inputMode": "numeric"}
    intervals: dict[str, Any] = {"rows": 2, "maxLength": INTERVALS_LENGTH, "autoComplete": "off"}
    all_from = t(
        "Without a list: all with this start number or a higher one, who are in no session of the stage. Once it is"
        " published who advances, only these."
    )
    after = t("In each line: after which performance, and how many minutes, such as 7: 20.")
    return html.div(
        {"class": "stack"},
        area(t("Performers"), "performers", hint=hint, **lines),
        key("file", list_file("performers", t)),
        field(t("Or all from start number"), "first_number", hint=all_from, **number),
        field(
            t("Minutes for each performance"), "minutes", hint=t("For planned times; empty without them."), **minutes
        ),
        area(t("Intervals of each session"), "intervals", hint=after, **intervals),
    )


def series_undos(series: Sequence[SeriesRow], t: Texts) -> Markup:
    """Return a line for each series that can be taken back, None without any."""
    if not series:
        return None
    lines = (html.li({"key": f"series-{each.id}"}, *_undo(each, t)) for each in series)
    own = {"key": "series", "class": "body", "data-answers": ""}
    return html.div(own, answer_line(), html.ul({"class": "lines"}, *lines))


def _undo(each: SeriesRow, t: Texts) -> tuple[Markup, ...]:
    titles = ", ".join(each.titles)
    back = command_button(
        "session_series_undo",
        each.id,
        busy=t("Processing..."),
        confirm=t("Take back these sessions?"),
        words=titles,
        yes=t("Take back"),
    )
    own = {"class": "link", "aria-label": t("Take back: {file}").format(file=titles)} | back
    made = t.plural("%(n)d session made at once: {titles}.", "%(n)d sessions made at once: {titles}.", len(each.titles))
    return html.span(made.format(titles=titles)), html.span({"class": "dots"}), html.button(own, t("Take back"))
