"""The title page."""

from apps.accounts.actors import Viewer
from apps.core.texts import Texts, texts
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query
from components.parts.home import featured_participants, latest_news, live_banner
from components.parts.ratings.latest_ratings import latest_ratings
from components.rendering.parts import shared_part
from components.ui.blocks import button_link, link
from components.ui.frames.page_grid import main, section, title
from components.ui.keyboard import KEYS, strings


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the title page; its changing content is in parts."""
    t = texts(language)
    return Page(
        title=t("The audience’s seat at the competition"),
        description=t("News, participants, live sessions and the audience’s own ratings of every piece."),
        component=home_page,
        parts=(
            live_banner(language=language),
            latest_news(language=language),
            featured_participants(language=language),
            latest_ratings(language=language),
        ),
    )


@component
def home_page(page: Page) -> VdomDict:
    """Banner, hero, news, featured participants, latest ratings."""
    t = texts(page.language)
    banner, news, featured, ratings = page.parts
    return main(
        shared_part(banner),
        _hero(t),
        section(t("Latest News"), shared_part(news), aside=html.p(link("/news", t("All news")))),
        section(
            t("Featured Participants"),
            shared_part(featured),
            aside=html.p(link("/participants", t("All participants"))),
        ),
        section(
            t("Latest Ratings"), shared_part(ratings), aside=html.p(t("One line for each listener and performance."))
        ),
    )


def _hero(t: Texts) -> VdomDict:
    lead = t("Watch every session live, give each piece your own mark, and see how the rest of the stalls heard it.")
    return html.section(
        {"class": "sheet hero"},
        title(t("Take your seat.")),
        html.p({"class": "hero__lead"}, lead),
        html.div(
            {"class": "row"},
            button_link("/register", t("Register")),
            button_link("/participants", t("Participants"), "plain"),
        ),
        html.div({"class": "hero__board"}, strings(_one_mark_each(), numbered_to=KEYS)),
        html.p(
            {"class": "hero__note"},
            html.span(t("Twenty-five keys, twenty-five marks. The higher the mark, the longer its string.")),
            " ",
            html.span(t("From 1 to 25")),
        ),
    )


def _one_mark_each() -> list[float]:
    """Return the strings' lengths, growing with the marks, so that they do not cover the words."""
    return [(number / KEYS) ** 1.9 for number in range(1, KEYS + 1)]
