"""Second step of signing in: a code, a recovery code or a passkey."""

from apps.core.texts import texts
from components.pages.account.fields import code
from components.runtime import Form, Markup, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import link
from components.ui.frames import aside, either, ticket
from components.ui.posted_forms import PASSKEY_SCRIPTS, answers, entries, passkey, plain_form, submit


def screen(request: PageRequest) -> Page:
    """Return the page that requests the second factor."""
    t = request.t
    description = t("Your account is guarded by more than a password.")
    return Page(
        title=t("One more step"),
        description=description,
        component=two_factor_page,
        data=request.form,
        scripts=PASSKEY_SCRIPTS,
    )


@component
def two_factor_page(page: Page) -> VdomDict:
    """Render the fields of the account's factors; `code` and `passkey` in `extra` are the available ones."""
    form: Form = page.data
    t = texts(page.language)
    typed: list[Markup] = []
    if form.extra.get("code", True):
        hint = t("From your authenticator app, or one of your recovery codes.")
        typed = [plain_form(form, *entries(form, [code(t, hint)], t), submit(t("Log in")))]
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        *typed,
        *passkey_way(form, t("Use a passkey"), action="/two-factor", after=bool(typed), language=page.language),
        aside(t("Nothing at hand?"), " ", link("/contact", t("Write to us"))),
        foot=t("Row by row"),
        t=t,
    )


def passkey_way(form: Form, words: str, *, action: str, after: bool, language: str) -> list[VdomDict]:
    """Return the passkey button if the account has a passkey, with a separator "or" if it is `after` a form."""
    t = texts(language)
    if not form.extra.get("passkey"):
        return []
    button = passkey(form, words, "get", action=action, look="plain" if after else "", t=t)
    return [either(t("or")), button] if after else [button]
