"""The page "Log in"."""

from apps.core.texts import Texts, texts
from components.pages.account.fields import email, password
from components.pages.account.sign_in.google import google
from components.pages.account.sign_in.reasons import reason
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import link
from components.ui.forms import check
from components.ui.frames import aside, ticket
from components.ui.posted_forms import PASSKEY_SCRIPTS, answers, entries, onward, passkey, plain_form, submit


def screen(request: PageRequest) -> Page:
    """Return the sign-in page: e-mail and password, Google, a passkey, or a mailed link at the rate limit."""
    t = request.t
    description = t("Log in to rate what you hear, to comment and to react.")
    return Page(
        title=t("Log in"), description=description, component=login_page, data=request.form, scripts=PASSKEY_SCRIPTS
    )


@component
def login_page(page: Page) -> VdomDict:
    """Render the reason, messages, sign-in methods, and links to other pages."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        t("Log in"),
        *reason(form.hidden.get("next", ""), is_kept=form.extra.get("is_kept", True), t=t),
        *answers(form, t),
        *_by_link(form, t),
        *google(form, t("Sign in with Google"), t),
        plain_form(
            form,
            *entries(form, [email(t, "login", "username"), password(t)], t),
            _beside(form, t),
            submit(t("Log in")),
        ),
        *_by_passkey(form, t),
        aside(t("No seat yet?"), " ", link(onward("/register", form), t("Register"))),
        foot=t("Admit one"),
        t=t,
    )


def _by_passkey(form: Form, t: Texts) -> list[VdomDict]:
    """Return the button for signing in with a passkey, which needs JavaScript; empty if passkeys are unavailable."""
    to = form.extra.get("passkey", "")
    if not to:
        return []
    return [passkey(form, t("Log in with a passkey"), "get", action=to, look="plain", t=t)]


def _by_link(form: Form, t: Texts) -> list[VdomDict]:
    """Return the form that requests a mailed link, shown after the rate limit of attempts, else an empty list.

    Guesses by other people may have used up the limit.
    """
    to = form.extra.get("link", "")
    if not to:
        return []
    words = [t("You need no password to log in: we can send a link to your address.")]
    if form.extra.get("google") or form.extra.get("passkey"):
        words.append(t("The other ways in on this page work, too."))
    address = html.input({"type": "hidden", "name": "email", "value": form.values.get("login", "")})
    return [html.p(" ".join(words)), plain_form(form, address, submit(t("Send me a link")), action=to)]


def _beside(form: Form, t: Texts) -> VdomDict:
    ticked = bool(form.values.get("remember"))
    return html.div(
        {"class": "row row--apart"},
        check(t("Remember me"), "remember", defaultChecked=ticked),
        link(onward("/forgot-password", form), t("Forgot password")),
    )
