"""Every route's page, and the styleguide: title, description, headings in order, unique ids and labelled fields."""

import asyncio
from itertools import pairwise

import pytest
from reactpy.types import Connection, Location

from apps.accounts.actors import ANONYMOUS, Viewer
from components.pages.public import styleguide
from components.routes import Access, find, table
from components.runtime.page import PageRequest
from components.runtime.rendering.layout import first_model
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, name, one, opened, text, walk
from tests.factories import AdminFactory, BlogPostFactory, PostFactory
from tests.offenders import check_each

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
    queries = {"/community/report": f"?thing=post:{PostFactory().pk}"}  # the reported text
    patterns = [route.pattern for route in table()]
    return [pattern.replace("{id}", str(ids.get(pattern, ""))) + queries.get(pattern, "") for pattern in patterns]


def has_title_and_landmarks(seen):
    heading = one(seen.main, "h1")
    assert seen.page.status == 200
    assert text(heading).strip()
    assert attributes(heading)["tabIndex"] == -1
    assert seen.page.title
    assert len(seen.page.description) > 10
    assert one(seen.model, "main", id="main")
    assert one(seen.model, "footer")


def has_headings_in_order(seen):
    levels = [int(node["tagName"][1]) for node in walk(seen.main) if node["tagName"] in HEADINGS]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def has_unique_ids_and_text_keys(seen):
    nodes = [attributes(node) for node in walk(seen.model)]
    ids = [node["id"] for node in nodes if "id" in node]
    assert len(set(ids)) == len(ids), ids
    assert not [node for node in nodes if "style" in node]
    assert all(isinstance(node["key"], str) for node in nodes if "key" in node)


def has_a_label_for_each_field(seen):
    labelled = {attributes(label).get("htmlFor") for label in every(seen.model, "label")} - {None}
    ids = {attributes(node).get("id") for node in walk(seen.model)}
    fields = [attributes(node) for tag in ("input", "select", "textarea") for node in every(seen.model, tag)]
    visible = [field for field in fields if field.get("type") != "hidden" and not field.get("hidden")]
    assert {field.get("id") for field in visible if field.get("aria-labelledby") not in ids - {None}} <= labelled


CHECKS = (has_title_and_landmarks, has_headings_in_order, has_unique_ids_and_text_keys, has_a_label_for_each_field)


def test_every_page_is_accessible_and_has_its_own_title(addresses):
    pages = {address: opened(address, ADMIN) for address in addresses}
    for check in CHECKS:
        check_each(pages, lambda address, check=check: check(pages[address]), at_least=40)
    titles = [seen.page.title for address, seen in pages.items() if not address.startswith("/admin/")]
    assert len(set(titles)) == len(titles)


@pytest.mark.django_db
def test_public_pages_are_equal_for_all_viewers():
    patterns = [route.pattern for route in table() if route.access is Access.PUBLIC and "{" not in route.pattern]

    def is_equal(address):
        return find(address, ANONYMOUS).load(ANONYMOUS, "en") == find(address, ADMIN).load(ADMIN, "en")

    check_each(patterns, is_equal)


@pytest.mark.django_db
def test_missing_objects_are_404_pages_with_a_link_back():
    cases = (
        ("/participants/999", "Participant not found.", "/participants", "All participants", "participant.999"),
        ("/sessions/999", "Session not found.", "/sessions", "All sessions", "session.999"),
        ("/news/999", "Article not found", "/news", "All news", "post.999"),
        ("/sessions/0", "Session not found.", "/sessions", "All sessions", "session.0"),
        (f"/news/{10**17}", "Article not found", "/news", "All news", f"post.{10**17}"),
    )
    for address, heading, undone, label, topic in cases:
        seen = opened(address)
        link = one(seen.main, "a")
        assert (seen.page.status, text(one(seen.main, "h1"))) == (404, heading), address
        assert (attributes(link)["href"], name(link)) == (undone, label), address
        assert seen.page.topics == (topic,), address  # creating the object invalidates the cached 404 page


def test_styleguide_shows_every_family_of_blocks_at_no_public_address():
    assert "/styleguide" not in {route.pattern for route in table()}
    page = styleguide.load(PageRequest())
    connection = Connection({"type": "http"}, Location("/styleguide", ""), None)
    model = asyncio.run(first_model(page.component(page), connection))
    assert text(one(model, "h1")) == "Styleguide"
    assert len(every(model, "h2")) >= 10
    ids = [attributes(node)["id"] for node in walk(model) if "id" in attributes(node)]
    assert len(set(ids)) == len(ids)
    assert not [node for node in walk(model) if "style" in attributes(node)]
    looks = ("keys", "cameo", "work", "button", "tabs", "badge--now", "live-now", "empty", "skeleton", "message")
    assert [look for look in looks if not every(model, look=look)] == []
