"""A read that fails is logged, and its section is shown without rows; an unavailable database fails the page."""

import logging

import pytest
from django.db import OperationalError, ProgrammingError
from psycopg_pool import PoolTimeout

from components.parts.comments import comment_count, session_comments
from components.parts.home.banner import home_banner
from components.parts.home.sections import featured_participants, latest_news
from components.parts.news import news_list
from components.parts.sessions.lists import session_cards
from components.parts.sessions.reactions import session_reactions
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, opened, read_part, text
from tests.factories import BlogPostFactory, SessionCommentFactory

HOME, COMMENTS = "Error fetching home page data", "Error fetching comments"
# The function of each read, the log message, and the text that the part then shows.
READS = {
    (latest_news,): ("components.parts.home.sections.post_list", HOME, "No news articles available yet."),
    (featured_participants,): (
        "components.parts.home.sections.participant_featured", HOME, "No featured participants available yet.",
    ),
    (home_banner,): ("components.parts.home.banner.live_session", HOME, ""),
    (news_list, ""): ("components.parts.news.post_list", "Error fetching news", "No news articles available yet."),
    (session_comments, 1): ("apps.live.selectors.session_comments", COMMENTS, "Nobody has said anything yet."),
    (comment_count, 1): ("apps.live.selectors.session_comments", COMMENTS, "0"),
    (session_cards, "past", 1): (
        "components.parts.sessions.lists.session_list",
        "Error loading sessions", "Error loading sessions: Please try again in a moment.",
    ),
}  # fmt: skip
REACTIONS = "components.parts.sessions.reactions.reactions_now"


def fail(monkeypatch, read, error):
    def broken(**_):
        raise error

    monkeypatch.setattr(read, broken)


@pytest.mark.parametrize("part", READS, ids=lambda part: part[0].name)
def test_failed_read_is_logged_and_shows_a_text(part, monkeypatch, caplog):
    read, message, shown = READS[part]
    fail(monkeypatch, read, ProgrammingError("relation is gone"))
    with caplog.at_level(logging.ERROR):
        assert text(read_part(*part)) == shown
    assert caplog.messages == [message]
    assert "relation is gone" in caplog.text
    for error in (OperationalError("gone"), PoolTimeout("full")):
        fail(monkeypatch, read, error)
        with pytest.raises(type(error)):
            read_part(*part)


def test_sessions_that_cannot_be_read_are_an_alert_and_read_again(monkeypatch):
    fail(monkeypatch, READS[session_cards, "past", 1][0], ProgrammingError("relation is gone"))
    shown = read_part(session_cards, "past", 1)
    assert attributes(one(shown, "p"))["role"] == "alert"
    assert float(attributes(shown)["data-refresh-after"]) > 0


@pytest.mark.django_db
def test_page_is_shown_without_sections_that_cannot_be_read(monkeypatch, caplog):
    session = busy_session_with(1).session
    SessionCommentFactory(session=session, content="Brava")
    BlogPostFactory(title="Four pianos")
    for read in (READS[news_list, ""][0], READS[session_comments, 1][0], REACTIONS):
        fail(monkeypatch, read, ProgrammingError("relation is gone"))
    with caplog.at_level(logging.ERROR):
        assert [opened(path).page.status for path in ("/news", f"/sessions/{session.pk}")] == [200, 200]
    assert set(caplog.messages) == {"Error fetching news", COMMENTS, "Error fetching reactions"}
    bar = read_part(session_reactions, session.pk)
    assert attributes(bar)["data-totals"] == "[]"
    assert [text(count) for count in every(bar, "span", "num")] == ["0"] * 4
