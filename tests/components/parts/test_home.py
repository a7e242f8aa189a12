"""The home page's sections, and the page during a session: marks of the day, and performances not yet rated."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.services.profile import default_avatars_set
from apps.competition.services.live import performer_clear, performer_set, session_end
from apps.core.threads import in_thread
from apps.ratings.enums import RatingKind
from apps.ratings.models import PieceRating
from apps.ratings.services.moderation import mark_approve, mark_delete
from components.parts.home import banner as home_banner
from components.parts.home.sections import featured_participants, latest_news
from components.parts.ratings import latest_ratings as parts_day_marks
from components.parts.ratings.latest_ratings import day_marks, latest_ratings
from components.parts.ratings.own_ratings import not_yet_rated
from components.parts.sessions.lists import coming_sessions
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, classes, every, name, one, opened, read_part, text
from tests.factories import (
    AppearanceFactory,
    BlogPostFactory,
    ParticipantFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.reading import walk
from tests.screen import open_page

EMPTY = {
    latest_news: "No news articles available yet.",
    featured_participants: "No featured participants available yet.",
    latest_ratings: "No ratings available yet.",
}


@pytest.mark.django_db
def test_sections_without_rows_have_a_text():
    assert {part: text(read_part(part)) for part in EMPTY} == EMPTY


@pytest.mark.django_db
def test_news_are_the_three_newest_with_optional_pictures():
    posts = [BlogPostFactory(title=f"Article {n}", published_at=f"2027-10-0{n}T12:00Z") for n in range(1, 6)]
    BlogPostFactory(title="Draft", is_published=False)
    shown = read_part(latest_news)
    assert [text(heading) for heading in every(shown, "h3")] == ["Article 5", "Article 4", "Article 3"]
    assert {attributes(link)["href"] for link in every(shown, "a")} == {f"/news/{post.pk}" for post in posts[2:]}
    assert "Read more: Article 5" in [name(link) for link in every(shown, "a")]
    assert f"by {posts[4].author.username}" in text(shown)
    BlogPostFactory(image_url="")
    assert not every(read_part(latest_news), "img")
    BlogPostFactory(image_url="/static/demo/a.svg")
    assert attributes(one(read_part(latest_news), "img"))["src"] == "/static/demo/a.svg"


@pytest.mark.django_db
def test_featured_participants_are_six_with_numbers_of_performances():
    people = [ParticipantFactory(featured=True, country=f"Country {n}") for n in range(7)]
    AppearanceFactory(participant=people[6])
    AppearanceFactory(participant=people[5])
    AppearanceFactory(participant=people[5])
    ParticipantFactory(featured=False)
    rows = [text(row) for row in every(read_part(featured_participants), "li")]
    assert len(rows) == 6
    assert rows[0].endswith("Country 6 · 1 performance")
    assert rows[1].endswith("Country 5 · 2 performances")
    assert rows[2].endswith("Country 4 · 0 performances")


def test_sections_depend_on_news_participants_and_default_avatars():
    parts = [home_banner.home_banner, day_marks, latest_news, featured_participants, latest_ratings]
    topics = {part.name: set(part(language="en").topics) for part in parts}
    assert [name for name, known in topics.items() if not {"latest_news", "featured_participants"} <= known] == []
    assert "default_avatars" in topics["featured_participants"]


USER, PARTICIPANT = "https://example.org/user.png", "https://example.org/participant.png"


def choose() -> None:
    default_avatars_set(actor=OPERATOR, user_avatar_url=USER, participant_avatar_url=PARTICIPANT)


def pictures(model) -> list[str]:
    return [attributes(node)["src"] for node in walk(model) if node["tagName"] == "img"]


@pytest.mark.django_db
def test_missing_picture_is_the_default_avatar():
    ParticipantFactory(second_name="A", featured=True)
    ParticipantFactory(second_name="B", featured=True, avatar_url="https://example.org/own.png")
    assert pictures(opened("/").model) == ["https://example.org/own.png"]
    choose()
    seen = opened("/")
    assert sorted(pictures(seen.model)) == ["https://example.org/own.png", PARTICIPANT]
    assert all(image["attributes"]["loading"] == "lazy" for image in every(seen.model, "img"))


live = pytest.mark.django_db(transaction=True)
WHAT = "The audience’s marks at the Chopin piano competition. Unofficial."
NO_MARKS = (
    "Twenty-five keys, twenty-five marks. The longer the string, the more often its key was struck today. No marks yet"
)


def marked(appearance, *scores, approved=True):
    entry = appearance.program.first()
    return [PieceRatingFactory(entry=entry, score=score, approved=approved) for score in scores]


def perform(appearance):
    return performer_set(actor=OPERATOR, appearance_id=appearance.pk)


def to_rate(node):
    """Return the state of each visible line of performances to rate, by the participant's name."""
    rows = [row for row in every(one(node, look="todo"), "li") if not attributes(row).get("hidden")]
    return {text(one(row, "h3")): text(one(row, look="todo__state")).strip() for row in rows}


