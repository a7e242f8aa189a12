"""Rules for every account screen: landmarks, titles, hidden fields, labels, errors and focus."""

import pytest

from apps.accounts.actors import Viewer
from components.runtime.form import FormMessage
from components.runtime.rendering.document import Document
from tests.components.pages.account.screens import ASKING, EVERY, TOKEN, form_of, look, typed, visually_hidden
from tests.components.seen import attributes, every, one, text

GIVEN = {"password": "nocturne op. 9", "password1": "nocturne op. 9", "password2": "nocturne op. 9"}
asking = pytest.mark.parametrize("name", ASKING)
all_screens = pytest.mark.parametrize("name", EVERY)


@all_screens
def test_screen_is_a_page_with_its_landmarks_and_one_heading(name):
    seen = look(EVERY[name])
    assert text(one(seen.main, "h1")).strip()
    assert attributes(one(seen.main, "h1"))["tabIndex"] == -1
    assert len(seen.page.description) > 10
    assert len(every(seen.model, "header")) == len(every(seen.model, "footer")) == 1


def test_titles_and_descriptions_tell_screens_apart():
    pages = [look(screen).page for screen in EVERY.values()]
    assert len({(page.title, page.description) for page in pages}) == len(EVERY)


@all_screens
def test_screen_is_not_for_search_engines(name):
    seen = look(EVERY[name])
    assert b'<meta name="robots" content="noindex">' in Document(seen.page, seen.model, plain=True).html([])


@all_screens
def test_screen_loads_no_script_of_the_client(name):
    seen = look(EVERY[name])
    assert b"client.js" not in Document(seen.page, seen.model, plain=True).html([])


@all_screens
def test_the_stub_is_a_drawing(name):
    stub = one(look(EVERY[name]).main, look="ticket__stub")
    assert attributes(stub)["aria-hidden"] == "true"
    assert not every(stub, "a")


@asking
def test_every_form_is_posted_with_its_token(name):
    for form in every(look(ASKING[name]).main, "form"):
        assert attributes(form)["method"] == "post"
        assert visually_hidden(form)["csrfmiddlewaretoken"] == TOKEN
        assert len(every(form, "button", type="submit")) == 1


@asking
def test_a_form_goes_to_its_address_or_the_pages_own(name):
    own = attributes(form_of(look(ASKING[name]))).get("action")
    assert own is None or own.startswith("/verify-email/")
    if own is None:
        assert attributes(form_of(look(ASKING[name], action="/somewhere")))["action"] == "/somewhere"


@asking
def test_hidden_values_travel_along(name):
    assert (
        visually_hidden(form_of(look(ASKING[name], hidden={"next": "/sessions/3?show=past"})))["next"]
        == "/sessions/3?show=past"
    )


@asking
def test_no_password_is_ever_written_back(name):
    seen = look(ASKING[name], values=GIVEN)
    assert "nocturne" not in seen.html


@asking
def test_what_was_typed_stays(name):
    fields = [field for field, given in typed(look(ASKING[name])).items() if given["type"] in ("text", "email")]
    seen = look(ASKING[name], values={field: f'"{field}" <ł>' for field in fields})
    assert {field: typed(seen)[field]["defaultValue"] for field in fields} == {f: f'"{f}" <ł>' for f in fields}


@asking
def test_every_field_has_its_label_and_is_asked_for(name):
    seen = look(ASKING[name])
    labels = {attributes(label)["htmlFor"] for label in every(seen.main, "label")}
    fields = typed(seen).values()
    assert {field["id"] for field in fields} == labels
    assert all(field.get("required") for field in fields if field["type"] != "checkbox")


@asking
def test_an_error_stands_at_its_field_and_the_first_has_the_focus(name):
    fields = [field for field, given in typed(look(ASKING[name])).items() if given["type"] != "checkbox"]
    seen = look(ASKING[name], errors={field: (f"Wrong {field}",) for field in reversed(fields)})
    for field in fields:
        given = typed(seen)[field]
        assert given["aria-invalid"] == "true"
        said = given["aria-describedby"].split()[-1]
        assert text(one(seen.main, id=said)) == f"Wrong {field}"
    assert [field for field, given in typed(seen).items() if given.get("autoFocus")] == fields[:1]
    assert not every(seen.main, role="alert")


@asking
def test_an_error_of_the_whole_form_is_said_aloud_and_told_by_what_is_to_be_typed_again(name):
    seen = look(ASKING[name], errors={"": ("Failed to do it.", "Twice.")})
    alert = one(seen.main, role="alert")
    assert [text(line) for line in every(alert, "p")] == ["Failed to do it.", "Twice."]
    focused = [given for given in typed(seen).values() if given.get("autoFocus")]
    secret = [given for given in typed(seen).values() if given["type"] == "password"]
    if typed(seen):
        assert focused == (secret or list(typed(seen).values()))[:1]
        assert attributes(alert)["id"] in focused[0]["aria-describedby"].split()
        assert "aria-invalid" not in focused[0]


@asking
def test_without_errors_nothing_takes_the_focus(name):
    seen = look(ASKING[name])
    assert not [given for given in typed(seen).values() if "autoFocus" in given or "aria-invalid" in given]


@pytest.mark.parametrize(("good", "role"), [(True, "status"), (False, "alert")])
@asking
def test_what_was_said_is_shown(name, good, role):
    seen = look(ASKING[name], messages=(FormMessage("Something happened.", is_good=good),))
    assert text(one(seen.main, role=role)) == "Something happened."


@all_screens
def test_the_masthead_knows_who_looks(name):
    seen = look(EVERY[name], viewer=Viewer(id=4, username="una_corda"))
    ways = one(seen.model, "nav", id="nav")
    assert "Sign out" in text(ways)
    assert "Log in" not in text(ways)
