"""The styleguide page: it has no public address, and shows every family of blocks."""

import asyncio

from reactpy.types import Connection, Location

from components.pages.public import styleguide
from components.routes import table
from components.runtime.page import PageRequest
from components.runtime.rendering.layout import first_model
from tests.components.seen import attributes, every, one, text, walk


def test_styleguide_has_no_public_address():
    assert "/styleguide" not in {route.pattern for route in table()}


def test_styleguide_shows_every_family_of_blocks():
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
