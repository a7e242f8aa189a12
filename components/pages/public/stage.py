"""The page of one stage: its audience ranking, how it is computed, and which marks do not count."""

from urllib.parse import urlencode

from apps.competition.selectors.public.stages import stage_names
from apps.core.texts import texts
from components.pages.public.not_found import not_found_page
from components.pages.public.ranking_method import OWN_EARS
from components.parts.ranking import stage_head, stage_ranking, stage_tally
from components.parts.ranking_table import stage_slots
from components.runtime import Page, PageRequest, VdomDict, cached_markup, component, html, shared_part, use_viewer
from components.ui.blocks import link
from components.ui.frames import main, section

METHOD = "/stages/method"
# sources of gettext
COUNTED = (
    "Each listener’s mark of a performance is the mean of the pieces marked. Who marks high or low throughout is "
    "brought to the audience’s scale, and marks far from the others weigh less. Ten marks of the stage’s average are "
    "added to every performance, so that a handful of raters moves little. The bar says where the score lies nine "
    "times in ten, had other listeners sat here; “between 3rd and 6th” says the same of the rank."
)


def load(request: PageRequest) -> Page:
    """Return the page of a stage, with a page (`page`) of its ranking. 404 for an unknown stage."""
    t, stage_id, number = request.t, request.int_param("id"), request.page_number()
    stage = next((each for each in stage_names() if each.id == stage_id), None)
    if stage is None:
        return not_found_page(t("Stage not found."), ("/stages", t("All stages")), "stages")
    words = t("The audience’s ranking of {stage}: scores, how sure they are, and how they are counted.")
    return Page(
        title=t("Audience ranking, {stage}").format(stage=stage.name),
        description=words.format(stage=stage.name),
        component=stage_page,
        data=stage_id,
        parts={
            "head": stage_head(stage_id, language=request.language),
            "ranking": stage_ranking(stage_id, number, language=request.language),
            "tally": stage_tally(stage_id, language=request.language),
        },
        slots=(stage_slots(stage_id=stage_id, number=number, language=request.language),),
        topics=("stages",),
    )


@component
def stage_page(page: Page) -> VdomDict:
    """Render the head, the ranking, how it is computed, and the tally of marks that do not count yet."""
    head, ranking, tally = (shared_part(page.parts[name]) for name in ("head", "ranking", "tally"))
    sign_in = None if use_viewer().is_signed_in else _sign_in(page.data, page.language)
    return main(head, ranking, sign_in, _counted(page.language), tally)


@cached_markup
def _sign_in(stage_id: int, language: str) -> VdomDict:
    t, to = texts(language), "/login?" + urlencode({"next": f"/stages/{stage_id}"})
    words = t("Sign in and your own marks stand beside the audience’s.")
    return html.div(
        {"class": "sheet"}, html.p({"class": "body small muted standing__in"}, words, " ", link(to, t("Log in")))
    )


@cached_markup
def _counted(language: str) -> VdomDict:
    t = texts(language)
    whole = html.a({"href": METHOD}, t("The whole method"))
    body = html.div({"class": "body prose"}, html.p(t(COUNTED), " ", whole), html.p(t(OWN_EARS)))
    return section(t("How it is counted"), body)
