"""The screens of second factors: overview, authenticator app, recovery codes, passkeys, and asking for a factor."""

from dataclasses import replace
from datetime import UTC, datetime

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import Factors, Passkey
from components.pages.account import passkeys, reauthentication, second_factors, sign_in
from components.runtime.form import FormMessage
from tests.components.pages.account.screens import TOKEN, form_of, links, look, typed, visually_hidden
from tests.components.seen import attributes, classes, every, name, one, text

LACKING = Viewer(id=4, username="halina_k", lacks_factor=True)
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
KEPT = ("12345678", "23456789")
PHONE = Passkey(7, "My phone", datetime(2026, 10, 2, tzinfo=UTC), None)
NEXT = {"next": "/profile/two-factor/codes"}


def rows(seen):
    """Return the name, the state and the label of the link of each factor in the overview."""
    return [
        [text(one(row, look="seats__name")), text(one(row, look="seats__when")), name(one(row, "a"))]
        for row in every(one(seen.main, look="seats"), "li")
    ]


def test_overview_lists_factors_warnings_and_messages():
    seen = look(second_factors.overview)
    assert text(one(seen.main, "h1")) == "Signing in safely"
    assert rows(seen) == [
        ["Passkeys", "None yet", "Set up: Passkeys"],
        ["Authenticator app", "Off", "Set up: Authenticator app"],
    ]
    assert set(links(seen).values()) == {"/profile/passkeys", "/profile/two-factor/app", "/profile"}
    assert not every(seen.main, role="alert")
    factors = Factors(has_app=True, passkeys=(PHONE, PHONE), has_codes=True)
    seen = look(second_factors.overview, extra={"factors": factors})
    assert rows(seen) == [
        ["Passkeys", "2 set up", "Manage: Passkeys"],
        ["Authenticator app", "On", "Turn off: Authenticator app"],
        ["Recovery codes", "For the day on which your phone is lost", "Show: Recovery codes"],
    ]
    assert list(links(seen).values()) == [
        "/profile/passkeys",
        "/profile/two-factor/app/off",
        "/profile/two-factor/codes",
        "/profile",
    ]
    seen = look(second_factors.overview, viewer=LACKING)
    assert text(one(seen.main, role="alert")) == "Administrators need one of these before they can run the site."
    seen = look(second_factors.overview, messages=(FormMessage("Codes from your app are no longer asked."),))
    assert text(one(seen.main, role="status")) == "Codes from your app are no longer asked."


def test_app_is_set_up_by_code_or_key():
    seen = look(second_factors.app, extra={"secret": SECRET, "totp_url": f"otpauth://totp/x?secret={SECRET}"})
    code = one(seen.main, "svg", look="qr")
    assert attributes(code)["aria-label"] == "The key of your authenticator app, to be scanned"
    assert attributes(code)["role"] == "img"
    assert text(one(seen.main, look="secret")) == "JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP"
    assert SECRET not in seen.html, "the key is shown in groups, and the code is a drawing"
    assert links(seen) == {"Leave it as it is": "/profile/two-factor"}
    seen = look(second_factors.app)
    assert not every(seen.main, "svg", look="qr")
    assert not every(seen.main, look="secret")
    assert list(typed(seen)) == ["code"]


def test_code_fields_are_filled_by_phones():
    for screen in (second_factors.app, sign_in.two_factor, reauthentication.by_code):
        sentence = "This code does not fit. Please try again with a new one."
        seen = look(screen, errors={"code": (sentence,)}, values={"code": "000000"})
        [field] = typed(seen).values()
        assert (field["type"], field["autoComplete"], field["inputMode"]) == ("text", "one-time-code", "numeric")
        assert (field["aria-invalid"], field["autoFocus"], field["required"]) == ("true", True, True)
        assert text(one(seen.main, id="code-error")) == sentence


def test_irreversible_steps_need_confirmation():
    for screen, question, label in (
        (second_factors.app_off, "Turn off the authenticator app?", "Turn off"),
        (second_factors.codes_new, "Make new recovery codes?", "Make new ones"),
    ):
        seen = look(screen)
        assert text(one(seen.main, "h1")) == question
        assert name(one(form_of(seen), "button")) == label
        assert links(seen) == {"Leave it as it is": "/profile/two-factor"}


def test_recovery_codes_are_shown_until_used():
    seen = look(second_factors.codes, extra={"unused_codes": KEPT})
    assert [text(code) for code in every(one(seen.main, look="codes"), "code")] == list(KEPT)
    assert links(seen) == {
        "Download": "/profile/two-factor/codes/download",
        "Make new ones": "/profile/two-factor/codes/new",
        "Back to signing in safely": "/profile/two-factor",
    }
    seen = look(second_factors.codes)
    assert "You have used all of them." in text(seen.main)
    assert not every(seen.main, look="codes")
    assert "Download" not in links(seen)
    assert links(seen)["Make new ones"] == "/profile/two-factor/codes/new"


def test_second_step_has_a_code_or_a_passkey_or_both():
    seen = look(sign_in.two_factor, extra={"code": True, "passkey": False})
    hint = text(one(seen.main, id="code-hint"))
    assert hint == "From your authenticator app, or one of your recovery codes."
    assert not every(seen.main, look="or")
    assert links(seen) == {"Write to us": "/contact"}
    seen = look(sign_in.two_factor, extra={"code": False, "passkey": True}, hidden=NEXT)
    assert not [field for field in typed(seen) if field != "credential"]
    appearance = one(seen.main, data_passkey="get")
    assert attributes(appearance)["hidden"] is True
    assert attributes(form_of(seen))["action"] == "/two-factor"
    assert visually_hidden(form_of(seen)) == {"csrfmiddlewaretoken": TOKEN, "credential": "", **NEXT}
    assert "button--plain" not in classes(one(appearance, "button"))
    assert not every(seen.main, look="or")
    seen = look(sign_in.two_factor, extra={"code": True, "passkey": True})
    assert text(one(seen.main, look="or")) == "or"
    assert [name(button) for button in every(seen.main, "button")] == ["Log in", "Use a passkey"]
    assert len(every(seen.main, "form")) == 2


