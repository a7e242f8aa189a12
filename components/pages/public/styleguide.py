"""All blocks of the interface on one page, for developers; served with DEBUG only."""

from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from apps.core.database.fields import venue_zone
from apps.core.rounding import rounded
from apps.core.text_rules import initials
from components.runtime import Markup, Page, PageRequest, VdomDict, component, html
from components.ui import blocks, empty_states, forms, frames, mark_input, marks, people, venue_time
from components.ui import pieces as programme_lines
from components.ui.pieces import StoredPiece

PERFORMERS = ("Zofia Wróblewska-Łęcka", "Tomás Villaseñor Ibáñez", "Himuro Kanade", "Gülşen Yıldıztepe")
LISTENERS = ("row_g_seat_12", "una_corda", "pedal-point")
LONG_NAMES = (
    ("Konstancja Świętopełk-Krzyżanowska-Brzezińska", "Bosnia and Herzegovina"),
    ("Ramachandran Venkatasubramaniam", "Sri Lanka"),
)
PIECES = (
    ("Etude", "C-sharp minor", 10, 4),
    ("Nocturne", "C-sharp minor", "posth.", None),
    ("Mazurka", "A-flat major", 59, 2),
    ("Mazurka", "B-flat major", "BI 16", 2),
    ("Scherzo", "E major", 54, None),
)
EVENING = datetime(2027, 10, 12, 15, tzinfo=UTC)
MARK_COUNTS = (0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 21, 24, 25, 23, 20, 15, 10, 5, 2)  # of 25
OVERALL_COUNTS = (2, 4, 14, 58, 42)


def load(request: PageRequest) -> Page:
    """Return the page with all blocks."""
    return Page(description=request.t("Every block of the interface."), component=styleguide_page)


@component
def styleguide_page(page: Page) -> VdomDict:
    """Render the blocks by family."""
    language = page.language
    return frames.main(
        frames.first_section(
            "Styleguide", html.p({"class": "lead"}, "Every block, in both lights. Switch them above.")
        ),
        _family("Type", _type()),
        _family("People", _people()),
        _family("Works", _works(language)),
        _family("Keys", _keys()),
        _family("Acting", _acting()),
        _family("Moments", _moments(language)),
        _family("Nothing yet", _nothing()),
        _family("Waiting", _waiting()),
        _family("Answers", _answers()),
        _family("Forms", _forms()),
        _family("The stage", _stage()),
    )


def _family(heading: str, samples: list[tuple[str, Markup]]) -> VdomDict:
    body = [html.div({"key": name}, html.h3(name), sample) for name, sample in samples]
    return frames.section(heading, html.div({"class": "body gallery gallery--two"}, *body))


def _type() -> list[tuple[str, Markup]]:
    text = (
        "The left hand in the nocturne never once leaned on the beat. Rubato as breathing, not as decoration.\n"
        "Four pianos wait behind the stage. Every participant gets fifteen minutes to choose; some need two."
    )
    return [("Prose", blocks.prose(text)), ("Link", html.p(blocks.link("/styleguide", "All participants")))]


def _people() -> list[tuple[str, Markup]]:
    ovals = [people.cameo(name, initials(name)) for name in PERFORMERS]
    small = people.cameo(PERFORMERS[1], initials(PERFORMERS[1]), size="small")
    large = people.cameo(PERFORMERS[0], initials(PERFORMERS[0]), size="large")
    discs = [people.disc(name, initials(name)) for name in LISTENERS]
    names = [
        people.person(
            people.cameo(name, initials(name)),
            html.p({"class": "person__name"}, name),
            html.p({"class": "person__from"}, country),
        )
        for name, country in LONG_NAMES
    ]
    return [
        ("No picture: four papers, three sizes", html.div({"class": "row row--loose"}, large, *ovals, small, *discs)),
        ("Long names in a narrow place", html.div({"class": "narrow stack"}, *names)),
    ]


def _works(language: str) -> list[tuple[str, Markup]]:
    pieces: list[Any] = [
        SimpleNamespace(
            id=1, name="", title=title, key=key, opus=opus, number=number, numbers="", composer="Fryderyk Chopin"
        )
        for title, key, opus, number in PIECES
    ]
    return [
        ("A program", html.div(programme_lines.composer(), _lines(pieces, "wide", language))),
        ("In a narrow place", html.div({"class": "narrow"}, _lines(pieces, "narrow", language))),
    ]


def _lines(pieces: list[StoredPiece], where: str, language: str) -> VdomDict:
    rows = [
        programme_lines.line(
            f"line-{number}",
            piece,
            programme_lines.watch_link(f"#{where}-{number}", piece, language=language, whose=where, attributes={}),
            language=language,
        )
        for number, piece in enumerate(pieces)
    ]
    return html.ol({"class": "lines"}, *rows)


