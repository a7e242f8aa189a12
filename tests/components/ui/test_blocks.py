"""Small blocks: keys, people, times, prose, tabs, messages, form fields, dialogs, buttons and headings."""

import datetime as dt
from zoneinfo import ZoneInfo

from apps.core.texts import texts
from components.ui import blocks, empty_states, forms, frames, marks, people, venue_time
from tests.components.seen import attributes, classes, every, one, text, tree

WARSAW = ZoneInfo("Europe/Warsaw")
LATE = dt.datetime(2027, 10, 12, 22, 30, tzinfo=dt.UTC)


def test_keys_are_25_and_mark_the_struck_one_and_the_average():
    board = tree(marks.keys(on=[23], mean=18, look="keys--mini"))
    shown = every(board, "i")
    assert len(shown) == 25
    assert [number for number, key in enumerate(shown, 1) if "on" in classes(key)] == [23]
    assert [number for number, key in enumerate(shown, 1) if "mean" in classes(key)] == [18]
    assert attributes(board)["aria-hidden"] == "true"


def test_strings_have_lengths_as_classes_within_their_limits():
    lengths = [-1, 0, 0.501, 1, 7] + [0.09] * 20
    shown = every(tree(marks.strings(lengths, on=3, numbered_to=4)), "i")
    assert [classes(key)[0] for key in shown[:6]] == ["n-0", "n-0", "n-50", "n-100", "n-100", "n-9"]
    assert classes(shown[2]) == ["n-50", "on"]
    assert [text(key) for key in shown if text(key)] == ["4"]


def test_paper_is_one_of_four_by_the_name():
    papers = {people.paper(f"listener{n}") for n in range(60)}
    assert papers == {1, 2, 3, 4}
    assert people.paper("Zofia Wróblewska-Łęcka") == people.paper("Zofia Wróblewska-Łęcka")


def test_cameo_shows_initials_and_a_picture_without_a_referrer():
    drawn = tree(people.cameo("Himuro Kanade", "HK"))
    assert text(drawn) == "HK"
    assert not every(drawn, "img")
    with_picture = tree(people.cameo("Himuro Kanade", "HK", "https://example.org/h.jpg", size="large"))
    image = attributes(one(with_picture, "img"))
    assert (image["alt"], image["loading"], image["referrerPolicy"]) == ("", "lazy", "no-referrer")
    assert {"cameo", "cameo--large"} < set(classes(with_picture))
    assert text(with_picture) == "HK"
    assert "disc" in classes(tree(people.disc("una_corda", "U", size="small")))


def test_moment_shows_venue_time_and_data_for_the_browser():
    shown = tree(venue_time.moment(LATE, zone=WARSAW, language="en"))
    assert text(shown) == "Wednesday, 13 October 2027, 00:30 in the hall"
    data = attributes(shown)
    assert data["dateTime"] == "2027-10-13T00:30:00+02:00"
    assert (data["data-when"], data["data-zone"], data["data-language"]) == ("moment", "Europe/Warsaw", "en")
    assert data["data-today"] == "TODAY - "
    assert data["data-yours"].replace("\u00a0", " ") == "{time} your time"
    assert data["data-hall"].replace("\u00a0", " ") == "{time} in the hall"


def test_date_is_written_out_and_stays_on_one_line():
    assert text(tree(venue_time.day(LATE, zone=WARSAW, language="en"))) == "13 October 2027"
    assert text(tree(venue_time.day(LATE, zone=WARSAW, language="en", long=True))) == "Wednesday, 13 October 2027"

    for shown in (
        venue_time.day(LATE, zone=WARSAW, language="en"),
        venue_time.moment(LATE, zone=WARSAW, language="en"),
        venue_time.ago(LATE, zone=WARSAW, language="en"),
    ):
        assert "13\u00a0October\u00a02027" in tree(shown)["children"][0]


def test_prose_has_one_paragraph_for_each_line():
    shown = tree(blocks.prose("First.\n\n  Second.  \r\nThird & <b>.\n"))
    assert [text(part) for part in every(shown, "p")] == ["First.", "Second.", "Third & <b>."]


