"""Pages that list, add, rename and remove passkeys."""

from apps.accounts.limits import PASSKEY_NAME_LENGTH
from apps.accounts.selectors.own_account import Factors, Passkey
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.pages.account.second_factor.factors import PASSKEYS, PATH
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import button_link, link, visually_hidden
from components.ui.empty_states import message
from components.ui.frames import aside, ticket
from components.ui.posted_forms import PASSKEY_SCRIPTS, Entry, answers, entries, passkey, plain_form, submit
from components.ui.venue_time import ago


def _name(t: Texts, *, required: bool) -> Entry:
    hint = t("So that you know it again, such as “my phone”.")
    return Entry("name", t("Name"), "text", "off", hint, {"maxLength": PASSKEY_NAME_LENGTH, "required": required})


def screen(request: PageRequest) -> Page:
    """Return the page with the account's passkeys, which are in `extra["factors"]`."""
    t = request.t
    description = t(
        "A passkey lives in your phone, your computer or a key on your ring, and signs in without a password."
    )
    return Page(title=t("Passkeys"), description=description, component=passkeys_page, data=request.form)


@component
def passkeys_page(page: Page) -> VdomDict:
    """Render the list and a link to add a passkey."""
    form: Form = page.data
    t = texts(page.language)
    factors: Factors = form.extra.get("factors", Factors())
    rows = [_row(each, page.language) for each in factors.passkeys]
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        html.ul({"class": "seats"}, *rows) if rows else None,
        button_link(f"{PASSKEYS}/add", t("Add a passkey")),
        aside(link(PATH, t("Back to signing in safely"))),
        foot=t("Yours"),
        t=t,
    )


def _row(each: Passkey, language: str) -> VdomDict:
    t = texts(language)
    used = each.last_used_at or each.created_at
    words = t("Last used") if each.last_used_at else t("Added")
    when = ago(used, zone=venue_zone(), language=language)
    return html.li(
        {"key": str(each.id)},
        html.div(html.p({"class": "seats__name"}, each.name), html.p({"class": "seats__when"}, words, " ", when)),
        html.div(
            {"class": "row"},
            link(f"{PASSKEYS}/name?key={each.id}", t("Rename"), visually_hidden(f": {each.name}")),
            link(f"{PASSKEYS}/remove?key={each.id}", t("Remove"), visually_hidden(f": {each.name}")),
        ),
    )


def add(request: PageRequest) -> Page:
    """Return the page that adds a passkey."""
    t = request.t
    description = t("Your browser will ask for your finger, your face or a PIN. None of it leaves your device.")
    return Page(
        title=t("Add a passkey"),
        description=description,
        component=add_page,
        data=request.form,
        scripts=PASSKEY_SCRIPTS,
    )


@component
def add_page(page: Page) -> VdomDict:
    """Render the optional name and the button that starts WebAuthn."""
    form: Form = page.data
    t = texts(page.language)
    inputs = entries(form, [_name(t, required=False)], t)
    sent = html.input({"type": "hidden", "name": "passwordless", "value": "on"})
    return ticket(
        page.title,
        *answers(form, t),
        *(message(each, good=False) for each in form.errors.get("credential", ())),
        html.p(page.description),
        html.noscript(html.p(t("This needs JavaScript."))),
        passkey(form, t("Add a passkey"), "create", sent, *inputs, action=f"{PASSKEYS}/add", look="", t=t),
        aside(link(PASSKEYS, t("Leave it as it is"))),
        foot=t("Yours"),
        t=t,
    )


def rename(request: PageRequest) -> Page:
    """Return the page that renames a passkey."""
    t = request.t
    description = t("Only you see this name.")
    return Page(title=t("Rename the passkey"), description=description, component=rename_page, data=request.form)


@component
def rename_page(page: Page) -> VdomDict:
    """Render the field for the name."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        plain_form(form, *entries(form, [_name(t, required=True)], t), submit(t("Save"))),
        aside(link(PASSKEYS, t("Leave it as it is"))),
        foot=t("Yours"),
        t=t,
    )


def remove(request: PageRequest) -> Page:
    """Return the page that asks for confirmation to remove a passkey; `extra["name"]` is its name."""
    t = request.t
    title = t("Remove the passkey “%(name)s”?") % {"name": request.form.extra.get("name", "")}
    description = t("It no longer opens your account. In your device it stays until you delete it there.")
    return Page(title=title, description=description, component=remove_page, data=request.form)


@component
def remove_page(page: Page) -> VdomDict:
    """Render the question with a button and a link back."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        plain_form(form, submit(t("Remove"))),
        aside(link(PASSKEYS, t("Leave it as it is"))),
        foot=t("Not valid"),
        t=t,
    )
