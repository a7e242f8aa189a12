"""The page of results of the search."""

from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from apps.search.enums import Kind
from components.parts.search import PATH, search_answer, search_slots
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.empty_states import skeleton
from components.ui.forms import field
from components.ui.frames import main, title


def load(request: PageRequest) -> Page:
    """Return the results for the words in the address (`q`), of all kinds or of one (`kind`)."""
    t, words = request.t, " ".join(request.search_text().split())
    kind = request.query.get("kind", "")
    kind = kind if kind in list(Kind) else ""
    return Page(
        title=t("Search: {words}").format(words=words) if words else "",
        description=t("Search performers, pieces, sessions, stages, news and posts."),
        component=search_page,
        data=words,
        parts={"results": search_answer(words, kind, language=request.language)},
        slots=(search_slots(words=words, kind=kind, language=request.language),),
    )


@component
def search_page(page: Page) -> VdomDict:
    """Render the field above the results."""
    t = texts(page.language)
    results = html.div({"data-results": ""}, shared_part(page.parts["results"]))
    return main(
        html.section(
            {"class": "sheet sheet--first"},
            html.div({"class": "body"}, title(t("Search")), _form(page.data, t), skeleton(), results),
        )
    )


def _form(words: str, t: Texts) -> VdomDict:
    typed = field(
        t("Performers, pieces, sessions, news"),
        "q",
        value=words,
        type="search",
        maxLength=SEARCH_LENGTH,
        autoComplete="off",
    )
    return html.form(
        {"class": "found__form", "method": "get", "action": PATH, "role": "search", "data-navigate": ""},
        typed,
        html.button({"class": "button button--plain", "type": "submit"}, t("Search")),
    )