def _keys() -> list[tuple[str, Markup]]:
    return [
        ("One mark", html.p(marks.mark_keys([23]), blocks.visually_hidden("23 of 25"))),
        ("One rating's marks", html.p(marks.mark_keys([18, 17, 21]), blocks.visually_hidden("18, 17, 21"))),
        ("Many marks, the average, one's own", marks.strings([many / 25 for many in MARK_COUNTS], on=22, mean=18)),
        ("A mark from 1 to 5", html.p(marks.five_keys(4, "4 of 5"))),
        ("What the audience gave", html.div({"class": "audience"}, _figure(MARK_COUNTS), _figure(OVERALL_COUNTS))),
        ("Giving a mark", html.div(html.label({"htmlFor": "mark"}, "Étude"), _score())),
        ("Giving one of five", mark_input.five("whole", "whole", "The whole performance", of="{n} of 5")),
        (
            "One of a few",
            mark_input.choice("quick", "quick", "Quick rating", [("good", "Outstanding"), ("other", "Other")]),
        ),
        ("The divider", marks.keyrule()),
    ]


def _score() -> VdomDict:
    often = tuple(mark if mark < 19 else 25 - mark for mark in range(1, 26))  # noqa: PLR2004 - invented
    words = {"unmarked": "no mark yet", "less": "One point less", "more": "One point more"}
    return mark_input.score("mark", "mark", audience=marks.heard_keys(often, Decimal("15.2")), **words)


def _figure(often: tuple[int, ...]) -> VdomDict:
    count = sum(often)
    mean = rounded(Decimal(sum(mark * times for mark, times in enumerate(often, 1))) / count)
    words = html.span({"class": "work"}, html.b(f"Of {len(often)}"))
    return marks.figure(
        f"of-{len(often)}", words, often, mean, average_words="average", count=f"{count} ratings", spread=""
    )


def _acting() -> list[tuple[str, Markup]]:
    buttons = [
        blocks.button_link("/register", "Register"),
        blocks.button("Participants", "plain"),
        blocks.button("Small", "plain small"),
        blocks.button("Not now", disabled=True),
    ]
    choices = [("/styleguide", "Upcoming"), ("/sessions?show=past", "Past"), ("/sessions?show=all", "All")]
    badges = [
        blocks.live_badge("LIVE NOW"),
        blocks.badge("Now Performing", "now"),
        blocks.badge("Live Stream"),
        blocks.badge("Recording Available"),
        blocks.badge("Needs Avatar", "quiet"),
    ]
    return [
        ("Buttons", html.div({"class": "row"}, *buttons)),
        ("Tabs", blocks.tabs("Example", choices, "/styleguide")),
        ("Badges", html.div({"class": "row"}, *badges)),
    ]


def _moments(language: str) -> list[tuple[str, Markup]]:
    zone = venue_zone()
    return [
        ("A moment", html.p(venue_time.moment(EVENING, zone=zone, language=language))),
        ("A day", html.p(venue_time.day(EVENING, zone=zone, language=language))),
    ]


def _nothing() -> list[tuple[str, Markup]]:
    return [
        ("A search", empty_states.empty("No participants found matching your criteria.")),
        ("Strings before the first mark", empty_states.no_marks("No ratings available yet.")),
        ("With a way on", empty_states.empty("Participant not found.", ("/participants", "All participants"))),
    ]


def _waiting() -> list[tuple[str, Markup]]:
    busy = html.div({"class": "row"}, blocks.busy_button("Saving..."), blocks.busy_button("Processing..."))
    return [
        ("Three placeholders", html.div({"data-querying": ""}, empty_states.skeleton())),
        ("Busy", busy),
        ("Connection lost", html.p({"class": "status status--here"}, "Reconnecting…")),
    ]


def _answers() -> list[tuple[str, Markup]]:
    delete = html.button({"class": "button", "value": "yes"}, "Delete session")
    question = html.span("Delete the session ", html.i("Stage II, morning session"), "?")
    dialog = forms.question(
        "example", question, "Its order of playing goes with it.", cancel="Cancel", confirm=delete, level="h4"
    )
    return [
        ("It worked", empty_states.message("Participant created successfully", good=True)),
        ("It did not", empty_states.message("Failed to save recommendation. Please try again.", good=False)),
        ("Asking first", html.div({"class": "dialog", "role": "group", "aria-labelledby": "example"}, dialog)),
    ]


def _forms() -> list[tuple[str, Markup]]:
    wrong = "Username must start with a letter"
    return [
        ("With a mistake", forms.field("Username", "wrong", value="7th_row", error=wrong)),
        ("With a hint", forms.field("Username", "right", value="row_g_seat_12", hint="3 to 20 characters")),
        ("Choosing", forms.select("Country", "where", [("", "All Countries"), ("Poland", "Poland")])),
        ("Ticking", forms.check("Publish immediately", "publish", defaultChecked=True)),
    ]


def _stage() -> list[tuple[str, Markup]]:
    return [("Before the video", html.div({"class": "video"}, people.stage_drawing()))]