def factors(*, password=False, code=False, google=""):
    return {"password": password, "code": code, "google": google}


def test_reauthentication_is_by_each_way_that_the_account_has():
    seen = look(reauthentication.ask, extra={"ways": factors(password=True, code=True), "email": "una@example.org"})
    fields = typed(seen)
    assert (fields["email"]["autoComplete"], fields["email"]["readOnly"]) == ("username", True)
    assert fields["password"]["autoComplete"] == "current-password"
    assert links(seen) == {"Use a code instead": "/reauthenticate/code"}
    seen = look(reauthentication.ask, extra={"ways": factors(password=True, code=True)}, hidden=NEXT)
    onward = "?next=%2Fprofile%2Ftwo-factor%2Fcodes"
    assert links(seen) == {"Use a code instead": f"/reauthenticate/code{onward}"}
    assert links(look(reauthentication.by_code, hidden=NEXT)) == {"Another way": f"/reauthenticate{onward}"}
    seen = look(reauthentication.ask, extra={"ways": factors(password=True), "passkey": True})
    assert [name(button) for button in every(seen.main, "button")] == ["Confirm", "Use a passkey"]
    assert attributes(every(seen.main, "form")[1])["action"] == "/reauthenticate/passkey"
    seen = look(reauthentication.ask, extra={"ways": factors(google="/login/google")}, hidden=NEXT)
    assert "Please sign in once more before you go on." in text(seen.main)
    assert attributes(form_of(seen))["action"] == "/login/google"
    assert name(one(form_of(seen), "button")) == "Sign in with Google"
    assert visually_hidden(form_of(seen)) == {"csrfmiddlewaretoken": TOKEN, **NEXT}
    seen = look(reauthentication.ask, extra={"ways": factors(password=True, google="/login/google")})
    assert "Google" not in text(seen.main)
    seen = look(reauthentication.ask, extra={"ways": factors()})
    assert not every(seen.main, "form")
    assert "Your account has no password yet." in text(seen.main)
    assert links(seen) == {"Have a link sent": "/forgot-password"}


ADDED, USED = datetime(2026, 10, 2, 18, tzinfo=UTC), datetime(2026, 10, 9, 18, tzinfo=UTC)
LUCJAS_PHONE = Passkey(7, "Telefon Łucji", ADDED, None)


def listed(*keys):
    return look(passkeys.overview, extra={"factors": Factors(passkeys=keys)})


def test_passkeys_are_listed_with_last_use_and_links():
    seen = listed()
    assert not every(seen.main, look="seats")
    assert links(seen) == {"Add a passkey": "/profile/passkeys/add", "Back to signing in safely": "/profile/two-factor"}
    for used, words, when in ((None, "Added", ADDED), (USED, "Last used", USED)):
        row = one(one(listed(replace(LUCJAS_PHONE, last_used_at=used)).main, look="seats"), "li")
        assert text(one(row, look="seats__name")) == "Telefon Łucji"
        assert text(one(row, look="seats__when")).startswith(f"{words} ")
        assert attributes(one(row, "time"))["dateTime"].startswith(when.strftime("%Y-%m-%d"))
    seen = listed(LUCJAS_PHONE, replace(LUCJAS_PHONE, id=8, name="Klucz"))
    assert {words: to for words, to in links(seen).items() if "key=" in to} == {
        "Rename: Telefon Łucji": "/profile/passkeys/name?key=7",
        "Remove: Telefon Łucji": "/profile/passkeys/remove?key=7",
        "Rename: Klucz": "/profile/passkeys/name?key=8",
        "Remove: Klucz": "/profile/passkeys/remove?key=8",
    }
    seen = look(passkeys.remove, extra={"name": "Telefon Łucji"})
    assert text(one(seen.main, "h1")) == "Remove the passkey “Telefon Łucji”?"
    assert seen.page.title == "Remove the passkey “Telefon Łucji”?"
    assert name(one(form_of(seen), "button")) == "Remove"
    assert links(seen) == {"Leave it as it is": "/profile/passkeys"}


def test_passkey_is_created_by_the_browser():
    seen = look(passkeys.add)
    appearance = one(seen.main, data_passkey="create")
    assert attributes(appearance)["hidden"] is True
    form = form_of(seen)
    assert (attributes(form)["action"], attributes(form)["method"]) == ("/profile/passkeys/add", "post")
    assert visually_hidden(form) == {"csrfmiddlewaretoken": TOKEN, "passwordless": "on", "credential": ""}
    assert "This needs JavaScript." in text(one(seen.main, "noscript"))
    assert every(seen.main, "script") == every(appearance, "script"), "the module is loaded elsewhere"
    [field] = typed(look(passkeys.add)).values()
    assert (field["name"], field["required"], field["maxLength"], field["autoComplete"]) == ("name", False, 60, "off")
    sentence = "This code does not fit. Please try again with a new one."
    seen = look(passkeys.add, errors={"credential": (sentence,)}, values={"name": "Klucz"})
    assert sentence in [text(node) for node in every(seen.main, role="alert")]
    assert typed(seen)["name"]["defaultValue"] == "Klucz"
    alert = one(one(look(passkeys.add).main, data_passkey="create"), role="alert")
    assert attributes(alert)["hidden"] is True
    assert text(alert) == "No passkey was used. You may try again, or take another way."
