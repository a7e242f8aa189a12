"""Rules for every account screen: landmarks, titles, hidden fields, labels, errors and focus."""

from apps.accounts.actors import Viewer
from components.runtime.form import FormMessage
from components.runtime.rendering.document import Document
from tests.components.pages.account.screens import ASKING, EVERY, TOKEN, form_of, look, typed, visually_hidden
from tests.components.seen import attributes, every, one, text
from tests.offenders import check_each

PASSWORDS = dict.fromkeys(("password", "password1", "password2"), "nocturne op. 9")


def check_screens(screens, check):
    """Call `check` with each screen; list the names of those that fail."""
    check_each(screens, lambda name: check(screens[name]), at_least=len(screens))


def test_every_screen_is_a_page_with_landmarks_and_no_script():
    def check(screen):
        seen = look(screen)
        assert text(one(seen.main, "h1")).strip()
        assert attributes(one(seen.main, "h1"))["tabIndex"] == -1
        assert len(seen.page.description) > 10
        assert len(every(seen.model, "header")) == len(every(seen.model, "footer")) == 1
        stub = one(seen.main, look="ticket__stub")
        assert attributes(stub)["aria-hidden"] == "true"
        assert not every(stub, "a")
        document = Document(seen.page, seen.model, plain=True).html([])
        assert b'<meta name="robots" content="noindex">' in document
        assert b"client.js" not in document

    check_screens(EVERY, check)


def test_titles_and_descriptions_are_unique():
    pages = [look(screen).page for screen in EVERY.values()]
    assert len({(page.title, page.description) for page in pages}) == len(EVERY)


def test_every_form_is_posted_to_its_address_with_a_token():
    def check(screen):
        for form in every(look(screen).main, "form"):
            assert attributes(form)["method"] == "post"
            assert visually_hidden(form)["csrfmiddlewaretoken"] == TOKEN
            assert len(every(form, "button", type="submit")) == 1
        own = attributes(form_of(look(screen))).get("action")
        assert own is None or own.startswith("/verify-email/")
        if own is None:
            assert attributes(form_of(look(screen, action="/somewhere")))["action"] == "/somewhere"
        hidden = {"next": "/sessions/3?show=past"}
        assert visually_hidden(form_of(look(screen, hidden=hidden)))["next"] == hidden["next"]

    check_screens(ASKING, check)


def test_forms_keep_typed_values_but_passwords_and_require_labelled_fields():
    def check(screen):
        assert "nocturne" not in look(screen, values=PASSWORDS).html
        names = [name for name, field in typed(look(screen)).items() if field["type"] in ("text", "email")]
        values = {name: f'"{name}" <ł>' for name in names}
        fields = typed(look(screen, values=values))
        assert {name: fields[name]["defaultValue"] for name in names} == values

    check_screens(ASKING, check)

    def check(screen):
        seen = look(screen)
        labels = {attributes(label)["htmlFor"] for label in every(seen.main, "label")}
        fields = typed(seen).values()
        assert {field["id"] for field in fields} == labels
        assert all(field.get("required") for field in fields if field["type"] != "checkbox")
        assert not [field for field in fields if "autoFocus" in field or "aria-invalid" in field]

    check_screens(ASKING, check)


def test_errors_are_at_their_fields_and_the_first_has_the_focus():
    def check(screen):
        names = [name for name, field in typed(look(screen)).items() if field["type"] != "checkbox"]
        seen = look(screen, errors={name: (f"Wrong {name}",) for name in reversed(names)})
        fields = typed(seen)
        for name in names:
            assert fields[name]["aria-invalid"] == "true"
            description = fields[name]["aria-describedby"].split()[-1]
            assert text(one(seen.main, id=description)) == f"Wrong {name}"
        assert [name for name, field in fields.items() if field.get("autoFocus")] == names[:1]
        assert not every(seen.main, role="alert")

    check_screens(ASKING, check)


def test_error_of_the_whole_form_is_an_alert_beside_the_focus():
    def check(screen):
        seen = look(screen, errors={"": ("Failed to do it.", "Twice.")})
        alert = one(seen.main, role="alert")
        assert [text(line) for line in every(alert, "p")] == ["Failed to do it.", "Twice."]
        fields = list(typed(seen).values())
        if fields:
            focused = [field for field in fields if field.get("autoFocus")]
            secret = [field for field in fields if field["type"] == "password"]
            assert focused == (secret or fields)[:1]
            assert attributes(alert)["id"] in focused[0]["aria-describedby"].split()
            assert "aria-invalid" not in focused[0]

    check_screens(ASKING, check)


def test_messages_are_shown_by_their_role():
    def check(screen):
        for is_good, role in ((True, "status"), (False, "alert")):
            seen = look(screen, messages=(FormMessage("Something happened.", is_good=is_good),))
            assert text(one(seen.main, role=role)) == "Something happened."

    check_screens(ASKING, check)


def test_masthead_offers_signed_in_viewers_to_sign_out():
    def check(screen):
        nav = one(look(screen, viewer=Viewer(id=4, username="una_corda")).model, "nav", id="nav")
        assert "Sign out" in text(nav)
        assert "Log in" not in text(nav)

    check_screens(EVERY, check)
