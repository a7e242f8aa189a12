"""One stage: its ranking by the audience, how it is counted, and what anybody needs to count it again."""

from urllib.parse import urlencode

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.stages import stage_names
from apps.core.texts import texts
from components.hooks import use_viewer
from components.markup import VdomDict, cached_markup, component, html
from components.page import Page, Params, Query, number_of
from components.pages.public.not_found import not_found_page
from components.pages.public.ranking_method import UNSEEN
from components.parts.ranking import stage_fills, stage_head, stage_ranking, stage_tally
from components.rendering.page_slots import slot_query
from components.rendering.parts import shared_part
from components.ui.blocks import link
from components.ui.frames import main, section

METHOD = "/stages/method"
# sources of gettext
COUNTED = (
    "Each listener’s mark of a performance is the mean of the pieces marked. Who marks high or low throughout is "
    "brought to the hall’s scale, and of all marks for a performance the highest fifth and the lowest fifth are left "
    "out. Ten marks of the stage’s average are added to everybody, so that a handful of raters moves little. The bar "
    "says where the score lies nine times in ten, had other listeners sat here."
)


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the page of a stage, with a page (`page`) of its ranking; status 404 for an unknown one."""
    t, stage_id = texts(language), int(params["id"])
    stage = next((each for each in stage_names() if each.id == stage_id), None)
    if stage is None:
        return not_found_page(t("Stage not found."), ("/sessions", t("All sessions")), "stages")
    words = t("The audience’s ranking of {stage}: scores, how sure they are, and how they are counted.")
    return Page(
        title=t("What the stalls think: {stage}").format(stage=stage.name),
        description=words.format(stage=stage.name),
        component=stage_page,
        data=stage_id,
        parts=(
            stage_head(stage_id, language=language),
            stage_ranking(stage_id, number_of(query), language=language),
            stage_tally(stage_id, language=language),
        ),
        slot_query=slot_query(stage_fills, "account.{id}.ratings", stage_id=stage_id),
        topics=("stages",),
    )


@component
def stage_page(page: Page) -> VdomDict:
    """The head, the table, how it is counted, and what does not count yet."""
    head, ranking, tally = page.parts
    way_in = None if use_viewer().is_signed_in else _way_in(page.data, page.language)
    return main(shared_part(head), shared_part(ranking), way_in, _counted(page.language), shared_part(tally))


@cached_markup
def _way_in(stage_id: int, language: str) -> VdomDict:
    t, to = texts(language), "/login?" + urlencode({"next": f"/stages/{stage_id}"})
    words = t("Sign in and your own marks stand beside the hall’s.")
    return html.div(
        {"class": "sheet"}, html.p({"class": "body small muted standing__in"}, words, " ", link(to, t("Log in")))
    )


@cached_markup
def _counted(language: str) -> VdomDict:
    t = texts(language)
    whole = html.a({"href": METHOD}, t("The whole method"))
    body = html.div({"class": "body prose"}, html.p(t(COUNTED), " ", whole), html.p(t(UNSEEN)))
    return section(t("How it is counted"), body)
