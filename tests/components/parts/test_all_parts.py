"""Every shared part is one element without handlers, has unique ids and keys, and names its topics."""

import pytest

import components.routes  # noqa: F401 - registers every part that any page shows
from apps.community.limits import COMMENTS_SHOWN
from apps.core.events import topics_check
from apps.live.reaction_batch import TICK
from apps.ratings.models import RatingSubmission
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import REGISTERED, Ref
from tests.components.seen import attributes, every, name, walk
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
    "community_feed": ("", 0),
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
    "hands_some": (1, "mark", 0, "", 0),
    "hands_in_order": (1, "mark", 0, ""),
    "piece_hands": (1, "mark", 0),
    "performance_place": (1, 1, 1, "Stage I"),
}


@pytest.fixture
def ids(busy_session):
    """Create rows for every part. Return the ids that parts take as parameters, by name."""
    first, performing, _ = busy_session.appearances
    post, *_others = [BlogPostFactory(image_url="/static/demo/a.svg") for _ in range(3)]
    for appearance in (first, AppearanceFactory(participant=first.participant)):
        for entry in appearance.program.all():
            PieceRatingFactory(entry=entry, approved=True)
        rated = PerformanceRatingFactory(session_participant=appearance, approved=True)
    written = PostFactory(image_url="https://example.org/a.png", session_participant=performing)
    for appearance in busy_session.appearances:
        PostFactory(session_participant=appearance)
        SessionCommentFactory(session=busy_session.session, session_participant=appearance)
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
