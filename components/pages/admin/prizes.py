"""The form of a stage's prizes: rows with their recipients, kept as a draft, and published in one press."""

from dataclasses import dataclass, replace
from typing import Any

from apps.accounts.selectors.sessions import usernames_get
from apps.competition.enums import OrderSource, PrizeAward, PrizeKind
from apps.competition.limits import PRIZE_LENGTH, PRIZES_ADDED, PRIZES_MOST
from apps.competition.selectors.admin.prizes import PrizeCandidate, PrizeLine, PrizesEdit, first_lines, prizes_edit
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.pages.admin.advancing import PATH
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    number_of,
)
from components.ui.blocks import link
from components.ui.empty_states import empty
from components.ui.forms import check, field, select
from components.ui.frames import answer_line, backstage, form_page, version_field
from components.ui.people import person_name
from components.ui.venue_time import at_venue

MODE = "prizes"


def prizes_at(stage_id: int) -> str:
    """Return the address of the form of this stage's prizes."""
    return f"{PATH}?mode={MODE}&id={stage_id}"


@dataclass(frozen=True, slots=True)
class PrizesPageData:
    """The stage with its prizes, the publisher's name, and the lines that the form shows."""

    stage: PrizesEdit
    by: str | None
    lines: tuple[PrizeLine, ...]
    proposal: OrderSource | None = None  # whose places they contain


def load(request: PageRequest) -> Page | None:
    """Return the form of the stage in the address (`mode=prizes&id=2`); None for another mode and an unknown stage."""
    stage_id = number_of(request.query, "id", 0)
    if request.query.get("mode", "") != MODE or not stage_id:
        return None
    stage = prizes_edit(stage_id=stage_id)
    if stage is None:
        return None
    by = None if stage.by_id is None else usernames_get(user_ids=[stage.by_id]).get(stage.by_id)
    t = request.t
    lines = stage.lines or tuple(replace(line, name=t(line.name)) for line in first_lines())
    official = "" if stage.lines else OrderSource.OFFICIAL  # of a first list
    order = next((each for each in stage.orders if each.source == request.query.get("of", official)), None)
    lines = stage.proposed(lines, order) if order else lines
    about = t("The prizes of a stage, prepared in secret.")
    title = t("Prizes of {stage}").format(stage=stage.name)
    return Page(about, prizes_page, PrizesPageData(stage, by, lines, order.source if order else None), title=title)


@component
def prizes_page(page: Page) -> VdomDict:
    """Render the form, or why nobody can receive a prize."""
    data: PrizesPageData = page.data
    t = texts(page.language)
    inside = _whole(data, page.language) if data.stage.performers else _none(t)
    return backstage(page.title, inside, page=page, trail=[(PATH, t("Stages"))])


def _none(t: Texts) -> VdomDict:
    return empty(t("No performer is in a session of this stage yet."), ("/admin/sessions", t("All sessions")))


def _whole(data: PrizesPageData, language: str) -> VdomDict:
    stage = data.stage
    return html.div(
        {"class": "stack"},
        html.p({"class": "muted"}, *_state(stage, data.by, language)),
        _orders(data, texts(language)),
        _publish(stage, language) if stage.has_draft else None,
        _form(data, language),
    )


def _orders(data: PrizesPageData, t: Texts) -> Markup:
    """Return the ways to fill in the places of a stored order, and whether one is filled in; None without an order."""
    words = {
        OrderSource.JURY: t("Fill in the places of the jury’s sheet"),
        OrderSource.OFFICIAL: t("Fill in the places of the official list"),
    }
    ways = [link(f"{prizes_at(data.stage.id)}&of={each.source}", words[each.source]) for each in data.stage.orders]
    note = t("The places are filled in as a proposal. Nothing of it is saved yet.") if data.proposal else None
    return html.div({"class": "row"}, html.b({"role": "status"}, note) if note else None, *ways) if ways else None


def _publish(stage: PrizesEdit, language: str) -> VdomDict:
    """Return the form that publishes the stored draft; the server asks with all prizes."""
    t = texts(language)
    asked = {"data-ask": t("Publish the prizes of {stage}?").format(stage=stage.name), "data-ask-yes": t("Publish")}
    words = t("Publish the correction") if stage.published_at else t("Publish the prizes")
    return html.form(
        command_form("prizes_publish", stage.id) | asked | {"class": "stack", "key": f"publish-{stage.version}"},
        version_field(stage.version, language, "publish-version"),
        html.div(
            {"class": "row"},
            html.button({"class": "button", "type": "submit", "data-busy": t("Processing...")}, words),
            html.span({"class": "small muted"}, t("As the draft is saved.")),
        ),
        answer_line(),
    )


