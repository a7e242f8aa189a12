"""Page to which Google redirects after its sign-in."""

from apps.core.texts import texts
from components.runtime import Form, Page, PageRequest, Refresh, VdomDict, component, html
from components.ui.blocks import button_link
from components.ui.empty_states import message
from components.ui.frames import ticket

READ_FOR = 3  # seconds before the browser goes on to the sign-in


def screen(request: PageRequest) -> Page:
    """Return the page shown while the sign-in is completed; the browser continues at once.

    `extra["onward"]` is the address that completes it, or the home page for a signed-in viewer. The default is the
    sign-in.
    """
    t = request.t
    return Page(
        title=t("Finalizing login..."),
        description=t("Your sign-in with Google is being finished."),
        component=auth_callback_page,
        data=request.form,
        refresh=Refresh(request.form.extra.get("onward", "/login"), 0),
    )


@component
def auth_callback_page(page: Page) -> VdomDict:
    """Render the explanation, and a link for browsers that ignore the refresh."""
    t = texts(page.language)
    onward = page.refresh.to if page.refresh else "/login"
    words = {"/login": t("Return to login"), "/": t("Home")}.get(onward, t("Go on"))
    lead = html.p({"class": "lead"}, page.description)
    return ticket(page.title, lead, button_link(onward, words), foot=t("Admit one"), t=t)


def failed(request: PageRequest) -> Page:
    """Return the page with the error; after three seconds the browser continues to `onward`, by default the sign-in."""
    t = request.t
    return Page(
        title=t("Log in"),
        description=t("Signing in with Google did not work."),
        component=failed_page,
        data=request.form,
        refresh=Refresh(request.form.extra.get("onward", "/login"), READ_FOR),
    )


@component
def failed_page(page: Page) -> VdomDict:
    """Render the errors, and a link that skips the wait."""
    form: Form = page.data
    t = texts(page.language)
    wrong = form.errors.get("") or (t("Error during login. Please try again."),)
    return ticket(
        page.title,
        *(message(t(words), good=False) for words in wrong),
        button_link(form.extra.get("onward", "/login"), t("Return to login")),
        foot=t("Not valid"),
        t=t,
    )
