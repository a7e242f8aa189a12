"""Every shared part is one element without handlers, has unique ids and keys, and names its topics."""

import pytest

import components.routes  # noqa: F401 - registers every part that any page shows
from apps.community.limits import COMMENTS_SHOWN
from apps.core.events import topics_check
from apps.ratings.models import RatingSubmission
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import REGISTERED, Ref
from tests.components.conftest import busy_session_with
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
def full(db):
    """Create rows for every part. Return the ids that parts take as parameters, by name."""
    busy_session = busy_session_with(3)
    busy_session.appearances[1].is_performing = True
    busy_session.appearances[1].save()
    post, *_others = [BlogPostFactory(image_url="/static/demo/a.svg") for _ in range(3)]
    for appearance in (
        busy_session.appearances[0],
        AppearanceFactory(participant=busy_session.appearances[0].participant),
    ):
        for entry in appearance.program.all():
            PieceRatingFactory(entry=entry, approved=True)
        rated = PerformanceRatingFactory(session_participant=appearance, approved=True)
    written = PostFactory(image_url="https://example.org/a.png", session_participant=busy_session.appearances[1])
    for appearance in busy_session.appearances:
        PostFactory(session_participant=appearance)
        SessionCommentFactory(session=busy_session.session, session_participant=appearance)
    for _ in range(COMMENTS_SHOWN + 3):
        PostCommentFactory(post=written)
    ids = {
        "session": busy_session.session.pk,
        "participant": busy_session.appearances[0].participant_id,
        "post": post.pk,
    }
    ids |= {
        "appearance": busy_session.appearances[1].pk,
        "name": "Zofia",
        "number": 1,
        "order": "ranking",
        "stage": busy_session.session.stage_id,
        "author": rated.user_id,
        "words": rated.pk,
        "rating": RatingSubmission.objects.get(user=rated.user).pk,
        "piece": busy_session.appearances[1].program.all()[0].piece_id,
    }
    return ids | {"community_post": written.pk}


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


def models(ids):
    for part in REGISTERED.values():
        if part.markup.__module__.startswith("components.parts."):
            live = LivePart(ref_of(part, ids))
            renew(live)
            yield part.name, live


def test_every_part_is_one_element_without_handlers(full):
    shown = dict(models(full))
    assert len(shown) >= 12
    for part, live in shown.items():
        assert live.model["tagName"], part
        assert not [node for node in walk(live.model) if "eventHandlers" in node], part


def test_every_row_of_a_list_has_a_string_key_of_its_own(full):
    for part, live in models(full):
        for parent in walk(live.model):
            rows = [node for node in parent.get("children", ()) if isinstance(node, dict)]
            if parent["tagName"] in LISTS or len([row for row in rows if row["tagName"] in ("article", "section")]) > 1:
                keys = [attributes(row).get("key") for row in rows]
                assert all(isinstance(key, str) for key in keys), (part, keys)
                assert len(set(keys)) == len(keys), (part, keys)


def test_no_part_has_a_style_attribute_or_an_id_twice(full):
    for part, live in models(full):
        given = [attributes(node) for node in walk(live.model)]
        assert not [each for each in given if "style" in each], part
        ids = [each["id"] for each in given if "id" in each]
        assert len(set(ids)) == len(ids), part


def test_links_of_one_name_lead_to_one_appearance(full):
    for part, live in models(full):
        appearances = {}
        for link in every(live.model, "a"):
            appearances.setdefault(name(link), set()).add(attributes(link)["href"])
        assert not {words for words, hrefs in appearances.items() if len(hrefs) > 1}, part


def test_every_part_names_its_topics(full):
    for part in REGISTERED.values():
        if part.markup.__module__.startswith("components.parts."):
            topics = ref_of(part, full).topics
            assert topics, part.name
            topics_check(topics, where=f"the part {part.name}")


@pytest.mark.django_db
def test_every_part_says_something_when_there_is_nothing():
    ids = dict.fromkeys(
        (
            "session",
            "participant",
            "post",
            "community_post",
            "appearance",
            "stage",
            "piece",
            "author",
            "rating",
            "words",
        ),
        1,
    )
    for part, live in models({**ids, "name": "Zofia", "number": 1}):
        assert live.model["tagName"], part
