"""The page of results: groups, marked matches, what only administrators see, and results that follow the data."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.participants import participant_create, participant_delete
from apps.core.threads import in_thread
from apps.search.services import entries_rebuild
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, BlogPostFactory, ParticipantFactory, UserFactory, viewer_of
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


def test_results_are_grouped_with_matches_corrections_and_further_results():
    zofia = named("Zofia Wróblewska")
    BlogPostFactory(title="Zofia wins", content="The hall stood.")
    entries_rebuild()
    assert groups("/search?q=wroblew") == {"Performers": ["Zofia Wróblewska"]}
    assert groups("/search?q=zofia") == {"Performers": ["Zofia Wróblewska"], "News": ["Zofia wins"]}
    assert groups("/search?q=zofia&kind=news") == {"News": ["Zofia wins"]}
    assert groups("/search?q=zofia&kind=nothing") == groups("/search?q=zofia")
    link = one(opened("/search?q=wroblew").main, "a", "found__title")
    assert attributes(link)["href"] == f"/participants/{zofia.pk}"
    assert attributes(link)["translate"] == "no"
    assert "translate" not in attributes(every(opened("/search?q=zofia").main, "a", "found__title")[1])
    assert text(one(link, "mark")) == "Wróblew"
    named("David Khrikuli")
    entries_rebuild()
    main = opened("/search?q=Khirkuli").main
    assert "Nothing found for “Khirkuli”. Showing “khrikuli”. 1 result" in text(main)
    assert "Nothing found for “qqqq”." in text(opened("/search?q=qqqq").main)
    assert "Names, pieces in any language" in text(opened("/search").main)
    for number in range(23):
        BlogPostFactory(title=f"Interval {number}")
    entries_rebuild()
    main = opened("/search?q=interval").main
    more = one(every(main, "section", "found")[0], "a", "link")
    assert (text(more), attributes(more)["href"]) == ("3 more", "/search?q=interval&kind=news")
    assert len(groups("/search?q=interval&kind=news")["News"]) == 23


def test_drafts_are_found_by_administrators_only():
    BlogPostFactory(title="Tuning secrets", is_published=False)
    entries_rebuild()
    for viewer in ((), (viewer_of(UserFactory()),)):
        assert groups("/search?q=tuning", *viewer) == {}
    admin = viewer_of(AdminFactory())
    assert groups("/search?q=tuning", admin) == {"News": ["Tuning secrets"]}
    assert "not public" in text(opened("/search?q=tuning", admin).main)


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
