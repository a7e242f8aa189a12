"""The form of who advances from a stage: its performers to tick, published in one press."""

from apps.accounts.selectors.sessions import usernames_get
from apps.competition.selectors.admin.advancements import AdvancingChoice, AdvancingEdit, advancing_edit
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
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
from components.ui.forms import check
from components.ui.frames import backstage, form_page
from components.ui.people import person_name
from components.ui.venue_time import at_venue

PATH = "/admin/stages"
MODE = "advance"


def advancing_at(stage_id: int) -> str:
    """Return the address of the form of who advances from this stage."""
    return f"{PATH}?mode={MODE}&id={stage_id}"


def load(request: PageRequest) -> Page | None:
    """Return the form of the stage in the address (`mode=advance&id=2`); None for another mode and an unknown stage."""
    stage_id = number_of(request.query, "id", 0)
    if request.query.get("mode", "") != MODE or not stage_id:
        return None
    stage = advancing_edit(stage_id=stage_id)
    if stage is None:
        return None
    by = None if stage.by_id is None else usernames_get(user_ids=[stage.by_id]).get(stage.by_id)
    title = request.t("Who advances from {stage}").format(stage=stage.name)
    about = request.t("The performers who advance, as everybody will see it.")
    return Page(about, advancing_page, (stage, by), title=title)


@component
def advancing_page(page: Page) -> VdomDict:
    """Render the form, or why there is nothing to tick."""
    stage, by = page.data
    t = texts(page.language)
    inside = _form(stage, by, page.language) if stage.performers else _none(t)
    return backstage(page.title, inside, page=page, trail=[(PATH, t("Stages"))])


def _none(t: Texts) -> VdomDict:
    return empty(t("No performer is in a session of this stage yet."), ("/admin/sessions", t("All sessions")))


def _form(stage: AdvancingEdit, by: str | None, language: str) -> VdomDict:
    t = texts(language)
    to = t("Who advances to {stage}").format(stage=stage.next_stage) if stage.next_stage else t("Who advances")
    command = command_form("advancements_publish", stage.id, draft=f"advance:{stage.id}")
    asked = {"data-ask": t("Publish who advances from {stage}?").format(stage=stage.name), "data-ask-yes": t("Publish")}
    boxes = (html.li({"key": f"advance-{each.participant_id}"}, _box(each)) for each in stage.performers)
    return form_page(
        command | asked,
        html.p({"class": "muted"}, *_published(stage, by, language)),
        html.fieldset(
            {"class": "stack"}, html.legend({"class": "label"}, to), html.ul({"class": "stages__advancing"}, *boxes)
        ),
        save=t("Publish the correction") if stage.at else t("Publish who advances"),
        cancel=PATH,
        version=stage.version,
        language=language,
    )


def _box(each: AdvancingChoice) -> VdomDict:
    name = f"advance-{each.participant_id}"
    return check(
        html.span(person_name(each.name), f", {each.country}"),
        "participant",
        id=name,
        value=str(each.participant_id),
        defaultChecked=each.advances,
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