def struck(node, tag):
    """Return the lengths of the strings beside the audience's, by key: its own ("i") or the member's ("u")."""
    keys = enumerate(every(one(node, look="keys--two"), tag), start=1)
    return {number: classes(key)[0] for number, key in keys if classes(key) != ["n-0"]}


def rating_fields(busy_session, *marks):
    pieces = busy_session.appearances[0].program.order_by("order_number").values_list("piece_id", flat=True)
    return {f"piece-{pk}": mark for pk, mark in zip(pieces, marks, strict=True)} | {"score": "4", "comment": "Alive."}


@pytest.mark.django_db
def test_strings_are_the_marks_of_the_day():
    empty = read_part(day_marks)
    assert text(empty) == NO_MARKS
    assert [classes(key) for key in every(empty, "i")] == [["n-0"]] * 25
    assert not every(empty, "b")
    busy_session = busy_session_with(1)
    marked(busy_session.appearances[0], 19, 19, 4)
    marked(busy_session.appearances[0], 25, approved=False)
    shown = read_part(day_marks)
    lengths = {number: classes(key) for number, key in enumerate(every(shown, "i"), start=1) if classes(key) != ["n-0"]}
    assert lengths == {19: ["n-100"], 4: ["n-50"]}
    assert text(one(shown, "b")) == "19"
    assert text(one(shown, look="hero__note")).endswith(
        "more often its key was struck today. 3 marks so far, most often 19"
    )


@pytest.mark.django_db
def test_equally_frequent_marks_are_all_named():
    appearance = busy_session_with(1).appearances[0]
    for more, often in (
        ((19,), "1 mark so far, most often 19"),
        ((4, 7), "3 marks so far, most often 4, 7 and 19"),
        ((8,), "4 marks so far, most often 4, 7, 8, among others"),
        ((19, 4), "6 marks so far, most often 4 and 19"),
        ((1, 2, 3, 5), "10 marks so far, most often 4 and 19"),
        ((6,), "11 marks so far"),  # none has a fifth of them
    ):
        marked(appearance, *more)
        shown = read_part(day_marks)
        assert text(one(shown, look="hero__note")).endswith(often)
        assert text(one(shown, "b")) == "19", "the highest has its number"


@pytest.mark.django_db
def test_strings_before_the_first_mark_of_a_day_are_of_the_last_session():
    busy_session = busy_session_with(1, is_live=False)
    marked(busy_session.appearances[0], 17, 17)
    note = text(one(read_part(day_marks), look="hero__note"))
    assert note.endswith("its key was struck. Stage I, evening session: 2 marks, most often 17")


@pytest.mark.django_db
def test_coming_sessions_are_the_live_one_and_then_by_date():
    assert text(read_part(coming_sessions)) == "No further session is announced."
    busy_session = busy_session_with(2)
    for days in (9, 2, 5, 7):
        SessionFactory(title=f"In {days}", starts_at=timezone.now() + timedelta(days=days), stage__name=f"Day {days}")
    AppearanceFactory(session__title="Stage I, third", session__starts_at=timezone.now() + timedelta(days=1))

    def rows():
        return [text(one(row, look="agenda__what")) for row in every(read_part(coming_sessions), "li")]

    assert rows() == ["Maëlle d’Hautecombe", "Stage I, third", "In 2"]
    assert text(every(read_part(coming_sessions), look="agenda__when")[0]) == "next"
    more = [text(line) for line in every(read_part(coming_sessions), look="agenda__more")]
    assert more[2] == "Day 2 · Order not drawn yet"
    assert more[1].endswith("· 1 participant")
    perform(busy_session.appearances[1])
    assert rows()[0] == "Zofia Wróblewska-Łęcka plays last"
    performer_clear(actor=OPERATOR, session_id=busy_session.session.pk)
    assert rows()[0] == "Everybody has played."


