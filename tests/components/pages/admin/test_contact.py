"""The page "Who runs the site": its form, errors at fields, the environment, and the public pages that follow."""

from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, viewer_of
from tests.screen import open_page

CONTACT = "/admin/contact"


async def test_contact_change_is_shown_on_open_and_cached_pages():
    user = await in_thread(AdminFactory)
    async with (
        open_page(CONTACT, user=user) as editor,
        open_page("/contact") as contact,
        open_page("/privacy") as privacy,
    ):
        version = attributes(one(editor.tree, "input", name="version"))["defaultValue"]
        fields = {"name": "Jan Kowalski", "version": version}
        refused = await command(editor, "site_contact_set", email="nowhere", **fields)
        assert (refused["ok"], refused["field"]) == (False, "email")
        answer = await command(editor, "site_contact_set", email="hall@example.org", **fields)
        assert (answer["ok"], answer["text"], answer["go"]) == (True, "Contact updated successfully", CONTACT)
        for screen in (contact, privacy):
            await screen.until("This copy of Parterre is run by Jan Kowalski.")
        async with open_page("/contact") as later:
            assert "hall@example.org" in later.text


def test_values_of_the_environment_are_read_only(db, settings):
    admin = viewer_of(AdminFactory())
    settings.OPERATOR_NAME = "The Society"
    page = opened(CONTACT, admin).main
    name = attributes(one(page, "input", name="name"))
    assert (name["defaultValue"], name["readOnly"]) == ("The Society", True)
    assert "Set by OPERATOR_NAME of the environment, which overrides what is stored." in text(page)
    assert "readOnly" not in attributes(one(page, "input", name="email"))
    settings.CONTACT_EMAIL = "society@example.org"
    page = opened(CONTACT, admin).main
    assert not every(page, "button", type="submit")
    assert "Set by CONTACT_EMAIL of the environment" in text(page)
