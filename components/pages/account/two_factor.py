"""The page after the password: a code, a recovery code, or a passkey."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import Markup, VdomDict, component, html
from components.page import Page
from components.pages.account.fields import code
from components.ui.auth_card import aside, either, ticket
from components.ui.blocks import link
from components.ui.passkey_button import passkey
from components.ui.plain_forms import answers, entries, posted, submit


def screen(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the question for the second factor."""
    _ = texts(language)
    description = _("Your account is guarded by more than a password.")
    return Page(title=_("One more step"), description=description, component=two_factor_page, data=form)


@component
def two_factor_page(page: Page) -> VdomDict:
    """What this account has; `extra` holds `code` and whether there is a `passkey`."""
    form: Form = page.data
    _ = texts(page.language)
    typed: list[Markup] = []
    if form.extra.get("code", True):
        hint = _("From your authenticator app, or one of your recovery codes.")
        typed = [posted(form, *entries(form, [code(_, hint)], _), submit(_("Log in")))]
    return ticket(
        page.title,
        *answers(form, _),
        html.p(page.description),
        *typed,
        *passkey_way(form, _("Use a passkey"), action="/two-factor", after=bool(typed), language=page.language),
        aside(_("Nothing at hand?"), " ", link("/contact", _("Write to us"))),
        foot=_("Row by row"),
        _=_,
    )


def passkey_way(form: Form, words: str, *, action: str, after: bool, language: str) -> list[VdomDict]:
    """Return the passkey's button with the word "or" before it, if the account has a passkey."""
    _ = texts(language)
    if not form.extra.get("passkey"):
        return []
    button = passkey(form, words, "get", action=action, look="plain" if after else "", _=_)
    return [either(_("or")), button] if after else [button]