@pytest.mark.django_db
def test_line_of_a_performance_links_its_rating_form(busy_session):
    shown = read_part(not_yet_rated)
    [row] = every(shown, "li")
    playing = busy_session.appearances[1]
    who, performer = playing.participant.name, f"/participants/{playing.participant_id}"
    assert text(one(row, look="person__from")) == "Stage I, evening session, on stage now"
    form = f"/sessions/{busy_session.session.pk}?open={playing.pk}#keys-{playing.pk}"
    assert {name(link): attributes(link)["href"] for link in every(row, "a")} == {who: performer, f"Rate {who}": form}
    panel = one(opened(form.partition("#")[0]).main, look="order__panel", data_slot=f"panel:{playing.pk}")
    assert not attributes(panel).get("hidden")
    assert one(panel, "ol", id=f"keys-{playing.pk}")


@pytest.mark.django_db
def test_performances_without_programs_are_not_listed_for_rating():
    AppearanceFactory()
    assert text(read_part(not_yet_rated)) == "Nobody has played yet."


@pytest.mark.django_db
def test_home_of_a_member_has_own_marks_and_no_registration():
    busy_session = busy_session_with(2, is_live=False)
    fan = UserFactory(username="una_corda")
    for entry, score in zip(busy_session.appearances[0].program.all(), (20, 11), strict=True):
        PieceRatingFactory(entry=entry, user=fan, score=score, approved=True)
    PieceRatingFactory(entry=busy_session.appearances[1].program.first(), user=fan, score=25)
    marked(busy_session.appearances[0], 10)
    seen = opened("/", viewer_of(fan))
    assert "/register" not in {attributes(link)["href"] for link in every(seen.model, "a")}
    assert text(one(seen.main, "h1")) == "Your seat is kept."
    assert WHAT in text(seen.main)
    headings = [text(heading) for heading in every(seen.main, "h2")]
    assert headings[:3] == ["Played, still to rate", "You and the audience", "What comes next"]
    assert headings[3:] == ["Latest News", "Featured Participants", "Latest Ratings"]
    assert to_rate(seen.main) == {"Zofia Wróblewska-Łęcka": "1 of 2 marked"}
    progress = one(seen.main, "progress", data_slot=f"played_bar:{busy_session.appearances[1].pk}")
    assert attributes(progress)["value"] == "1"
    assert "You mark 2.5 higher than the audience: 15.5 against 13.0." in text(seen.main)
    assert "3 marks of the audience, 3 of yours" in text(seen.main)
    assert struck(seen.main, "i") == {10: "n-100", 11: "n-100", 20: "n-100"}
    assert struck(seen.main, "u") == {11: "n-100", 20: "n-100", 25: "n-100"}
    assert "most often" not in text(seen.main)


@pytest.mark.django_db
def test_home_of_a_member_without_marks_has_a_hint():
    marked(busy_session_with(1, is_live=False).appearances[0], 10)
    seen = opened("/", viewer_of(UserFactory()))
    assert "Your marks stand here beside the audience’s once you have marked a piece." in text(seen.main)
    assert text(one(seen.main, look="you__scale")) == "1No marks yet25"
    assert struck(seen.main, "i") == struck(seen.main, "u") == {}
    assert to_rate(seen.main) == {"Maëlle d’Hautecombe": "no mark yet"}


