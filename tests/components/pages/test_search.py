"""The page of results: groups, marked matches, what only administrators see, and results that follow the data."""

from urllib.parse import quote

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.participants import participant_create, participant_delete
from apps.core.threads import in_thread
from apps.search.services import entries_rebuild
from components.routes import closed_paths
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, BlogPostFactory, ParticipantFactory, UserFactory, viewer_of
from tests.offenders import check_each
from tests.screen import open_page

pytestmark = pytest.mark.django_db


def named(name):
    first, _, second = name.partition(" ")
    return ParticipantFactory(first_name=first, second_name=second, name=name)


def groups(address, *viewer):
    """Return the titles of the hits by the names of their groups."""
    sections = every(opened(address, *viewer).main, "section", "found")
    return {
        text(one(section, "h2")): [text(hit) for hit in every(section, "a", "found__title")] for section in sections
    }


def test_results_are_grouped_with_highlighted_matches():
    zofia = named("Zofia Wróblewska")
    BlogPostFactory(title="Zofia wins", content="The hall stood.")
    entries_rebuild()
    assert groups("/search?q=wroblew") == {"Performers": ["Zofia Wróblewska"]}
    assert groups("/search?q=zofia") == {"Performers": ["Zofia Wróblewska"], "News": ["Zofia wins"]}
    assert groups("/search?q=zofia&kind=news") == {"News": ["Zofia wins"]}
    assert groups("/search?q=zofia&kind=nothing") == groups("/search?q=zofia")
    link = one(opened("/search?q=wroblew").main, "a", "found__title")
    assert attributes(link)["href"] == f"/participants/{zofia.pk}"
    assert text(one(link, "mark")) == "Wróblew"


def test_corrected_query_is_stated():
    named("David Khrikuli")
    entries_rebuild()
    main = opened("/search?q=Khirkuli").main
    assert "Nothing found for “Khirkuli”. Showing “khrikuli”. 1 result" in text(main)
    assert "Nothing found for “qqqq”." in text(opened("/search?q=qqqq").main)
    assert "Names, pieces in any language" in text(opened("/search").main)


def test_drafts_are_found_by_administrators_only():
    BlogPostFactory(title="Tuning secrets", is_published=False)
    entries_rebuild()
    for viewer in ((), (viewer_of(UserFactory()),)):
        assert groups("/search?q=tuning", *viewer) == {}
    admin = viewer_of(AdminFactory())
    assert groups("/search?q=tuning", admin) == {"News": ["Tuning secrets"]}
    assert "not public" in text(opened("/search?q=tuning", admin).main)


def test_group_links_to_its_further_results():
    for number in range(23):
        BlogPostFactory(title=f"Interval {number}")
    entries_rebuild()
    main = opened("/search?q=interval").main
    more = one(every(main, "section", "found")[0], "a", "link")
    assert (text(more), attributes(more)["href"]) == ("3 more", "/search?q=interval&kind=news")
    assert len(groups("/search?q=interval&kind=news")["News"]) == 23


def test_search_page_is_closed_to_search_engines():
    assert "/search" in closed_paths()


def test_special_characters_and_long_queries_are_accepted():
    right_to_left = "\u202e\u05d0\u05d1\u05d2"
    queries = ("%", "_", "\\'", "a" * 10_000, "(.*)+$", right_to_left, "&|!()<->:*", "\ufffd")
    check_each(queries, lambda query: loaded(f"/search?q={quote(query)}")[0].status == 200)


async def test_open_results_page_follows_changes():
    async with open_page("/search?q=wroblewska") as screen:
        await screen.until("Nothing found for “wroblewska”.")
        zofia = await in_thread(
            lambda: participant_create(
                actor=OPERATOR, first_name="Zofia", second_name="Wróblewska", country="Poland", biography="Plays."
            )
        )
        await screen.until("Zofia Wróblewska")
        await in_thread(lambda: participant_delete(actor=OPERATOR, participant_id=zofia.pk))
        await screen.until("Nothing found for “wroblewska”.")
