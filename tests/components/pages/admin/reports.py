"""The tab Reports: posts that are reported, the two administrators who decide about them, and its rows."""

from types import SimpleNamespace

from tests.apps.community.reporting import POST, report
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.seen import attributes, every, name, one, text
from tests.factories import AdminFactory, PostFactory, viewer_of

TAB = "/admin?tab=reports"


def desk(count=3):
    """So many posts, each reported once, the last one last, and two administrators."""
    posts = [PostFactory(content=f"Post {n:02d}", user_id=member(username=f"author_{n}").id) for n in range(count)]
    for post in posts:
        report(POST, post)
    halina, ignacy = AdminFactory(username="halina_k"), AdminFactory(username="ignacy_p")
    return SimpleNamespace(posts=posts, halina=viewer_of(halina), ignacy=viewer_of(ignacy))


def decision(where, verdict, words):
    """Command and argument of the button that decides about the text that begins with these words."""
    (found,) = [
        each for each in every(where, "button") if name(each).startswith(f"{verdict}: ") and f"“{words}" in name(each)
    ]
    return attributes(found)["data-command"], attributes(found)["data-argument"]


async def decided(screen, verdict, words):
    """Press a row's button."""
    return await command(screen, *decision(screen.tree, verdict, words))


def rows(where):
    """The texts that the list shows, in its order."""
    return [text(one(each, "blockquote")) for each in every(one(where, "ol", "queue"), "li")]
