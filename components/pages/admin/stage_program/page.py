"""The page of a stage's program."""

from dataclasses import dataclass, replace

from apps.competition.selectors.admin.pianos import pianos_admin
from apps.competition.selectors.admin.sessions import StageRow, stages_admin
from apps.competition.selectors.admin.stage_programs import stage_programs, work_offers
from apps.competition.selectors.admin.stage_slots import stage_slots
from apps.core.texts import texts
from components.pages.admin.stage_program.address import Where, stage_program_at, where_of
from components.pages.admin.stage_program.programs import Programs, programs_section
from components.pages.admin.stage_program.slots import slots_section
from components.pages.public.not_found import not_found_page
from components.runtime import Page, PageRequest, VdomDict, component, html
from components.ui.empty_states import empty
from components.ui.frames import backstage

STAGES = "/admin/stages"
TOPICS = ("stages", "sessions", "programs", "pieces", "pianos")


@dataclass(frozen=True, slots=True)
class StageProgram:
    """The page data: all stages, and the chosen one with its programs; None without any stage."""

    where: Where
    stages: tuple[StageRow, ...]
    shown: Programs | None


def load(request: PageRequest) -> Page:
    """Return the page of the stage in the address, by default the last one; `slot` opens a form, `find` searches."""
    t, where, stages = request.t, where_of(request.query), stages_admin()
    about = t("What a stage asks of programs, and the programs.")
    if not stages:
        return Page(about, stage_program_page, data=StageProgram(where, (), None), topics=TOPICS)
    where = replace(where, stage=where.stage or stages[-1].id)
    stage = stage_slots(stage_id=where.stage)
    if stage is None:
        return not_found_page(t("Stage not found."), (STAGES, t("All stages")), "stages")
    programs = stage_programs(stage) if stage.has_own_slots else ()
    chosen = next((each for each in programs if each.appearance_id == where.appearance), next(iter(programs), None))
    offers = work_offers(stage, chosen, query=where.find) if chosen and where.find else None
    return Page(
        about,
        stage_program_page,
        title=t("Program of {stage}").format(stage=stage.name),
        data=StageProgram(where, stages, Programs(stage, programs, chosen, offers, pianos_admin() if chosen else ())),
        topics=() if where.slot else TOPICS,  # no push replaces what the editor of a slot reads
    )


@component
def stage_program_page(page: Page) -> VdomDict:
    """Render the links to the stages, the slots and the programs."""
    t, data = texts(page.language), page.data
    trail = [(STAGES, t("Stages"))]
    if data.shown is None:
        words = t("No stages yet. The first session makes Stage I.")
        return backstage(page.title, empty(words), page=page, trail=trail)
    return backstage(
        page.title,
        _stages(data.stages, data.shown.stage.id, page.language),
        slots_section(data.shown.stage, data.where, page.language),
        programs_section(data.shown, data.where, page.language),
        page=page,
        trail=trail,
    )


def _stages(stages: tuple[StageRow, ...], chosen: int, language: str) -> VdomDict:
    ways = (
        html.li(
            {"key": f"stage-{each.id}"},
            html.a(
                {"class": "link", "href": stage_program_at(each.id)}
                | ({"aria-current": "page"} if each.id == chosen else {}),
                each.name,
            ),
        )
        for each in stages
    )
    return html.nav({"class": "stage-ways", "aria-label": texts(language)("Stages")}, html.ul(*ways))
