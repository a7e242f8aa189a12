"""The list of stages, and the address that leads to the ranking of the stage to look at now."""

from dataclasses import replace

from apps.competition.selectors.public.stages import stage_ids
from apps.core.texts import texts
from apps.ranking.selectors.stages import ranking_stage
from components.parts.stages.overview import stage_list
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.frames import main, title

PATH = "/stages"


def load(request: PageRequest) -> Page:
    """Return the list of all stages."""
    return Page(
        description=request.t("All stages of the competition: their sessions, their rankings, and who advanced."),
        component=stages_page,
        parts={"stages": stage_list(language=request.language)},
    )


def ranking(request: PageRequest) -> Page:
    """Return a redirect to the stage that is live, else to the last one with marks, else to the first.

    Without any stage it is the list of stages, which is empty then.
    """
    stage_id = ranking_stage()
    return replace(
        load(request),
        canonical=PATH,
        redirect="" if stage_id is None else f"{PATH}/{stage_id}",
        cache_topics=("sessions", "stages", *(f"ranking.{pk}" for pk in stage_ids())),
    )


@component
def stages_page(page: Page) -> VdomDict:
    """Render the list below its heading."""
    note = html.div({"class": "hang hang--low"}, html.p(texts(page.language)("The times are those in the hall.")))
    head = html.div({"class": "body"}, title(page.title))
    return main(html.section({"class": "sheet sheet--first list"}, note, head, shared_part(page.parts["stages"])))
