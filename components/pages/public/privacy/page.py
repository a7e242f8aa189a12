"""The page Privacy: what is kept, why, for how long and who sees it; what browsers keep; what comes from elsewhere."""

from apps.accounts.actors import Viewer
from apps.core.texts import Texts, texts
from components.markup import VdomDict, cached_markup, component, html
from components.page import Page, Params, Query
from components.pages.public.operator_words import operator_words
from components.pages.public.privacy.kept import KEPT, Kept
from components.ui.blocks import link
from components.ui.frames.page_grid import first_section, main, section

BROWSER = (
    (
        "Cookies: one keeps you signed in, one is against forged forms, one knows this browser again after a sign-in "
        "so that others' guesses do not lock you out, and for minutes what a registration or a message needs. None "
        "follows you, and none is anybody else's."
    ),
    (
        "In the browser's own storage: light or dark, theater mode, the number of the account that is signed in, what "
        "you typed and marked until it is sent. It waits for 24 hours when your session ends by itself and goes at "
        "once when you sign out; what you typed before signing in waits for two days, the "
        "last reaction that you pressed before it for 15 minutes."
    ),
)
ELSEWHERE = (
    (
        "Videos are YouTube's: your browser asks YouTube for the player when one is shown, without its cookies, "
        "and YouTube then knows your network address."
    ),
    (
        "Pictures that people name by an address come from there; that server learns your network address, but not on "
        "which page you are."
    ),
    "Signing in with Google leads to Google and back. Nothing else comes from anywhere, and nobody counts visitors.",
)
NETWORK = (
    "The server that passes pages on writes down each request with its network address, path and time, as whoever runs "
    "it keeps them; 30 days are advised. Backups hold everything for 35 days."
)


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the page; what it says is compared with the tables by a test."""
    words = texts(language)("What this site keeps about you, why, for how long, who sees it, and how to take it along.")
    return Page(description=words, component=privacy_page)


@component
def privacy_page(page: Page) -> VdomDict:
    """Every kind of data with its four sentences, then browsers, other sites, one's rights, and who runs the site."""
    return _privacy(page.title, page.description, page.language)


@cached_markup
def _privacy(title: str, lead: str, language: str) -> VdomDict:
    t = texts(language)
    rights = html.div(
        {"class": "body prose"},
        html.p(
            t(
                "Your profile has all that is stored about you as a file, up to three times a day, and deletes the "
                "account at once, with your marks, comments and reactions; backups forget it after 35 days."
            )
        ),
        html.p(link("/profile", t("Your profile"))),
        html.p(t("Whoever runs the site corrects what is wrong about you, and answers what this page leaves open.")),
    )
    return main(
        first_section(title, html.p({"class": "lead"}, lead)),
        section(t("What is kept"), html.dl({"class": "body kept"}, *(_kept(each, t) for each in KEPT))),
        section(t("In your browser"), _paragraphs(BROWSER, t)),
        section(t("From elsewhere"), _paragraphs((*ELSEWHERE, NETWORK), t)),
        section(t("Your rights"), rights),
        section(t("Who runs this site"), html.div({"class": "body prose"}, *operator_words(language))),
    )


def _kept(each: Kept, t: Texts) -> VdomDict:
    said = ((t("Why"), each.why), (t("For how long"), each.until), (t("Who sees it"), each.seen_by))
    return html.div(
        html.dt(t(each.what)),
        *(html.dd(html.span({"class": "muted small"}, label), " ", t(words)) for label, words in said),
    )


def _paragraphs(words: tuple[str, ...], t: Texts) -> VdomDict:
    return html.div({"class": "body prose"}, *(html.p(t(each)) for each in words))