@pytest.mark.django_db
def test_own_average_is_compared_with_the_audience():
    for own, audience, sentence in (
        (12, 12, "You mark as the audience does: 12.0."),
        (10, 15, "You mark 2.5 lower than the audience: 10.0 against 12.5."),
        (10, None, "The audience has not marked your pieces yet."),
    ):
        appearance, fan = AppearanceFactory(), UserFactory()
        entry = ProgramEntryFactory(appearance=appearance)
        PieceRatingFactory(entry=entry, user=fan, score=own, approved=audience is not None)
        if audience is not None:
            marked(appearance, audience)
        assert sentence in text(opened("/", viewer_of(fan)).main)


@live
async def test_approved_mark_reaches_every_screen_with_one_query(monkeypatch):
    busy_session = await in_thread(lambda: busy_session_with(1))
    [mark] = await in_thread(lambda: marked(busy_session.appearances[0], 19, approved=False))
    fan = await in_thread(UserFactory)
    async with open_page("/") as anonymous, open_page("/") as other, open_page("/", user=fan) as member:
        for screen in (anonymous, other):
            assert NO_MARKS in screen.text
        reads = []
        read_marks = parts_day_marks.day_marks_read
        monkeypatch.setattr(parts_day_marks, "day_marks_read", lambda **day: [reads.append(1), read_marks(**day)][1])
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=mark.pk))
        for screen in (anonymous, other):
            await screen.until("1 mark so far, most often 19")
        assert len(reads) == 1, "one for both"
        await in_thread(lambda: mark_delete(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=mark.pk))
        for screen in (anonymous, other):
            await screen.until(NO_MARKS)
        await in_thread(lambda: perform(busy_session.appearances[0]))
        await member.until("on stage now")
        sent = [any("mark so far" in str(frame) for frame in screen.frames) for screen in (anonymous, member)]
        assert sent == [True, False], "the day has performances that are covered for the member"


@live
async def test_own_rating_removes_the_line_in_own_windows_only():
    busy_session = await in_thread(lambda: busy_session_with(1, is_live=False))
    appearance = busy_session.appearances[0]
    fan, other = await in_thread(lambda: (viewer_of(UserFactory()), viewer_of(UserFactory())))
    async with (
        open_page("/", user=fan) as one_window,
        open_page(f"/sessions/{busy_session.session.pk}", user=fan) as rating,
        open_page("/", user=other) as others,
    ):
        for screen in (one_window, others):
            assert to_rate(screen.tree) == {"Maëlle d’Hautecombe": "no mark yet"}
        first = await in_thread(lambda: rating_fields(busy_session, "23", "0"))
        assert (await command(rating, "ratings_submit", appearance.pk, **first))["ok"]
        await one_window.until("1 of 2 marked")
        both = await in_thread(lambda: rating_fields(busy_session, "23", "12"))
        assert (await command(rating, "ratings_submit", appearance.pk, **both))["ok"]
        await one_window._until(lambda: to_rate(one_window.tree) == {}, "the line did not go")
        await one_window.until("0 marks of the audience, 2 of yours")
        assert to_rate(others.tree) == {"Maëlle d’Hautecombe": "no mark yet"}
        assert "The audience has not marked your pieces yet." in one_window.text
        for mark in await in_thread(lambda: tuple(PieceRating.objects.values_list("pk", flat=True))):
            await in_thread(lambda mark=mark: mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=mark))
        await one_window.until("You mark as the audience does: 17.5.")


@live
async def test_home_follows_the_performer_on_stage():
    busy_session = await in_thread(lambda: busy_session_with(2))
    fan = await in_thread(UserFactory)
    async with open_page("/", user=fan) as member, open_page("/") as anonymous:
        assert "Nobody has played yet." in member.text
        assert "next Maëlle d’Hautecombe" in member.text
        await in_thread(lambda: perform(busy_session.appearances[0]))
        await member.until("next Zofia Wróblewska-Łęcka")
        await member.until("Stage I, evening session, on stage now")
        assert to_rate(member.tree) == {"Maëlle d’Hautecombe": "no mark yet"}
        await in_thread(lambda: performer_clear(actor=OPERATOR, session_id=busy_session.session.pk))
        await member.until_gone("on stage now")
        assert to_rate(member.tree) == {"Maëlle d’Hautecombe": "no mark yet"}
        await anonymous.until("Next, after the interval")
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=busy_session.session.pk))
        await member.until("No further session is announced.")
