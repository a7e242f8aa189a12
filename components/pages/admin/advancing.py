"""The form of who advances from a stage: its performers to tick, published in one press.

They can be ticked by a pasted list or a file, and as the first ones of the jury's sheet or of the official list.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.accounts.selectors.sessions import usernames_get
from apps.competition.enums import OrderSource
from apps.competition.limits import ADVANCING_MOST, ORDER_TEXT_LENGTH
from apps.competition.order_drafts import OpenLine, OrderDraft, order_draft_of
from apps.competition.selectors.admin.advancements import AdvancingChoice, AdvancingEdit, advancing_edit
from apps.competition.selectors.admin.order_lines import People
from apps.competition.selectors.admin.participants import ParticipantOption, participant_options
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.pages.admin.sessions.list_file import list_file
from components.pages.admin.sessions.order_panel import lines_named
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    key,
    number_of,
    web_module,
)
from components.ui.blocks import link
from components.ui.empty_states import empty
from components.ui.forms import area, check, field
from components.ui.frames import backstage, form_page
from components.ui.people import person_name
from components.ui.venue_time import at_venue

PATH = "/admin/stages"
MODE = "advance"
BOX = "participant"  # the name of the boxes
TICK_SEARCH = web_module("modules/backstage/running-order.js", "TickSearch")
TICK_COUNT = web_module("modules/backstage/running-order.js", "TickCount")


def advancing_at(stage_id: int) -> str:
    """Return the address of the form of who advances from this stage."""
    return f"{PATH}?mode={MODE}&id={stage_id}"


@dataclass(frozen=True, slots=True)
class Ticks:
    """The ticks that the address gives: of a pasted list, or the first ones of a stored order.

    `outside` are names of the list who do not play in the stage, `like` those who are similar to its open lines, by
    line. `name` tells one set of ticks from the next.
    """

    ids: frozenset[int]
    name: str
    draft: OrderDraft | None = None
    outside: tuple[str, ...] = ()
    like: Mapping[int, tuple[ParticipantOption, ...]] = dataclasses.field(default_factory=dict)
    source: OrderSource | None = None
    first: int = 0


def load(request: PageRequest) -> Page | None:
    """Return the form of the stage in the address (`mode=advance&id=2`); None for another mode and an unknown stage.

    `of=jury&first=40` ticks the first of a stored order, `order` the performers of a pasted list (`OrderDraft`).
    """
    stage_id = number_of(request.query, "id", 0)
    if request.query.get("mode", "") != MODE or not stage_id:
        return None
    stage = advancing_edit(stage_id=stage_id)
    if stage is None:
        return None
    by = None if stage.by_id is None else usernames_get(user_ids=[stage.by_id]).get(stage.by_id)
    title = request.t("Who advances from {stage}").format(stage=stage.name)
    about = request.t("The performers who advance, as everybody will see it.")
    return Page(about, advancing_page, (stage, by, _ticks(stage, request)), title=title)


def _ticks(stage: AdvancingEdit, request: PageRequest) -> Ticks | None:
    """Return the ticks in the address; None without any, so that the published ones are shown."""
    first, playing = number_of(request.query, "first", 0), {each.participant_id for each in stage.performers}
    order = next((each for each in stage.orders if each.source == request.query.get("of")), None)
    if first and order:
        name = f"{order.source}{first}"
        return Ticks(order.first(first) & playing, name, source=order.source, first=first)
    draft = order_draft_of(request.query, ADVANCING_MOST)
    if draft is None:
        return None
    ids = frozenset(draft.participant_ids)
    outside = participant_options(limit=0, chosen=tuple(ids - playing)) if ids - playing else ()
    people = People.read() if draft.open_lines else People(())
    like = {line.number: people.like(line.text, ids) for line in draft.open_lines}
    return Ticks(ids & playing, draft.stamp, draft, tuple(each.name for each in outside), like)


@component
def advancing_page(page: Page) -> VdomDict:
    """Render the form, or why there is nothing to tick."""
    stage, by, ticks = page.data
    t = texts(page.language)
    inside = _form(stage, by, ticks, page.language) if stage.performers else _none(t)
    return backstage(page.title, inside, page=page, trail=[(PATH, t("Stages"))])


def _none(t: Texts) -> VdomDict:
    return empty(t("No performer is in a session of this stage yet."), ("/admin/sessions", t("All sessions")))


def _form(stage: AdvancingEdit, by: str | None, ticks: Ticks | None, language: str) -> VdomDict:
    t = texts(language)
    to = t("Who advances to {stage}").format(stage=stage.next_stage) if stage.next_stage else t("Who advances")
    name = ticks.name if ticks else ""
    # a draft of its own for each set of ticks: what was ticked before does not come back over it
    command = command_form("advancements_publish", stage.id, draft=f"advance:{stage.id}{name and ':'}{name}")
    asked = {"data-ask": t("Publish who advances from {stage}?").format(stage=stage.name), "data-ask-yes": t("Publish")}
    ids = ticks.ids if ticks else {each.participant_id for each in stage.performers if each.advances}
    boxes = (
        html.li({"key": f"advance-{each.participant_id}"}, _box(each, is_ticked=each.participant_id in ids))
        for each in stage.performers
    )
    search = {
        "name": BOX,
        "label": t("Search by name or number"),
        "none": t("No performer of this stage is like this."),
    }
    form = form_page(
        command | asked,
        html.fieldset(
            {"class": "stack"},
            html.legend({"class": "label"}, to),
            key("search", tick_search(search)),
            html.ul({"class": "stages__advancing"}, *boxes),
        ),
        save=t("Publish the correction") if stage.at else t("Publish who advances"),
        cancel=PATH,
        version=stage.version,
        beside=key("count", tick_count({"name": BOX, "words": t("{n} of {all} ticked")})),
        language=language,
    )
    return html.div(
        {"class": "stack", "key": f"advance-{stage.id}-{name}"},
        html.p({"class": "muted"}, *_published(stage, by, language)),
        _report(ticks, t) if ticks else None,
        html.div({"class": "form-page__halves"}, _first(stage, t), _pasted(stage, t)),
        form,
    )


@component
def tick_search(own: dict[str, str]) -> VdomDict:
    """Render the field that searches the boxes; its script shows it."""
    return TICK_SEARCH(own)


@component
def tick_count(own: dict[str, str]) -> VdomDict:
    """Render the number of ticked boxes; its script counts them."""
    return TICK_COUNT(own)


def _first(stage: AdvancingEdit, t: Texts) -> Markup:
    """Return the form that ticks the first ones of a stored order; None without an order."""
    if not stage.orders:
        return None
    hidden = {"mode": MODE, "id": str(stage.id)}
    number: dict[str, Any] = {"type": "number", "min": 1, "max": ADVANCING_MOST, "inputMode": "numeric"}
    words = {
        OrderSource.JURY: t("Tick the first of the jury’s sheet"),
        OrderSource.OFFICIAL: t("Tick the first of the official list"),
    }
    look = {"class": "button button--plain button--small", "type": "submit", "name": "of"}
    buttons = (html.button(look | {"value": each.source.value}, words[each.source]) for each in stage.orders)
    return html.form(
        {"method": "get", "action": PATH, "class": "stack"},
        *(html.input({"key": name, "type": "hidden", "name": name, "value": value}) for name, value in hidden.items()),
        field(t("How many advance"), "first", required=True, **number),
        html.div({"class": "row"}, *buttons),
    )


def _pasted(stage: AdvancingEdit, t: Texts) -> VdomDict:
    hint = t("One performer in each line: a start number, a name, or both. The ticks are then these.")
    lines: dict[str, Any] = {"rows": 3, "autoComplete": "off", "maxLength": ORDER_TEXT_LENGTH}
    return html.form(
        command_form("advancing_fill", stage.id) | {"class": "stack", "noValidate": "true"},
        area(t("Paste a list"), "lines", hint=hint, **lines),
        key("file", list_file("lines", t)),
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Tick these")),
    )


def _report(ticks: Ticks, t: Texts) -> VdomDict:
    """Return what became of the lines, or of the first ones of an order."""
    ticked = t.plural("%(n)d ticked", "%(n)d ticked", len(ticks.ids))
    about: list[str] = []
    lines: list[Markup] = []
    if ticks.draft:
        draft = ticks.draft
        read = t.plural("%(n)d read", "%(n)d read", draft.lines)
        parts = [ticked, lines_named(t("%(n)d repeated"), draft.repeated, t)]
        parts.append(lines_named(t("%(n)d to choose"), [line.number for line in draft.open_lines], t))
        ticked = f"{read}: {', '.join(filter(None, parts))}"
        lines = [
            html.li({"key": f"line-{line.number}"}, _open_line(line, ticks.like[line.number], t))
            for line in draft.open_lines
        ]
    elif len(ticks.ids) > ticks.first:
        about.append(t("The last place is shared."))
    if ticks.outside:
        about.append(t("Not in this stage: {names}.").format(names=", ".join(ticks.outside)))
    return html.div(
        {"class": "message stack", "role": "status"},
        html.p(" ".join([f"{ticked}.", *about]), " ", html.b(t("Nothing is published yet."))),
        html.ol({"class": "lines"}, *lines) if lines else None,
    )


def _open_line(line: OpenLine, like: Sequence[ParticipantOption], t: Texts) -> str:
    label = t("Line {n}: “{text}”").format(n=line.number, text=line.text)
    if not like:
        return f"{label} {t('Not found. Tick the performer by hand.')}"
    names = ", ".join(each.name for each in like)
    return f"{label} {t('Tick by hand whom it means: {names}.').format(names=names)}"


def _box(each: AdvancingChoice, *, is_ticked: bool) -> VdomDict:
    number = [html.span({"class": "nr"}, str(each.start_number)), " "] if each.start_number else []
    return check(
        html.span(*number, person_name(each.name), f", {each.country}"),
        BOX,
        id=f"advance-{each.participant_id}",
        value=str(each.participant_id),
        defaultChecked=is_ticked,
    )


def _published(stage: AdvancingEdit, by: str | None, language: str) -> list[Markup]:
    """Return when and by whom it was published, or what publishing does."""
    t = texts(language)
    if stage.at is None:
        return [t("Nothing is published yet. Publishing shows the names to everybody and closes recommendations.")]
    words = t("Published {time} by {name}.").format(name=by, time="{time}") if by else t("Published {time}.")
    before, _, after = words.partition("{time}")
    return [before, at_venue(stage.at, zone=venue_zone(), language=language, has_date=True), after]


def advancing_line(stage_id: int, name: str, counts: tuple[int, int], next_stage: str, t: Texts) -> VdomDict:
    """Return a stage's state in the list: how many of its performers advance, and the ways to change it.

    `counts` are those who advance and all performers.
    """
    advancing, performers = counts
    named = {"aria-label": t("Who advances from {stage}").format(stage=name)}
    if not advancing:
        if not performers:
            return html.p({"class": "small muted"}, t("No performer is in a session of this stage yet."))
        way = html.a({"class": "link", "href": advancing_at(stage_id)} | named, t("Choose who advances"))
        return html.p({"class": "row small"}, html.span(t("It is not published yet who advances.")), way)
    words = (
        t.plural("%(n)d of {all} advances to {stage}.", "%(n)d of {all} advance to {stage}.", advancing)
        if next_stage
        else t.plural("%(n)d of {all} advances.", "%(n)d of {all} advance.", advancing)
    )
    withdraw = command_button(
        "advancements_withdraw",
        stage_id,
        busy=t("Processing..."),
        confirm=t("Withdraw who advances from {stage}?").format(stage=name),
        words=t("It is no longer shown, and listeners can recommend again."),
        yes=t("Withdraw"),
    )
    return html.p(
        {"class": "row small"},
        html.span(words.format(all=performers, stage=next_stage)),
        html.a({"class": "link", "href": advancing_at(stage_id)} | named, t("Correct")),
        html.button({"class": "link", "aria-label": f"{t('Withdraw')}: {name}"} | withdraw, t("Withdraw")),
        link(f"/stages/{stage_id}", t("Seen there")),
    )
