"""The pages of an authenticator app: setting it up, and doing without."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import Markup, VdomDict, component, html
from components.page import Page
from components.pages.account.factors import PATH
from components.pages.account.fields import code
from components.ui.auth_card import aside, ticket
from components.ui.blocks import link
from components.ui.plain_forms import answers, entries, posted, submit
from components.ui.qr_code import qr

GROUP = 4  # characters of the secret that are typed at a time


def screen(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the secret, and the field for the first code."""
    _ = texts(language)
    description = _("Scan this with your authenticator app, then type the code that it shows.")
    return Page(title=_("Authenticator app"), description=description, component=authenticator_page, data=form)


@component
def authenticator_page(page: Page) -> VdomDict:
    """The secret as a square and as letters; `extra` holds `totp_url`, `secret`, and `signed_secret` for the form."""
    form: Form = page.data
    _ = texts(page.language)
    secret, address = form.extra.get("secret", ""), form.extra.get("totp_url", "")
    taken = html.input({"type": "hidden", "name": "secret", "value": form.extra.get("signed_secret", "")})
    shown: list[Markup] = []
    if secret:
        groups = " ".join(secret[at : at + GROUP] for at in range(0, len(secret), GROUP))
        typed = html.p(_("Or type this key into the app:"), " ", html.code({"class": "secret"}, groups))
        shown = [qr(address, _("The key of your authenticator app, to be scanned")), typed]
    return ticket(
        page.title,
        *answers(form, _),
        html.p(page.description),
        *shown,
        posted(form, taken, *entries(form, [code(_)], _), submit(_("Turn on"))),
        aside(link(PATH, _("Leave it as it is"))),
        foot=_("Yours"),
        _=_,
    )


def off(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the question whether to do without the app."""
    _ = texts(language)
    description = _("Without it, your password alone opens your account, unless you have a passkey.")
    return Page(title=_("Turn off the authenticator app?"), description=description, component=off_page, data=form)


@component
def off_page(page: Page) -> VdomDict:
    """The question and its two answers."""
    form: Form = page.data
    _ = texts(page.language)
    return ticket(
        page.title,
        *answers(form, _),
        html.p(page.description),
        posted(form, submit(_("Turn off"))),
        aside(link(PATH, _("Leave it as it is"))),
        foot=_("Not valid"),
        _=_,
    )
