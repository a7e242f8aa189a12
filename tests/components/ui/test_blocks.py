"""Small blocks, command attributes, the masthead and the footer."""

import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.texts import texts
from components.routes import Menu, menu
from components.runtime.commands import command_button, command_form
from components.runtime.markup import html
from components.ui import blocks, empty_states, forms, frames, marks, people, venue_time
from components.ui.frames import footer, masthead
from tests.components.seen import attributes, classes, every, name, one, text, tree
from tests.rendering import to_html

WARSAW = ZoneInfo("Europe/Warsaw")
LATE = dt.datetime(2027, 10, 12, 22, 30, tzinfo=dt.UTC)


def test_keys_and_strings_are_25_with_marks_and_lengths():
    board = tree(marks.keys(on=[23], mean=18, look="keys--mini"))
    shown = every(board, "i")
    assert len(shown) == 25
    assert [number for number, key in enumerate(shown, 1) if "on" in classes(key)] == [23]
    assert [number for number, key in enumerate(shown, 1) if "mean" in classes(key)] == [18]
    assert attributes(board)["aria-hidden"] == "true"
    lengths = [-1, 0, 0.501, 1, 7] + [0.09] * 20
    shown = every(tree(marks.strings(lengths, on=3, numbered_to=4)), "i")
    assert [classes(key)[0] for key in shown[:6]] == ["n-0", "n-0", "n-50", "n-100", "n-100", "n-9"]
    assert classes(shown[2]) == ["n-50", "on"]
    assert [text(key) for key in shown if text(key)] == ["4"]


def test_strip_is_a_picture_with_its_words_or_hidden():
    for words, named in (("Between 16.5 and 17.5", ("img", "Between 16.5 and 17.5", None)), ("", (None, None, "true"))):
        strip = tree(marks.strip(Decimal(17), (Decimal("16.5"), Decimal("17.5")), own={}, words=words))
        [audience] = [span for span in every(strip, "span") if "strip__audience" in classes(span)]
        assert tuple(attributes(audience).get(each) for each in ("role", "aria-label", "aria-hidden")) == named


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
    ):
        assert "13\u00a0October\u00a02027" in tree(shown)["children"][0]
    said = tree(venue_time.ago(LATE, zone=WARSAW, language="en"))["children"]
    assert said == ["13\u00a0Oct\u00a02027, 00:30\u00a0in\u00a0the\u00a0hall"]


def test_prose_has_paragraphs_and_tabs_mark_the_open_one():
    shown = tree(blocks.prose("First.\n\n  Second.  \r\nThird & <b>.\n"))
    assert [text(part) for part in every(shown, "p")] == ["First.", "Second.", "Third & <b>."]
    shown = tree(blocks.tabs("Sessions", [("/sessions", "Upcoming"), ("/sessions?show=past", "Past")], "/sessions"))
    assert attributes(shown)["aria-label"] == "Sessions"
    assert text(one(shown, "a", aria_current="page")) == "Upcoming"
    assert [attributes(link)["key"] for link in every(shown, "a")] == ["/sessions", "/sessions?show=past"]


def test_messages_placeholders_and_empty_states_are_announced():
    assert attributes(tree(empty_states.message("Saved.", good=True)))["role"] == "status"
    assert attributes(tree(empty_states.message("Saved.", good=False)))["role"] == "alert"
    shown = tree(empty_states.skeleton())
    assert len(every(shown, "li")) == 3
    assert attributes(shown)["aria-hidden"] == "true"
    assert "data-skeleton" in attributes(shown)
    assert not every(tree(empty_states.empty("No upcoming sessions found.")), "a")
    shown = tree(empty_states.empty("Participant not found.", ("/participants", "All participants")))
    assert attributes(one(shown, "a"))["href"] == "/participants"


def test_fields_refer_to_their_labels_and_have_their_values():
    shown = tree(forms.field("Username", "username", value="7th", hint="3 to 20", error="Username must start"))
    data = attributes(one(shown, "input"))
    assert attributes(one(shown, "label"))["htmlFor"] == data["id"] == "username"
    assert data["aria-describedby"] == "username-hint username-error"
    assert data["aria-invalid"] == "true"
    assert (data["defaultValue"], "value" in data) == ("7th", False)
    assert text(one(shown, id="username-error")) == "Username must start"
    bare = attributes(one(tree(forms.field("Name", "q")), "input"))
    assert not {"aria-invalid", "aria-describedby"} & set(bare)
    chosen = tree(forms.select("Country", "country", [("", "All Countries"), ("Poland", "Poland")], "Poland"))
    assert attributes(one(chosen, "select"))["defaultValue"] == "Poland"
    assert [attributes(option)["value"] for option in every(chosen, "option")] == ["", "Poland"]
    assert attributes(one(tree(forms.check("Publish immediately", "publish")), "input"))["name"] == "publish"
    shown = forms.select("Category", "category", [("a", "A"), ("b", "B")])
    assert attributes(one(shown, "select"))["defaultValue"] == "a"
    assert not every(forms.select("Stage", "stage", []), "option")


