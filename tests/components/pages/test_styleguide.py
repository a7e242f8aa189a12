"""The styleguide page: it has no public address, and shows every family of blocks."""

import asyncio

from reactpy.types import Connection, Location

from components.pages.public import styleguide
from components.routes import table
from components.runtime.page import PageRequest
from components.runtime.rendering.layout import first_model
from tests.components.seen import attributes, every, one, text, walk


def test_styleguide_is_no_address_of_the_site():
    assert "/styleguide" not in {route.pattern for route in table()}


def test_styleguide_shows_every_family_and_is_sound_itself():
    page = styleguide.load(PageRequest())
    connection = Connection({"type": "http"}, Location("/styleguide", ""), None)
    model = asyncio.run(first_model(page.component(page), connection))
    assert text(one(model, "h1")) == "Styleguide"
    assert len(every(model, "h2")) >= 10
    given = [attributes(node) for node in walk(model)]
    ids = [each["id"] for each in given if "id" in each]
    assert len(set(ids)) == len(ids)
    assert not [each for each in given if "style" in each]
    for look in ("keys", "cameo", "work", "button", "tabs", "badge--now", "live-now", "empty", "skeleton", "message"):
        assert every(model, look=look), look
