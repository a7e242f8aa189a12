"""The public pages: the query parameters of their addresses, their contents, and their number of queries."""

import pytest

from apps.competition.models import Participant
from apps.ratings.models import PerformanceRating
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, loaded, name, one, opened, text
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


def test_home_has_sections_and_links():
    seen = opened("/")
    assert text(one(seen.main, "h1")) == "Take your seat."
    assert "The audience’s marks at the Chopin piano competition. Unofficial." in text(seen.main)
    assert links(one(seen.main, "section", look="hero")) == {"Register": "/register", "Participants": "/participants"}
    headings = [text(heading) for heading in every(seen.main, "h2")]
    assert headings == ["Latest News", "Featured Participants", "Latest Ratings"]
    assert links(seen.main)["News"] == "/news"


def test_search_for_participants_is_in_the_address():
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


def test_participants_page_has_summary_and_placeholders():
    main = opened("/participants").main
    assert links(one(main, "header"))["Pieces"] == "/pieces"
    assert text(one(main, look="cards__sum")) == ""
    assert len(every(one(main, look="skeleton"), "li")) == 3
    assert len([node for node in every(main, "div") if "data-results" in attributes(node)]) == 1
    ParticipantFactory(country="Finland")
    assert text(one(opened("/participants").main, look="cards__sum")) == "1 performer from 1 country"
    ParticipantFactory.create_batch(2)
    assert text(one(opened("/participants?q=nobody").main, look="cards__sum")) == "3 performers from 2 countries"
    unknown = opened("/participants?country=Atlantis").main
    assert attributes(one(unknown, "select"))["defaultValue"] == ""
    assert len(every(one(unknown, look="cards"), "li")) == 3
    assert text(one(unknown, "summary")) == "Search, country"
    searched = opened("/participants?q=zofia&country=Poland&still_in=on").main
    assert text(one(searched, "summary")) == "Search: zofia · Poland · still in"


def test_tabs_of_a_participant_have_addresses():
    person = ParticipantFactory(second_name="Nowak", biography="One.\nTwo.")
    address = f"/participants/{person.pk}"
    seen = opened(address)
    assert seen.page.title == "Zofia Nowak"
    assert links(one(seen.main, "nav")) == {
        "Performance & Ratings": address,
        "Biography": f"{address}?tab=biography",
        "All Ratings": f"{address}?tab=ratings",
    }
    assert text(one(seen.main, aria_current="page")) == "Performance & Ratings"
    biography = opened(f"{address}?tab=biography")
    assert text(one(biography.main, aria_current="page")) == "Biography"
    assert [text(p) for p in every(one(biography.main, look="prose"), "p")] == ["One.", "Two."]
    ratings = opened(f"{address}?tab=ratings")
    assert text(one(ratings.main, look="empty")) == "No ratings available yet."
    assert text(one(opened(f"{address}?tab=nonsense").main, aria_current="page")) == "Performance & Ratings"


def test_description_of_a_participant_is_an_excerpt_of_the_biography():
    person = ParticipantFactory(second_name="Nowak")
    for biography, description in (
        ("Short.\nAnd clear.", "Short. And clear."),
        ("", "Zofia Nowak, Poland: performances, biography and the audience’s ratings."),
        (("word " * 60).strip(), "word " * 29 + "word…"),
    ):
        Participant.objects.update(biography=biography)
        shown = opened(f"/participants/{person.pk}").page.description
        assert shown == description
        assert len(shown) <= 155


def test_address_selects_the_tab_of_sessions():
    for query, tab in (
        *(("", "Upcoming"), ("?show=upcoming", "Upcoming"), ("?show=nonsense", "Upcoming")),
        *(("?show=past", "Past"), ("?show=all", "All")),
    ):
        main = opened(f"/sessions{query}").main
        assert text(one(main, aria_current="page")) == tab
        more = "No session has been announced yet." if tab == "All" else ""
        assert text(one(main, look="empty")) == f"No {tab.lower()} sessions found.{more}"
    tabs = {"Upcoming": "/sessions", "Past": "/sessions?show=past", "All": "/sessions?show=all"}
    tabs["Schedule"] = "/schedule"
    assert links(one(main, "nav")) == tabs


def test_article_has_metadata_and_a_link_back():
    post = BlogPostFactory(title="Four pianos", image_url="https://example.org/a.jpg")
    seen = opened(f"/news/{post.pk}")
    assert (seen.page.title, seen.page.description) == ("Four pianos", "What it says in short.")
    assert seen.page.image == "https://example.org/a.jpg"
    assert links(seen.main) == {"All news": "/news", "https://example.org/a.jpg": "https://example.org/a.jpg"}


def public_rows(count):
    """Create `count` rows of everything that public pages list. Return the addresses of pages of single rows."""
    busy_session = busy_session_with(count)
    busy_session.appearances[0].is_performing = True
    busy_session.appearances[0].save()
    written = PostFactory(appearance=busy_session.appearances[0])
    for _ in range(count):
        PostFactory(appearance=busy_session.appearances[0])
        SessionCommentFactory(session=busy_session.session, appearance=busy_session.appearances[0])
        PostCommentFactory(post=written)
        BlogPostFactory()
        ParticipantFactory(featured=True)
        SessionFactory()
        PerformanceRatingFactory(appearance=busy_session.appearances[0], approved=True)
        PieceRatingFactory(entry=busy_session.appearances[0].program.first(), approved=True)
    return {
        "participant": f"/participants/{busy_session.appearances[0].participant_id}",
        "session": f"/sessions/{busy_session.session.pk}",
        "line": f"/sessions/{busy_session.session.pk}?watch={busy_session.appearances[0].program.first().pk}",
        "article": f"/news/{BlogPostFactory().pk}",
        "community_post": f"/community?post={written.pk}",
    }


def test_query_counts_are_independent_of_rows():
    count = 3
    addresses = public_rows(count)
    expected = {
        "/": 14,
        "/participants": 6,
        "/participants?q=zofia&country=Poland": 6,
        "/participants?still_in=on": 6,
        addresses["participant"]: 23,
        f"{addresses['participant']}?tab=biography": 6,
        f"{addresses['participant']}?tab=ratings": 14,
        "/sessions": 3,
        "/sessions?show=all": 3,
        addresses["session"]: 14,
        addresses["line"]: 16,
        "/news": 1,
        addresses["article"]: 6,
        "/community": 7,
        addresses["community_post"]: 7,
    }
    for address, queries in expected.items():
        with queries_counted(queries):
            loaded(address)


def test_query_counts_of_a_members_own_values():
    count = 3
    addresses, fan = public_rows(count), UserFactory()
    appearance = PerformanceRating.objects.first().appearance
    PerformanceRatingFactory(appearance=appearance, user=fan)
    for entry in appearance.program.all()[:count]:
        PieceRatingFactory(entry=entry, user=fan)
    viewer = viewer_of(fan)
    for address, queries in {
        addresses["participant"]: 23 + 4 + 3,  # what the waiting marks need to count
        f"{addresses['participant']}?tab=ratings": 14 + 4 + 3,  # as above
    }.items():
        with queries_counted(queries):
            page, _parts = loaded(address, viewer)
        assert page.all_fills
    with queries_counted(14 + 3 + 3):
        assert {f"author:{fan.pk}", "reader", "blind", "means"} <= set(
            loaded(addresses["session"], viewer)[0].all_fills
        )
    assert loaded(addresses["session"])[0].all_fills == {}
