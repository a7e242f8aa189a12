"""Suggestions over HTTP: what they contain, for whom, their limit, and texts that cannot be stored."""

import json
import logging
from typing import Any

import pytest

from apps.core.buckets import Buckets, Rate
from apps.core.threads import in_thread
from apps.search.services import entries_rebuild
from project.process.web_process import process
from tests.factories import AdminFactory, BlogPostFactory, ParticipantFactory, UserFactory
from tests.project.asking import ask
from tests.serving import session_cookie

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]
ADDRESS = "/search/suggestions"


def entries_create() -> None:
    """Create a participant, and an article that is not published."""
    ParticipantFactory(first_name="Zofia", second_name="Wróblewska", name="Zofia Wróblewska", country="Poland")
    BlogPostFactory(title="Zofia in rehearsal", is_published=False)
    entries_rebuild()


async def suggested(query: str, **headers: str) -> dict[str, Any]:
    """Return the suggestions for this query string."""
    answer = await ask(f"{ADDRESS}?{query}", **headers)
    assert (answer.status, answer.header("cache-control")) == (200, "no-store")
    return dict(json.loads(answer.text))


async def test_hits_have_their_matches_and_addresses() -> None:
    await in_thread(entries_create)
    suggestions = await suggested("q=wroblew")
    (group,) = suggestions["groups"]
    (hit,) = group["hits"]
    assert (group["name"], suggestions["words"]) == ("Performers", "1 suggestion.")
    assert hit["title"] == [["Zofia ", False], ["Wróblew", True], ["ska", False]]
    assert hit["detail"] == [["Poland", False]]
    assert hit["address"].startswith("/participants/")
    assert hit["is_name"]
    assert suggestions["all"] == {"words": "All results", "address": "/search?q=wroblew"}
    empty = await suggested("q=qqqq")
    assert (empty["groups"], empty["words"]) == ([], "Nothing found for “qqqq”.")


async def test_only_administrators_get_unpublished_entries() -> None:
    await in_thread(entries_create)
    fan, admin = [await in_thread(lambda maker=maker: session_cookie(maker())) for maker in (UserFactory, AdminFactory)]
    for cookie, names in (("", ["Performers"]), (fan, ["Performers"]), (admin, ["Performers", "News"])):
        suggestions = await suggested("q=zofia", cookie=cookie)
        assert [group["name"] for group in suggestions["groups"]] == names
    assert suggestions["groups"][1]["hits"][0]["note"] == "not public"


async def test_any_text_is_answered_and_only_reads_are() -> None:
    for query in ("", "q=", "q=%00", "q=%ED%A0%80", "q=%FF%FE", "q=%", "q=" + "a" * 10_000, "x=1&q=%5C%27"):
        assert (await suggested(query))["groups"] == [], query
    assert (await ask(ADDRESS, "POST")).status in (403, 405)


async def test_suggestion_counts_as_a_quarter_of_a_search(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process.connection_limits, "searches", Buckets(Rate(2, 1e-6)))
    with caplog.at_level(logging.ERROR):
        for _ in range(8):
            await suggested("q=a")
        refused = await ask(f"{ADDRESS}?q=a")
    assert refused.status == 429
    assert int(refused.header("retry-after")) >= 1
    assert json.loads(refused.text)["words"] == "That were many searches. Please wait a moment, or press Enter."
    assert (await suggested("q="))["groups"] == []
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
