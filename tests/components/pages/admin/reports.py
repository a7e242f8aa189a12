"""Helpers for tests of the tab Reports: reported posts, two administrators, and the rows of the list."""

from types import SimpleNamespace

from tests.apps.community.reporting import POST, report
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.seen import attributes, every, name, one, text
from tests.factories import AdminFactory, PostFactory, viewer_of

TAB = "/admin?tab=reports"


def reported_posts(count=3):
    """Return `count` posts, each reported once in order, and two administrators."""
    posts = [PostFactory(content=f"Post {n:02d}", user_id=member(username=f"author_{n}").id) for n in range(count)]
    for post in posts:
        report(POST, post)
    admin, colleague = AdminFactory(username="halina_k"), AdminFactory(username="ignacy_p")
    return SimpleNamespace(posts=posts, admin=viewer_of(admin), colleague=viewer_of(colleague))


def decision(where, verdict, words):
    """Return the command and argument of the button for this decision about the text that begins with `words`."""
    (match,) = [
        button
        for button in every(where, "button")
        if name(button).startswith(f"{verdict}: ") and f"“{words}" in name(button)
    ]
    return attributes(match)["data-command"], attributes(match)["data-argument"]


async def decided(screen, verdict, words):
    """Press the button for this decision, and return the answer."""
    return await command(screen, *decision(screen.tree, verdict, words))


def rows(where):
    """Return the reported texts in the order of the list."""
    return [text(one(row, "blockquote")) for row in every(one(where, "ol", "queue"), "li")]