def test_tabs_mark_the_open_tab():
    shown = tree(blocks.tabs("Sessions", [("/sessions", "Upcoming"), ("/sessions?show=past", "Past")], "/sessions"))
    assert attributes(shown)["aria-label"] == "Sessions"
    assert text(one(shown, "a", aria_current="page")) == "Upcoming"
    assert [attributes(link)["key"] for link in every(shown, "a")] == ["/sessions", "/sessions?show=past"]


def test_message_has_a_role_for_screen_readers():
    assert attributes(tree(empty_states.message("Saved.", good=True)))["role"] == "status"
    assert attributes(tree(empty_states.message("Saved.", good=False)))["role"] == "alert"


def test_skeleton_has_three_placeholders_hidden_from_screen_readers():
    shown = tree(empty_states.skeleton())
    assert len(every(shown, "li")) == 3
    assert attributes(shown)["aria-hidden"] == "true"
    assert "data-skeleton" in attributes(shown)


def test_empty_state_has_an_optional_link():
    assert not every(tree(empty_states.empty("No upcoming sessions found.")), "a")
    shown = tree(empty_states.empty("Participant not found.", ("/participants", "All participants")))
    assert attributes(one(shown, "a"))["href"] == "/participants"


def test_field_refers_to_its_label_hint_and_error():
    shown = tree(forms.field("Username", "username", value="7th", hint="3 to 20", error="Username must start"))
    data = attributes(one(shown, "input"))
    assert attributes(one(shown, "label"))["htmlFor"] == data["id"] == "username"
    assert data["aria-describedby"] == "username-hint username-error"
    assert data["aria-invalid"] == "true"
    assert (data["defaultValue"], "value" in data) == ("7th", False)
    assert text(one(shown, id="username-error")) == "Username must start"
    bare = attributes(one(tree(forms.field("Name", "q")), "input"))
    assert not {"aria-invalid", "aria-describedby"} & set(bare)


def test_select_and_check_have_their_values():
    chosen = tree(forms.select("Country", "country", [("", "All Countries"), ("Poland", "Poland")], "Poland"))
    assert attributes(one(chosen, "select"))["defaultValue"] == "Poland"
    assert [attributes(option)["value"] for option in every(chosen, "option")] == ["", "Poland"]
    assert attributes(one(tree(forms.check("Publish immediately", "publish")), "input"))["name"] == "publish"


def test_select_without_a_value_has_its_first_option():
    shown = forms.select("Category", "category", [("a", "A"), ("b", "B")])
    assert attributes(one(shown, "select"))["defaultValue"] == "a"
    assert not every(forms.select("Stage", "stage", []), "option")


def test_dialog_is_labelled_by_its_question():
    inside = forms.question("delete", "Delete it?", "It goes.", cancel="Cancel", confirm=blocks.button("Delete"))
    shown = tree(forms.dialog("delete", inside))
    assert text(one(shown, id=attributes(shown)["aria-labelledby"])) == "Delete it?"


def test_buttons_have_their_type_state_and_classes():
    assert attributes(tree(blocks.button("Save")))["type"] == "button"
    busy = attributes(tree(blocks.busy_button("Saving...")))
    assert (busy["disabled"], busy["aria-busy"]) == (True, "true")
    register = tree(blocks.button_link("/register", "Register", "plain small"))
    assert classes(register) == ["button", "button--plain", "button--small"]


def test_headings_do_not_break_inside_names():
    unbroken = {
        "Stage II, evening session": ["Stage II", "evening session"],
        "Preliminary Round, first day": ["Preliminary Round", "first day"],
        "Final, with orchestra": ["Final"],
        "A title that was written by hand": ["by hand"],
        "Stage III": ["Stage III"],
    }
    for heading, kept in unbroken.items():
        shown = frames.unbroken_words(heading)
        assert [text(tree(piece)) for piece in shown if not isinstance(piece, str)] == kept
        assert "".join(text(tree(piece)) for piece in shown) == heading


def test_section_is_labelled_by_its_heading():
    shown = tree(frames.section("Latest News", "body", name="news"))
    assert text(one(shown, id=attributes(shown)["aria-labelledby"])) == "Latest News"
    assert "aria-labelledby" not in attributes(tree(frames.section("Latest News")))


def test_ordinals_have_their_english_endings():
    ordinals = "1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 23rd 84th 101st 111th".split()
    assert [blocks.nth(int(ordinal[:-2]), texts("en")) for ordinal in ordinals] == ordinals
