"""Pages that set up an authenticator app and turn it off."""

from apps.core.texts import texts
from components.pages.account.fields import code
from components.pages.account.second_factor.factors import PATH
from components.runtime import Form, Markup, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import link, qr
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, entries, plain_form, submit

GROUP = 4  # characters in each displayed group of the secret


def screen(request: PageRequest) -> Page:
    """Return the page with the app's secret and the field for the first code."""
    t = request.t
    description = t("Scan this with your authenticator app, then type the code that it shows.")
    return Page(title=t("Authenticator app"), description=description, component=authenticator_page, data=request.form)


@component
def authenticator_page(page: Page) -> VdomDict:
    """Render the secret as a QR code and as text; `extra` contains `totp_url`, `secret` and `signed_secret`."""
    form: Form = page.data
    t = texts(page.language)
    secret, address = form.extra.get("secret", ""), form.extra.get("totp_url", "")
    taken = html.input({"type": "hidden", "name": "secret", "value": form.extra.get("signed_secret", "")})
    shown: list[Markup] = []
    if secret:
        groups = " ".join(secret[at : at + GROUP] for at in range(0, len(secret), GROUP))
        typed = html.p(t("Or type this key into the app:"), " ", html.code({"class": "secret"}, groups))
        shown = [qr(address, t("The key of your authenticator app, to be scanned")), typed]
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        *shown,
        plain_form(form, taken, *entries(form, [code(t)], t), submit(t("Turn on"))),
        aside(link(PATH, t("Leave it as it is"))),
        foot=t("Yours"),
        t=t,
    )


def off(request: PageRequest) -> Page:
    """Return the page that asks for confirmation to turn off the app."""
    t = request.t
    description = t("Without it, your password alone opens your account, unless you have a passkey.")
    return Page(
        title=t("Turn off the authenticator app?"), description=description, component=off_page, data=request.form
    )


@component
def off_page(page: Page) -> VdomDict:
    """Render the question with a button and a link back."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        plain_form(form, submit(t("Turn off"))),
        aside(link(PATH, t("Leave it as it is"))),
        foot=t("Not valid"),
        t=t,
    )