def _form(data: PrizesPageData, language: str) -> VdomDict:
    t, stage = texts(language), data.stage
    free = PRIZES_MOST - len(data.lines)
    lines = (*data.lines, *[PrizeLine("", PrizeKind.SPECIAL)] * min(PRIZES_ADDED, free))
    rows = (_row(number, line, stage.performers, t) for number, line in enumerate(lines, start=1))
    draft = f"prizes:{stage.id}{data.proposal or ''}"
    own = {"key": f"prizes-{stage.version}-{data.proposal or ''}"}
    return form_page(
        command_form("prizes_save", stage.id, draft=draft) | own,
        html.ol({"class": "stack"}, *rows),
        html.p({"class": "small muted"}, t("Without a name, a row is left out. Saving adds more empty rows.")),
        save=t("Save the draft"),
        cancel=PATH,
        version=stage.version,
        look="form-page--wide",
        language=language,
    )


def _row(number: int, line: PrizeLine, performers: tuple[PrizeCandidate, ...], t: Texts) -> VdomDict:
    """Return the fields of a prize; kind, award and recipients are folded under the names of the recipients."""
    kinds = [(each.value, t(each.label)) for each in PrizeKind]
    awards = [(each.value, t(each.label)) for each in PrizeAward]
    name: dict[str, Any] = {"value": line.name, "maxLength": PRIZE_LENGTH, "autoComplete": "off"}
    boxes = (
        html.li({"key": f"recipient-{number}-{each.participant_id}"}, _box(number, each, line)) for each in performers
    )
    names = ", ".join(each.name for each in performers if each.participant_id in line.participant_ids)
    named = {"aria-label": t("Who receives it, kind and award: prize {n}").format(n=number)}
    return html.li(
        {"key": f"prize-{number}", "class": "stack"},
        field(t("Prize {n}").format(n=number), f"name-{number}", **name),
        html.details(
            html.summary({"class": "link"} | named, names or t("Choose who receives it, kind and award")),
            html.div(
                {"class": "form-page__pair"},
                select(t("Kind"), f"kind-{number}", kinds, line.kind.value),
                select(t("Award"), f"award-{number}", awards, line.award.value),
            ),
            html.ul({"class": "stages__advancing"}, *boxes),
        ),
    )


def _box(number: int, each: PrizeCandidate, line: PrizeLine) -> VdomDict:
    return check(
        html.span(person_name(each.name), f", {each.country}"),
        f"recipient-{number}",
        id=f"recipient-{number}-{each.participant_id}",
        value=str(each.participant_id),
        defaultChecked=each.participant_id in line.participant_ids,
    )


def _state(stage: PrizesEdit, by: str | None, language: str) -> list[Markup]:
    """Return when and by whom the prizes were published, and whether there is a draft."""
    t = texts(language)
    draft = t("There is a draft. Only administrators see it.") if stage.has_draft else ""
    if stage.published_at is None:
        return [draft or t("Nothing is saved yet. A draft is seen by administrators only.")]
    words = t("Published {time} by {name}.").format(name=by, time="{time}") if by else t("Published {time}.")
    before, _, after = words.partition("{time}")
    when = at_venue(stage.published_at, zone=venue_zone(), language=language, has_date=True)
    return [before, when, after, " ", draft]


def prizes_line(stage_id: int, name: str, counts: tuple[int, int, bool], t: Texts) -> Markup:
    """Return the state of a stage's prizes in the list, and the ways to change it; None without performers.

    `counts` are the published prizes, all performers, and whether there is a draft.
    """
    published, performers, has_draft = counts
    if not performers:
        return None
    named = {"aria-label": t("Prizes of {stage}").format(stage=name)}
    draft = t("A draft of prizes is saved.") if has_draft else ""
    if not published:
        way = html.a({"class": "link", "href": prizes_at(stage_id)} | named, t("Prepare the prizes"))
        return html.p({"class": "row small"}, html.span(draft) if draft else None, way)
    withdraw = command_button(
        "prizes_withdraw",
        stage_id,
        busy=t("Processing..."),
        confirm=t("Withdraw the prizes of {stage}?").format(stage=name),
        words=t("They are no longer shown."),
        yes=t("Withdraw"),
    )
    count = t.plural("%(n)d prize is published.", "%(n)d prizes are published.", published)
    label = t("Withdraw the prizes of {stage}").format(stage=name)
    return html.p(
        {"class": "row small"},
        html.span(f"{count} {draft}".strip()),
        html.a({"class": "link", "href": prizes_at(stage_id)} | named, t("Correct")),
        html.button({"class": "link", "aria-label": label} | withdraw, t("Withdraw")),
        link(f"/stages/{stage_id}", t("Seen there")),
    )
