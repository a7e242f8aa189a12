"""The page of results: groups, marked matches, what only administrators see, and results that follow the data."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.participants import participant_create, participant_delete
from apps.core.threads import in_thread
from apps.search.services import entries_rebuild
from components.routes import closed_paths
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, BlogPostFactory, ParticipantFactory, UserFactory, viewer_of
from tests.screen import open_page

pytestmark = pytest.mark.django_db(transaction=True)


def named(name):
    first, _, second = name.partition(" ")
    return ParticipantFactory(first_name=first, second_name=second, name=name)


def groups(address, *viewer):
    """Return the titles of the hits by the names of their groups."""
    sections = every(opened(address, *viewer).main, "section", "found")
    return {text(one(each, "h2")): [text(hit) for hit in every(each, "a", "found__title")] for each in sections}


def test_results_are_grouped_and_their_matches_marked():
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


def test_a_slip_says_what_is_shown():
    named("David Khrikuli")
    entries_rebuild()
    main = opened("/search?q=Khirkuli").main
    assert "Nothing found for “Khirkuli”. Showing “khrikuli”. 1 result" in text(main)
    assert "Nothing found for “qqqq”." in text(opened("/search?q=qqqq").main)
    assert "Names, pieces in any language" in text(opened("/search").main)


def test_only_administrators_find_what_is_not_public():
    BlogPostFactory(title="Tuning secrets", is_published=False)
    entries_rebuild()
    for viewer in ((), (viewer_of(UserFactory()),)):
        assert groups("/search?q=tuning", *viewer) == {}
    admin = viewer_of(AdminFactory())
    assert groups("/search?q=tuning", admin) == {"News": ["Tuning secrets"]}
    assert "not public" in text(opened("/search?q=tuning", admin).main)


def test_a_kind_with_more_leads_to_all_of_it():
    for number in range(23):
        BlogPostFactory(title=f"Interval {number}")
    entries_rebuild()
    main = opened("/search?q=interval").main
    more = one(every(main, "section", "found")[0], "a", "link")
    assert (text(more), attributes(more)["href"]) == ("3 more", "/search?q=interval&kind=news")
    assert len(groups("/search?q=interval&kind=news")["News"]) == 23


def test_search_engines_do_not_index_it():
    assert "/search" in closed_paths()


RIGHT_TO_LEFT = "\u202e\u05d0\u05d1\u05d2"


@pytest.mark.parametrize("query", ["%", "_", "\\'", "a" * 10_000, "(.*)+$", RIGHT_TO_LEFT, "&|!()<->:*", "\ufffd"])
def test_any_text_is_literal_or_cut(query):
    page, _ = loaded("/search?q=" + "".join(f"%{byte:02X}" for byte in query.encode()))
    assert page.status == 200


async def test_an_open_page_follows_what_is_written_and_deleted():
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
