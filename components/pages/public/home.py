"""The home page by state: what is live or comes next, then an introduction for visitors or a member's next steps."""

from apps.core.texts import Texts, texts
from components.parts.following import followed_tonight, tonight_slots
from components.parts.home.banner import home_banner
from components.parts.home.figures import home_slots
from components.parts.home.sections import featured_participants, latest_news
from components.parts.ratings.covering import figures_slots
from components.parts.ratings.latest_ratings import day_marks_beside_words, latest_ratings
from components.parts.ratings.own_ratings import OWN, OWN_AUDIENCE, OWN_KEY, not_yet_rated, own_summary_slots
from components.parts.sessions.lists import coming_sessions
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    Ref,
    VdomDict,
    cached_markup,
    component,
    html,
    shared_part,
    slot,
    use_viewer,
)
from components.ui.blocks import button_link, link
from components.ui.frames import main, section, title
from components.ui.marks import KEYS, two_strings


def load(request: PageRequest) -> Page:
    """Return the home page; its changing content is in shared parts."""
    t = request.t
    return Page(
        title=t("The audience’s seat at the competition"),
        description=t("News, participants, live sessions and the audience’s own ratings of every piece."),
        component=home_page,
        parts={
            "banner": home_banner(language=request.language),
            "followed": followed_tonight(language=request.language),
            "marks": day_marks_beside_words(language=request.language),
            "not_yet_rated": not_yet_rated(language=request.language),
            "coming": coming_sessions(language=request.language),
            "news": latest_news(language=request.language),
            "featured": featured_participants(language=request.language),
            "ratings": latest_ratings(language=request.language),
        },
        slots=(
            own_summary_slots(language=request.language),
            home_slots(language=request.language),
            figures_slots(),
            tonight_slots(language=request.language),
        ),
    )


@component
def home_page(page: Page) -> VdomDict:
    """Render the first block, the introduction or the member's sections, then news, participants and latest ratings."""
    t, viewer, parts = texts(page.language), use_viewer(), page.parts
    first: list[Markup] = [_hero(parts["marks"], page.language)]
    if viewer.is_signed_in:
        member = _member(parts["not_yet_rated"], parts["coming"], page.language)
        first = [_welcome(viewer.username, parts["followed"], t), member]
    return main(
        shared_part(parts["banner"]),
        *first,
        section(t("Latest News"), shared_part(parts["news"]), aside=html.p(link("/news", t("News")))),
        section(
            t("Featured Participants"),
            shared_part(parts["featured"]),
            aside=html.p(link("/participants", t("All participants"))),
        ),
        section(
            t("Latest Ratings"),
            shared_part(parts["ratings"]),
            aside=html.p(t("One line for each listener and performance.")),
        ),
    )


def _what_this_is(t: Texts, look: str) -> VdomDict:
    return html.p({"class": look}, t("The audience’s marks at the Chopin piano competition. Unofficial."))


@cached_markup
def _hero(marks: Ref, language: str) -> VdomDict:
    t = texts(language)
    lead = t("Watch every session live, give each piece your own mark, and see how the rest of the audience heard it.")
    return html.section(
        {"class": "sheet hero"},
        title(t("Take your seat.")),
        _what_this_is(t, "hero__what"),
        html.p({"class": "hero__lead"}, lead),
        html.div(
            {"class": "row"},
            button_link("/register", t("Register")),
            button_link("/participants", t("Participants"), "plain"),
        ),
        shared_part(marks),
    )


def _welcome(username: str, followed: Ref, t: Texts) -> VdomDict:
    return html.section(
        {"class": "sheet member__seat"},
        html.div({"class": "hang hang--low"}, html.p({"translate": "no"}, username)),
        html.div(
            {"class": "body"},
            title(t("Your seat is kept.")),
            _what_this_is(t, "member__what"),
            shared_part(followed),
            html.div(
                {"class": "row"},
                button_link("/participants", t("Participants"), "plain"),
                link("/following", t("Performers you follow")),
            ),
        ),
    )


@cached_markup
def _member(played: Ref, coming: Ref, language: str) -> VdomDict:
    """Return a member's sections: performances to rate, own marks, coming sessions; slots hold the viewer's values."""
    t = texts(language)
    to_rate = html.section(
        html.h2({"class": "door__heading"}, t("Played, still to rate")),
        shared_part(played),
    )
    return html.div(
        {"class": "member"},
        html.div({"class": "sheet member__first"}, html.div({"class": "door__pair"}, to_rate, _beside_audience(t))),
        section(
            t("What comes next"),
            html.div({"class": "body"}, shared_part(coming)),
            aside=html.p(link("/sessions", t("All sessions"))),
        ),
    )


def _beside_audience(t: Texts) -> VdomDict:
    """Return the section with the member's marks beside the audience's."""
    beside = t("Your marks stand here beside the audience’s once you have marked a piece.")
    return html.section(
        {"class": "you"},
        html.h2({"class": "door__heading"}, t("You and the audience")),
        two_strings(OWN_AUDIENCE, OWN_KEY),
        html.p(
            {"class": "you__scale small muted"},
            html.span({"aria-hidden": "true"}, "1"),
            html.span(slot(OWN, "count"), t("No marks yet")),
            html.span({"aria-hidden": "true"}, str(KEYS)),
        ),
        html.p({"class": "ask"} | slot(OWN, "beside_audience"), beside),
        html.p(
            {"class": "small muted"},
            t("Brass: the audience. Oxblood: you."),
            " ",
            html.span(t("Over the pieces that both have marked; each piece counts once.")),
            " ",
            link("/profile?tab=ratings", t("All my ratings")),
        ),
    )
