"""The screens of passkeys: list, adding, renaming and removing."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from apps.accounts.selectors.own_account import Factors, Passkey
from components.pages.account import passkeys
from tests.components.pages.account.screens import TOKEN, form_of, links, look, typed, visually_hidden
from tests.components.seen import attributes, every, name, one, text

ADDED, USED = datetime(2026, 10, 2, 18, tzinfo=UTC), datetime(2026, 10, 9, 18, tzinfo=UTC)
PHONE = Passkey(7, "Telefon Łucji", ADDED, None)


def listed(*found):
    return look(passkeys.overview, extra={"factors": Factors(passkeys=found)})


def test_without_any_there_is_the_way_to_one():
    seen = listed()
    assert not every(seen.main, look="seats")
    assert links(seen) == {
        "Add a passkey": "/profile/passkeys/add",
        "Back to signing in safely": "/profile/two-factor",
    }


@pytest.mark.parametrize(("used", "words", "when"), [(None, "Added", ADDED), (USED, "Last used", USED)])
def test_each_is_named_with_its_last_use(used, words, when):
    row = one(one(listed(replace(PHONE, last_used_at=used)).main, look="seats"), "li")
    assert text(one(row, look="seats__name")) == "Telefon Łucji"
    assert text(one(row, look="seats__when")).startswith(f"{words} ")
    assert attributes(one(row, "time"))["dateTime"].startswith(when.strftime("%Y-%m-%d"))


def test_ways_of_two_are_told_apart_by_ear():
    seen = listed(PHONE, replace(PHONE, id=8, name="Klucz"))
    assert {words: to for words, to in links(seen).items() if "key=" in to} == {
        "Rename: Telefon Łucji": "/profile/passkeys/name?key=7",
        "Remove: Telefon Łucji": "/profile/passkeys/remove?key=7",
        "Rename: Klucz": "/profile/passkeys/name?key=8",
        "Remove: Klucz": "/profile/passkeys/remove?key=8",
    }


def test_a_new_one_is_made_by_the_browser():
    seen = look(passkeys.add)
    appearance = one(seen.main, data_passkey="create")
    assert attributes(appearance)["hidden"] is True
    form = form_of(seen)
    assert (attributes(form)["action"], attributes(form)["method"]) == ("/profile/passkeys/add", "post")
    assert visually_hidden(form) == {"csrfmiddlewaretoken": TOKEN, "passwordless": "on", "credential": ""}
    assert "This needs JavaScript." in text(one(seen.main, "noscript"))
    assert every(seen.main, "script") == every(appearance, "script"), "one small module, and the client nowhere"


def test_a_new_one_may_go_without_a_name():
    [asked] = typed(look(passkeys.add)).values()
    assert (asked["name"], asked["required"], asked["maxLength"], asked["autoComplete"]) == ("name", False, 60, "off")


def test_a_device_that_says_no_is_told_of_where_the_button_is():
    failed = one(one(look(passkeys.add).main, data_passkey="create"), role="alert")
    assert attributes(failed)["hidden"] is True
    assert text(failed) == "No passkey was used. You may try again, or take another way."


def test_what_is_wrong_with_the_answer_of_a_device_is_said():
    wrong = "This code does not fit. Please try again with a new one."
    seen = look(passkeys.add, errors={"credential": (wrong,)}, values={"name": "Klucz"})
    assert wrong in [text(node) for node in every(seen.main, role="alert")]
    assert typed(seen)["name"]["defaultValue"] == "Klucz"


def test_another_name_is_asked_for():
    seen = look(passkeys.rename, values={"name": "Telefon Łucji"}, errors={"name": ("Please enter a name",)})
    [asked] = typed(seen).values()
    assert (asked["defaultValue"], asked["required"], asked["autoFocus"]) == ("Telefon Łucji", True, True)
    assert text(one(seen.main, id="name-error")) == "Please enter a name"
    assert visually_hidden(form_of(seen)) == {"csrfmiddlewaretoken": TOKEN}
    assert links(seen) == {"Leave it as it is": "/profile/passkeys"}


def test_doing_without_names_what_goes():
    seen = look(passkeys.remove, extra={"name": "Telefon Łucji"})
    assert text(one(seen.main, "h1")) == "Remove the passkey “Telefon Łucji”?"
    assert seen.page.title == "Remove the passkey “Telefon Łucji”?"
    assert name(one(form_of(seen), "button")) == "Remove"
    assert links(seen) == {"Leave it as it is": "/profile/passkeys"}
