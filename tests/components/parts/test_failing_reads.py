"""A read of news, comments or reactions that fails is logged and leaves an empty section."""

import logging

import pytest
from django.db import ProgrammingError

from apps.live.models import SessionReaction
from components.parts.comments import comment_count, session_comments
from components.parts.news import news_list
from components.parts.sessions.reactions import session_reactions
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, opened, text, tree
from tests.factories import BlogPostFactory, SessionCommentFactory

pytestmark = pytest.mark.django_db
FAILING = {
    "news": ("components.parts.news.post_list", "/news", "Error fetching news"),
    "comments": ("apps.live.selectors.session_comments", "/sessions/{}", "Error fetching comments"),
    "reactions": ("components.parts.sessions.reactions.reactions_now", "/sessions/{}", "Error fetching reactions"),
}


def broken(**_):
    raise ProgrammingError("relation is gone")


@pytest.fixture
def session_id():
    session = busy_session_with(1).session
    SessionCommentFactory(session=session, content="Brava")
    return session.pk


@pytest.mark.parametrize("name", FAILING)
def test_page_is_shown_without_a_section_that_cannot_be_read(name, session_id, monkeypatch, caplog):
    BlogPostFactory(title="Four pianos")
    read, address, message = FAILING[name]
    monkeypatch.setattr(read, broken)
    with caplog.at_level(logging.ERROR):
        shown = opened(address.format(session_id))
    assert shown.page.status == 200
    assert {record.getMessage() for record in caplog.records} == {message}
    assert "relation is gone" in caplog.text


def test_sections_that_cannot_be_read_are_shown_empty(session_id, monkeypatch):
    for read, _, _ in FAILING.values():
        monkeypatch.setattr(read, broken)
    assert text(tree(news_list.markup("", language="en"))) == "No news articles available yet."
    assert text(tree(session_comments.markup(session_id, language="en"))) == "Nobody has said anything yet."
    assert text(tree(comment_count.markup(session_id, language="en"))) == "0"
    bar = tree(session_reactions.markup(session_id, language="en"))
    assert attributes(bar)["data-totals"] == "[]"
    assert [text(count) for count in every(bar, "span", "num")] == ["0"] * 4
    assert not SessionReaction.objects.exists()
