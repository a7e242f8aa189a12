"""The public pages: the query parameters of their addresses, their contents, and their number of queries."""

import pytest

from apps.ratings.models import PerformanceRating
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, name, one, opened, text
from tests.factories import (
    BlogPostFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    PostCommentFactory,
    PostFactory,
    SessionCommentFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.general import queries_counted

pytestmark = pytest.mark.django_db


def links(node):
    return {name(link): attributes(link)["href"] for link in every(node, "a")}


def test_home_leads_on():
    seen = opened("/")
    assert text(one(seen.main, "h1")) == "Take your seat."
    assert "The audience’s marks at the Chopin piano competition. Unofficial." in text(seen.main)
    assert links(one(seen.main, "section", look="hero")) == {"Register": "/register", "Participants": "/participants"}
    headings = [text(heading) for heading in every(seen.main, "h2")]
    assert headings == ["Latest News", "Featured Participants", "Latest Ratings"]
    assert links(seen.main)["All news"] == "/news"


def test_news_go_on_by_links_and_an_address_that_is_none_begins_anew():
    for _ in range(25):
        BlogPostFactory()
    seen = opened("/news")
    assert len(every(seen.main, look="calendar__when")) == 20
    older = next(attributes(link)["href"] for link in every(seen.main, "a") if text(link) == "Show older")
    assert older.startswith("/news?before=")
    assert older.replace("&", "&amp;") in seen.html
    assert len(every(opened(older).main, look="calendar__when")) == 5
    assert opened("/news?before=nonsense").main == seen.main


def test_home_shows_the_live_banner_first(busy_session):
    first = opened("/").main["children"][0]
    assert text(first).startswith("Live Now Stage I, evening session Watch")
    assert text(one(first, look="door__name")) == "Zofia Wróblewska-Łęcka"


def test_participants_keep_the_search_in_the_address():
    ParticipantFactory(first_name="Jan", second_name="Kałduński")
    ParticipantFactory(first_name="Aino", second_name="Hämehirvi", country="Finland")
    seen = opened("/participants?q=kaldunski&country=Poland")
    form = one(seen.main, "form", method="get", action="/participants")
    assert "data-navigate" in attributes(form)
    assert attributes(one(form, "input", type="search"))["defaultValue"] == "kaldunski"
    assert attributes(one(form, "select"))["defaultValue"] == "Poland"
    assert [text(option) for option in every(form, "option")] == ["All Countries", "Finland", "Poland"]
    assert text(one(form, "button", type="submit")) == "Search"
    assert [text(row) for row in every(one(seen.main, look="cards"), "h2")] == ["Jan Kałduński"]
    assert 'value="kaldunski"' in seen.html


def test_participants_fold_their_search_and_name_it():
    ParticipantFactory()
    assert text(one(opened("/participants").main, "summary")) == "Search, country"
    searched = opened("/participants?q=zofia&country=Poland&still_in=on")
    assert text(one(searched.main, "summary")) == "Search: zofia · Poland · still in"


def test_participants_begin_with_the_size_of_the_field():
    assert text(one(opened("/participants").main, look="cards__sum")) == ""
    ParticipantFactory(country="Finland")
    assert text(one(opened("/participants").main, look="cards__sum")) == "1 performer from 1 country"
    ParticipantFactory()
    ParticipantFactory()
    assert text(one(opened("/participants?q=nobody").main, look="cards__sum")) == "3 performers from 2 countries"


def test_participants_of_an_unknown_country_are_all():
    ParticipantFactory()
    seen = opened("/participants?country=Atlantis")
    assert attributes(one(seen.main, "select"))["defaultValue"] == ""
    assert len(every(one(seen.main, look="cards"), "li")) == 1


def test_participants_wait_with_three_placeholders():
    seen = opened("/participants")
    assert len(every(one(seen.main, look="skeleton"), "li")) == 3
    assert len([node for node in every(seen.main, "div") if "data-results" in attributes(node)]) == 1


def test_participant_tabs_are_addresses():
    person = ParticipantFactory(second_name="Nowak", biography="One.\nTwo.")
    to = f"/participants/{person.pk}"
    seen = opened(to)
    assert seen.page.title == "Zofia Nowak"
    assert links(one(seen.main, "nav")) == {
        "Performance & Ratings": to,
        "Biography": f"{to}?tab=biography",
        "All Ratings": f"{to}?tab=ratings",
    }
    assert text(one(seen.main, aria_current="page")) == "Performance & Ratings"
    biography = opened(f"{to}?tab=biography")
    assert text(one(biography.main, aria_current="page")) == "Biography"
    assert [text(p) for p in every(one(biography.main, look="prose"), "p")] == ["One.", "Two."]
    ratings = opened(f"{to}?tab=ratings")
    assert text(one(ratings.main, look="empty")) == "No ratings available yet."
    assert text(one(opened(f"{to}?tab=nonsense").main, aria_current="page")) == "Performance & Ratings"


@pytest.mark.parametrize(
    ("biography", "description"),
    [
        ("Short.\nAnd clear.", "Short. And clear."),
        ("", "Zofia Nowak, Poland: performances, biography and the audience’s ratings."),
        ("word " * 60, "word " * 29 + "word…"),
    ],
)
def test_participant_description_is_the_beginning_of_the_biography(biography, description):
    person = ParticipantFactory(second_name="Nowak", biography=biography.strip())
    shown = opened(f"/participants/{person.pk}").page.description
    assert shown == description
    assert len(shown) <= 155


@pytest.mark.parametrize(
    ("address", "tab"),
    [
        ("/sessions", "Upcoming"),
        ("/sessions?show=upcoming", "Upcoming"),
        ("/sessions?show=past", "Past"),
        ("/sessions?show=all", "All"),
        ("/sessions?show=nonsense", "Upcoming"),
    ],
)
def test_sessions_open_the_tab_in_the_address(address, tab):
    seen = opened(address)
    assert text(one(seen.main, aria_current="page")) == tab
    yet = "No session has been announced yet." if tab == "All" else ""
    assert text(one(seen.main, look="empty")) == f"No {tab.lower()} sessions found.{yet}"
    assert links(one(seen.main, "nav")) == {
        "Upcoming": "/sessions",
        "Past": "/sessions?show=past",
        "All": "/sessions?show=all",
    }


def test_article_leads_back():
    post = BlogPostFactory(title="Four pianos", image_url="https://example.org/a.jpg")
    seen = opened(f"/news/{post.pk}")
    assert (seen.page.title, seen.page.description) == ("Four pianos", "What it says in short.")
    assert seen.page.image == "https://example.org/a.jpg"
    assert links(seen.main) == {"All news": "/news", "https://example.org/a.jpg": "https://example.org/a.jpg"}


def rooms(count):
    """Create `count` rows of everything that public pages list. Return the addresses of pages of single rows."""
    busy_session = busy_session_with(count)
    busy_session.appearances[0].is_performing = True
    busy_session.appearances[0].save()
    written = PostFactory(session_participant=busy_session.appearances[0])
    for _ in range(count):
        PostFactory(session_participant=busy_session.appearances[0])
        SessionCommentFactory(session=busy_session.session, session_participant=busy_session.appearances[0])
        PostCommentFactory(post=written)
        BlogPostFactory()
        ParticipantFactory(featured=True)
        SessionFactory()
        PerformanceRatingFactory(session_participant=busy_session.appearances[0], approved=True)
        PieceRatingFactory(entry=busy_session.appearances[0].program.first(), approved=True)
    return {
        "participant": f"/participants/{busy_session.appearances[0].participant_id}",
        "session": f"/sessions/{busy_session.session.pk}",
        "line": f"/sessions/{busy_session.session.pk}?watch={busy_session.appearances[0].program.first().pk}",
        "article": f"/news/{BlogPostFactory().pk}",
        "community_post": f"/community?post={written.pk}",
    }


@pytest.mark.parametrize("count", [1, 3])
def test_pages_ask_as_much_for_three_rows_as_for_one(count):
    from tests.components.seen import loaded

    known = rooms(count)
    expected = {
        "/": 14,
        "/participants": 6,
        "/participants?q=zofia&country=Poland": 6,
        "/participants?still_in=on": 6,
        known["participant"]: 24,
        f"{known['participant']}?tab=biography": 5,
        f"{known['participant']}?tab=ratings": 11,
        "/sessions": 3,
        "/sessions?show=all": 3,
        known["session"]: 13,
        known["line"]: 15,
        "/news": 1,
        known["article"]: 6,
        "/community": 5,
        known["community_post"]: 7,
    }
    for address, queries in expected.items():
        with queries_counted(queries):
            loaded(address)


@pytest.mark.parametrize("count", [1, 3])
def test_ones_own_values_cost_one_query_where_ratings_fill_slots_and_none_elsewhere(count):
    from tests.components.seen import loaded

    known, fan = rooms(count), UserFactory()
    appearance = PerformanceRating.objects.first().session_participant
    PerformanceRatingFactory(session_participant=appearance, user=fan)
    for entry in appearance.program.all()[:count]:
        PieceRatingFactory(entry=entry, user=fan)
    viewer = viewer_of(fan)
    for address, queries in {known["participant"]: 24 + 4, f"{known['participant']}?tab=ratings": 11 + 1}.items():
        with queries_counted(queries):
            page, _parts = loaded(address, viewer)
        assert page.all_fills
    with queries_counted(13 + 3):
        assert {f"author:{fan.pk}", "reader", "blind", "means"} <= set(loaded(known["session"], viewer)[0].all_fills)
    assert loaded(known["session"])[0].all_fills == {}
