"""Every route's page has a title, a description, headings in order, unique ids and labelled fields."""

from itertools import pairwise

import pytest

from apps.accounts.actors import ANONYMOUS, Viewer
from components.routes import Access, find, table
from components.runtime.page import Redirect
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, name, one, opened, text, walk
from tests.factories import AdminFactory, BlogPostFactory, PostFactory

ADMIN = Viewer(id=1_000_000_000, username="halina_k", is_admin=True)
HEADINGS = ("h1", "h2", "h3", "h4")


@pytest.fixture
def addresses(db):
    """Return one address of each route; each leads to an existing object."""
    AdminFactory(pk=ADMIN.id, username=ADMIN.username)
    busy_session = busy_session_with(3)
    ids = {
        "/participants/{id}": busy_session.appearances[0].participant_id,
        "/sessions/{id}": busy_session.session.pk,
        "/stages/{id}": busy_session.session.stage_id,
        "/pieces/{id}/compare": busy_session.appearances[0].program.all()[0].piece_id,
        "/pieces/{id}": busy_session.appearances[0].program.all()[0].piece_id,
        "/news/{id}": BlogPostFactory().pk,
    }
    asks = {"/community/report": f"?thing=post:{PostFactory().pk}"}  # the reported text
    patterns = [route.pattern for route in table()]
    return [each.replace("{id}", str(ids.get(each, ""))) + asks.get(each, "") for each in patterns]


def test_every_page_has_one_heading_a_title_a_description_and_its_landmarks(addresses):
    for address in addresses:
        seen = opened(address, ADMIN)
        assert seen.page.status == 200, address
        assert text(one(seen.main, "h1")).strip(), address
        assert attributes(one(seen.main, "h1"))["tabIndex"] == -1, address
        assert seen.page.title, address
        assert len(seen.page.description) > 10, address
        assert one(seen.model, "main", id="main"), address
        assert one(seen.model, "footer"), address


def test_headings_of_every_page_leave_no_step_out(addresses):
    for address in addresses:
        levels = [int(node["tagName"][1]) for node in walk(opened(address, ADMIN).main) if node["tagName"] in HEADINGS]
        assert levels[0] == 1, address
        assert all(after <= before + 1 for before, after in pairwise(levels)), (address, levels)


def test_no_page_has_an_id_twice_a_style_attribute_or_a_key_that_is_no_text(addresses):
    for address in addresses:
        given = [attributes(node) for node in walk(opened(address, ADMIN).model)]
        ids = [each["id"] for each in given if "id" in each]
        assert len(set(ids)) == len(ids), (address, ids)
        assert not [each for each in given if "style" in each], address
        assert all(isinstance(each["key"], str) for each in given if "key" in each), address


def test_every_field_has_its_label(addresses):
    for address in addresses:
        seen = opened(address, ADMIN)
        labelled = {attributes(label)["htmlFor"] for label in every(seen.model, "label")}
        fields = [attributes(node) for tag in ("input", "select", "textarea") for node in every(seen.model, tag)]
        seen_by_people = [field for field in fields if field.get("type") != "hidden" and not field.get("hidden")]
        assert {field["id"] for field in seen_by_people} <= labelled, address


def test_titles_tell_pages_apart(addresses):
    titles = [opened(address, ADMIN).page.title for address in set(addresses) if not address.startswith("/admin/")]
    assert len(set(titles)) == len(titles)


@pytest.mark.django_db
def test_a_public_page_is_the_same_for_everybody():
    for route in table():
        if route.access is Access.PUBLIC and "{" not in route.pattern:
            assert find(route.pattern, ANONYMOUS).load(ANONYMOUS, "en") == find(route.pattern, ADMIN).load(ADMIN, "en")


@pytest.mark.parametrize(
    ("address", "words", "back", "way", "topic"),
    [
        ("/participants/999", "Participant not found.", "/participants", "All participants", "participant.999"),
        ("/sessions/999", "Session not found.", "/sessions", "All sessions", "session.999"),
        ("/news/999", "Article not found", "/news", "All news", "post.999"),
        ("/sessions/0", "Session not found.", "/sessions", "All sessions", "session.0"),
        (f"/news/{10**17}", "Article not found", "/news", "All news", f"post.{10**17}"),
    ],
)
@pytest.mark.django_db
def test_what_is_not_there_says_so_and_leads_back(address, words, back, way, topic):
    seen = opened(address)
    assert seen.page.status == 404
    assert text(one(seen.main, "h1")) == words
    link = one(seen.main, "a")
    assert (attributes(link)["href"], name(link)) == (back, way)
    assert seen.page.topics == (topic,)  # creating the object invalidates the cached 404 page


def test_profile_is_for_those_who_are_signed_in():
    assert find("/profile", ANONYMOUS) == Redirect("/login?next=%2Fprofile")
