"""The screens of passkeys: list, adding, renaming and removing."""

from dataclasses import replace
from datetime import UTC, datetime

from apps.accounts.selectors.own_account import Factors, Passkey
from components.pages.account import passkeys
from tests.components.pages.account.screens import TOKEN, form_of, links, look, typed, visually_hidden
from tests.components.seen import attributes, every, name, one, text

ADDED, USED = datetime(2026, 10, 2, 18, tzinfo=UTC), datetime(2026, 10, 9, 18, tzinfo=UTC)
PHONE = Passkey(7, "Telefon Łucji", ADDED, None)


def listed(*keys):
    return look(passkeys.overview, extra={"factors": Factors(passkeys=keys)})


def test_empty_list_links_to_adding_a_passkey():
    seen = listed()
    assert not every(seen.main, look="seats")
    assert links(seen) == {"Add a passkey": "/profile/passkeys/add", "Back to signing in safely": "/profile/two-factor"}


def test_passkey_has_its_name_and_last_use():
    for used, words, when in ((None, "Added", ADDED), (USED, "Last used", USED)):
        row = one(one(listed(replace(PHONE, last_used_at=used)).main, look="seats"), "li")
        assert text(one(row, look="seats__name")) == "Telefon Łucji"
        assert text(one(row, look="seats__when")).startswith(f"{words} ")
        assert attributes(one(row, "time"))["dateTime"].startswith(when.strftime("%Y-%m-%d"))


def test_links_of_passkeys_have_different_names():
    seen = listed(PHONE, replace(PHONE, id=8, name="Klucz"))
    assert {words: to for words, to in links(seen).items() if "key=" in to} == {
        "Rename: Telefon Łucji": "/profile/passkeys/name?key=7",
        "Remove: Telefon Łucji": "/profile/passkeys/remove?key=7",
        "Rename: Klucz": "/profile/passkeys/name?key=8",
        "Remove: Klucz": "/profile/passkeys/remove?key=8",
    }


def test_passkey_is_created_by_the_browser():
    seen = look(passkeys.add)
    appearance = one(seen.main, data_passkey="create")
    assert attributes(appearance)["hidden"] is True
    form = form_of(seen)
    assert (attributes(form)["action"], attributes(form)["method"]) == ("/profile/passkeys/add", "post")
    assert visually_hidden(form) == {"csrfmiddlewaretoken": TOKEN, "passwordless": "on", "credential": ""}
    assert "This needs JavaScript." in text(one(seen.main, "noscript"))
    assert every(seen.main, "script") == every(appearance, "script"), "the module is loaded elsewhere"


def test_passkey_forms_keep_what_was_typed():
    [field] = typed(look(passkeys.add)).values()
    assert (field["name"], field["required"], field["maxLength"], field["autoComplete"]) == ("name", False, 60, "off")
    sentence = "This code does not fit. Please try again with a new one."
    seen = look(passkeys.add, errors={"credential": (sentence,)}, values={"name": "Klucz"})
    assert sentence in [text(node) for node in every(seen.main, role="alert")]
    assert typed(seen)["name"]["defaultValue"] == "Klucz"


def test_refusal_of_the_device_has_a_hidden_alert():
    alert = one(one(look(passkeys.add).main, data_passkey="create"), role="alert")
    assert attributes(alert)["hidden"] is True
    assert text(alert) == "No passkey was used. You may try again, or take another way."


def test_rename_form_requires_a_name():
    seen = look(passkeys.rename, values={"name": "Telefon Łucji"}, errors={"name": ("Please enter a name",)})
    [field] = typed(seen).values()
    assert (field["defaultValue"], field["required"], field["autoFocus"]) == ("Telefon Łucji", True, True)
    assert text(one(seen.main, id="name-error")) == "Please enter a name"
    assert visually_hidden(form_of(seen)) == {"csrfmiddlewaretoken": TOKEN}
    assert links(seen) == {"Leave it as it is": "/profile/passkeys"}


def test_removal_names_the_passkey():
    seen = look(passkeys.remove, extra={"name": "Telefon Łucji"})
    assert text(one(seen.main, "h1")) == "Remove the passkey “Telefon Łucji”?"
    assert seen.page.title == "Remove the passkey “Telefon Łucji”?"
    assert name(one(form_of(seen), "button")) == "Remove"
    assert links(seen) == {"Leave it as it is": "/profile/passkeys"}