def test_dialogs_and_sections_are_labelled_by_their_headings():
    inside = forms.question("delete", "Delete it?", "It goes.", cancel="Cancel", confirm=blocks.button("Delete"))
    shown = tree(forms.dialog("delete", inside))
    assert text(one(shown, id=attributes(shown)["aria-labelledby"])) == "Delete it?"
    shown = tree(frames.section("Latest News", "body", name="news"))
    assert text(one(shown, id=attributes(shown)["aria-labelledby"])) == "Latest News"
    assert "aria-labelledby" not in attributes(tree(frames.section("Latest News")))


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


def test_ordinals_have_their_english_endings():
    ordinals = "1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 23rd 84th 101st 111th".split()
    assert [blocks.nth(int(ordinal[:-2]), texts("en")) for ordinal in ordinals] == ordinals


FAN = Viewer(id=1, username="una_corda")
ADMIN = Viewer(id=2, username="halina_k", is_admin=True)


def bar_of(viewer, path="/"):
    """Return the names of the navigation links, and the masthead."""
    account_pages = menu(Menu.ACCOUNT if viewer.is_signed_in else Menu.SIGN_IN, is_admin=False, language="en")
    pages = menu(Menu.MAIN, is_admin=viewer.is_admin, language="en")
    bar = tree(
        masthead(path=path, pages=pages, account_pages=account_pages, is_signed_in=viewer.is_signed_in, language="en")
    )
    return [name(link) for link in every(one(bar, "nav"), "a")], bar


def test_masthead_has_links_by_role():
    names, bar = bar_of(ANONYMOUS)
    assert names == ["Home", "Participants", "Sessions", "Ranking", "Community", "Log in", "Register"]
    assert [attributes(form)["action"] for form in every(bar, "form")] == ["/search"]
    names, bar = bar_of(FAN)
    assert names == ["Home", "Participants", "Sessions", "Ranking", "Community", "Following", "Profile"]
    form = one(bar, "form", method="post", action="/sign-out")
    assert text(one(form, "button", type="submit")) == "Sign out"
    assert bar_of(ADMIN)[0][5] == "Admin"


def test_masthead_marks_the_page_and_the_section():
    def marked(path):
        return {
            attributes(link)["href"]: attributes(link)["aria-current"]
            for link in every(bar_of(ANONYMOUS, path)[1], "a")
            if "aria-current" in attributes(link)
        }

    assert marked("/") == {"/": "page"}
    assert marked("/sessions") == {"/sessions": "page"}
    assert marked("/sessions/7") == {"/sessions": "true"}
    assert marked("/news") == {}
    assert marked("/ranking") == {"/ranking": "page"}
    for path in ("/stages", "/stages/7", "/stages/method"):
        assert marked(path) == {"/ranking": "true"}
    assert marked("/stagesx") == {}


def test_menu_button_controls_the_navigation():
    bar = bar_of(ANONYMOUS)[1]
    menu = one(bar, "button", look="menu", aria_expanded="false")
    assert one(bar, "nav", id=attributes(menu)["aria-controls"])
    assert text(menu) == "Menu"
    assert attributes(every(bar, "a")[0])["href"] == "#main", "the first link leads to the content"


def test_footer_names_the_site_unofficial_and_links_public_pages():
    foot = tree(footer(pages=menu(Menu.FOOTER, is_admin=False, language="en"), language="en"))
    assert "Parterre is unofficial and not affiliated with the competition." in text(foot)
    names = [name(link) for link in every(foot, "a")]
    assert names[:5] == ["Participants", "Sessions", "Pieces", "Schedule", "Ranking"]
    assert names[5:] == ["News", "Community", "Contact", "Privacy"]


def test_commands_have_only_the_given_attributes_and_are_posted() -> None:
    posted = {"type": "submit", "form": "do"}
    assert command_button("recommendation_set", "17:up") == posted | {
        "formAction": "/do/recommendation_set?argument=17%3Aup",
        "data-command": "recommendation_set",
        "data-argument": "17:up",
    }
    button = command_button("comment_delete", 7, busy="Deleting...", confirm="Delete it?", words="Gone.", yes="Delete")
    assert button == posted | {
        "formAction": "/do/comment_delete?argument=7",
        "data-command": "comment_delete",
        "data-argument": "7",
        "data-busy": "Deleting...",
        "data-confirm": "Delete it?",
        "data-confirm-words": "Gone.",
        "data-confirm-yes": "Delete",
    }
    html_of_form = to_html(html.form(command_form("comment_add", 7, draft="comment:7")))
    assert html_of_form == (
        '<form method="post" action="/do/comment_add?argument=7"'
        ' data-once="" data-command="comment_add" data-argument="7" data-draft="comment:7"></form>'
    )
    assert "data-draft" not in command_form("comment_add", 7)
