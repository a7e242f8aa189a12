"""Every shared part is one element with unique ids and known topics; a read that fails is logged and shows a text."""

import logging

import pytest
from django.db import OperationalError, ProgrammingError
from psycopg_pool import PoolTimeout

from apps.community.limits import COMMENTS_SHOWN
from apps.core.events import topics_check
from apps.live.reaction_batch import TICK
from apps.ratings.models import RatingSubmission
from components.parts.comments import comment_count, session_comments
from components.parts.home.banner import home_banner
from components.parts.home.sections import featured_participants, latest_news
from components.parts.news import news_list
from components.parts.sessions.lists import session_cards
from components.parts.sessions.reactions import session_reactions
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import REGISTERED, Ref
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, name, one, opened, read_part, text, walk
from tests.factories import (
    AppearanceFactory,
    BlogPostFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    PostCommentFactory,
    PostFactory,
    SessionCommentFactory,
)
from tests.offenders import check_each
from tests.rendering import renew

LISTS = ("ul", "ol")
PARAMETERS = {
    "participant_results": ("", "", 0, 1),
    "session_cards": ("all", 1),
    "schedule": ("all",),
    "community_feed": ("", 0, 0, 0),
    "notification_words": ("now", 1, 1, 1),
    "own_ranking": (1, 1, "ranking", ""),
    "own_jury_comparison": (1, ""),
    "home_figures": (1, 1, "leaders"),
    "own_home_figures": (1, 1, "leaders", ""),
    "ranking_table": (1, 1, "ranking"),
    "stage_ranking": (1, 1, "ranking"),
    "own_session_finale": (1, 1, ""),
    "own_interval_ahead": (1, 1, ""),
    "stage_size": (1, "Stage I", 1),
    "stage_views": (1, "jury"),
    "stage_jury": (1, "rank", 0),
    "jury_marks": (1, "rank", 0),
    "search_answer": ("ewa etude", ""),
    "search_results": ("ewa etude", ""),
    "search_results_all": ("ewa etude", "piece"),
    "comparison_named": (1, "1-2"),
    "comparison_nameless": (1, "1-2"),
    "set_hand": (1, 1, 1),
    "piece_catalogue": ("etiuda_a", ""),
    "catalogue_with_marks": ("etiuda_a", "10"),
    "catalogue_without_marks": ("", ""),
    "hands_some": (1, "mark", 0, "", 0),
    "hands_in_order": (1, "mark", 0, ""),
    "piece_hands": (1, "mark", 0),
    "performance_place": (1, 1, 1, "Stage I"),
    "performance_same": (1, "3-17"),
    "own_jury_marks": (1, "rank", 0, "3-17"),
    "then_from": (1_800_000_000, 2),
}


@pytest.fixture
def ids(busy_session):
    """Create rows for every part. Return the ids that parts take as parameters, by name."""
    first, performing, _ = busy_session.appearances
    post, *_others = [BlogPostFactory(image_url="/static/demo/a.svg") for _ in range(3)]
    for appearance in (first, AppearanceFactory(participant=first.participant)):
        for entry in appearance.program.all():
            PieceRatingFactory(entry=entry, approved=True)
        rated = PerformanceRatingFactory(appearance=appearance, approved=True)
    written = PostFactory(image_url="https://example.org/a.png", appearance=performing)
    for appearance in busy_session.appearances:
        PostFactory(appearance=appearance)
        SessionCommentFactory(session=busy_session.session, appearance=appearance)
    for _ in range(COMMENTS_SHOWN + 3):
        PostCommentFactory(post=written)
    return {
        "session": busy_session.session.pk,
        "participant": first.participant_id,
        "post": post.pk,
        "appearance": performing.pk,
        "name": "Zofia",
        "number": 1,
        "order": "ranking",
        "stage": busy_session.session.stage_id,
        "author": rated.user_id,
        "words": rated.pk,
        "rating": RatingSubmission.objects.get(user=rated.user).pk,
        "piece": performing.program.all()[0].piece_id,
        "community_post": written.pk,
    }


def ref_of(part, ids):
    """Return the part with the parameters that its markup function names, taken from `ids`."""
    parameters = PARAMETERS.get(part.name)
    if part.name.startswith("community_"):
        ids = ids | {"post": ids["community_post"], "from": 1}
    if parameters is None:
        count = part.markup.__code__.co_argcount
        names = [name.removesuffix("_id") for name in part.markup.__code__.co_varnames[:count]]
        parameters = tuple(ids.get(name, "") if name == "before" else ids[name] for name in names)
    return Ref(part, parameters, "en")


def lives(ids):
    """Return each part of components/parts after its read."""
    parts = [part for part in REGISTERED.values() if part.markup.__module__.startswith("components.parts.")]
    shown = [LivePart(ref_of(part, ids)) for part in parts]
    for live in shown:
        renew(live)
    return shown


def check_markup(model):
    """Check that the part is one element without handlers and styles, and has each id once."""
    assert model["tagName"]
    assert not [node for node in walk(model) if "eventHandlers" in node]
    elements = [attributes(node) for node in walk(model)]
    assert not [element for element in elements if "style" in element]
    ids = [element["id"] for element in elements if "id" in element]
    assert len(set(ids)) == len(ids)


def check_keys(model):
    """Check that the rows of each list have different keys, which are texts."""
    for parent in walk(model):
        rows = [node for node in parent.get("children", ()) if isinstance(node, dict)]
        if parent["tagName"] in LISTS or len([row for row in rows if row["tagName"] in ("article", "section")]) > 1:
            keys = [attributes(row).get("key") for row in rows]
            assert all(isinstance(key, str) for key in keys), keys
            assert len(set(keys)) == len(keys), keys


def check_links(model):
    """Check that links with the same name have the same address."""
    addresses = {}
    for link in every(model, "a"):
        addresses.setdefault(name(link), set()).add(attributes(link)["href"])
    assert not {link: hrefs for link, hrefs in addresses.items() if len(hrefs) > 1}


def test_parts_have_valid_markup_and_known_topics(ids):
    def is_valid(live):
        check_markup(live.model)
        check_keys(live.model)
        check_links(live.model)
        assert live.ref.topics
        topics_check(live.ref.topics, where=f"the part {live.ref.part.name}")

    parts = {live.ref.part.name: live for live in lives(ids)}
    check_each(parts, lambda part: is_valid(parts[part]), at_least=12)


def test_parts_of_frequent_changes_are_read_at_intervals():
    seconds = {"session_comments": TICK, "comment_count": TICK, "session_reactions": TICK, "stage_moments": 2}
    assert {name: REGISTERED[name].every for name in seconds} == seconds
    assert TICK > 0


@pytest.mark.django_db
def test_parts_without_rows_are_one_element():
    names = "session participant post community_post appearance stage piece author rating words".split()
    ids = dict.fromkeys(names, 1) | {"name": "Zofia", "number": 1}
    assert [live.ref.part.name for live in lives(ids) if not live.model["tagName"]] == []


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
