"""Listing, adding, renaming and removing passkeys."""

from apps.accounts.limits import PASSKEY_NAME_LENGTH
from apps.accounts.selectors.own_account import Factors, Passkey
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.pages.account.screen import AccountScreen
from components.pages.account.second_factors import PASSKEYS, PATH
from components.runtime import PageRequest, VdomDict, html
from components.ui.blocks import button_link, link, visually_hidden
from components.ui.empty_states import message
from components.ui.frames import aside
from components.ui.posted_forms import PASSKEY_SCRIPTS, Entry, entries, passkey
from components.ui.venue_time import ago


def overview(request: PageRequest) -> AccountScreen:
    """Return the page with the account's passkeys, which are in `extra["factors"]`, and a link to add one."""
    t, form = request.t, request.form
    factors: Factors = form.extra.get("factors", Factors())
    rows = [_row(each, request.language) for each in factors.passkeys]
    return AccountScreen(
        form=form,
        title=t("Passkeys"),
        description=t(
            "A passkey lives in your phone, your computer or a key on your ring, and signs in without a password."
        ),
        above=[html.ul({"class": "seats"}, *rows)] if rows else [],
        below=[
            button_link(f"{PASSKEYS}/add", t("Add a passkey")),
            aside(link(PATH, t("Back to signing in safely"))),
        ],
        foot=t("Yours"),
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


def add(request: PageRequest) -> AccountScreen:
    """Return the page that adds a passkey: the optional name and the button that starts WebAuthn."""
    t, form = request.t, request.form
    description = t("Your browser will ask for your finger, your face or a PIN. None of it leaves your device.")
    sent = html.input({"type": "hidden", "name": "passwordless", "value": "on"})
    inputs = entries(form, [_name(t, required=False)], t)
    return AccountScreen(
        form=form,
        title=t("Add a passkey"),
        description=description,
        description_as="head",
        above=[
            *(message(each, good=False) for each in form.errors.get("credential", ())),
            html.p(description),
            html.noscript(html.p(t("This needs JavaScript."))),
            passkey(form, t("Add a passkey"), "create", sent, *inputs, action=f"{PASSKEYS}/add", look="", t=t),
        ],
        below=[_back(t)],
        foot=t("Yours"),
        scripts=PASSKEY_SCRIPTS,
    )


def _name(t: Texts, *, required: bool) -> Entry:
    hint = t("So that you know it again, such as “my phone”.")
    return Entry("name", t("Name"), "text", "off", hint, {"maxLength": PASSKEY_NAME_LENGTH, "required": required})


def _back(t: Texts) -> VdomDict:
    return aside(link(PASSKEYS, t("Leave it as it is")))


def rename(request: PageRequest) -> AccountScreen:
    """Return the page that renames a passkey."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Rename the passkey"),
        description=t("Only you see this name."),
        fields=[_name(t, required=True)],
        submit=t("Save"),
        below=[_back(t)],
        foot=t("Yours"),
    )


def remove(request: PageRequest) -> AccountScreen:
    """Return the page that asks for confirmation to remove a passkey; `extra["name"]` is its name."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Remove the passkey “%(name)s”?") % {"name": form.extra.get("name", "")},
        description=t("It no longer opens your account. In your device it stays until you delete it there."),
        submit=t("Remove"),
        below=[_back(t)],
        foot=t("Not valid"),
    )
