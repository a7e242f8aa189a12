"""People in parts: participants with their picture, and authors by name."""

from typing import Protocol

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import default_avatars
from apps.core.text_rules import initials
from apps.core.texts import Texts
from components.runtime import Fills, Markup, SlotQuery, VdomDict, fill, html, read_once, slot, slot_query
from components.ui.people import cameo, performer_link, person, with_names


class Performer(Protocol):
    """A participant with name and picture."""

    @property
    def name(self) -> str:
        """The full name."""

    @property
    def avatar_url(self) -> str:
        """The picture, empty when there is none."""


def oval(performer: Performer, size: str = "") -> VdomDict:
    """Return the participant's cameo."""
    picture = performer.avatar_url or read_once(default_avatars).participant_avatar_url
    return cameo(performer.name, initials(performer.name), picture, size=size)


def entry(performer: Performer, participant_id: int, heading: str, *below: Markup) -> VdomDict:
    """Return the participant with the name as a link; `heading` is the element of the name, such as "h3"."""
    name = performer_link(participant_id, performer.name)
    element = {"h2": html.h2, "h3": html.h3, "p": html.p}[heading]
    return person(oval(performer), element({"class": "person__name"}, name), *below)


def by(author: str, t: Texts) -> list[Markup]:
    """Return "by" and the author, or "former member"."""
    return with_names(t("by {author}"), author=author or html.span(t("former member")))


AUTHOR, READER = "author", "reader"  # the slots' names


def authors_alone(author_id: int) -> dict[str, object]:
    """Return the attributes of a button that this author and administrators see."""
    return {"hidden": True, **slot(AUTHOR, author_id)}


def readers_alone(author_id: int) -> dict[str, object]:
    """Return the attributes of a link that all signed-in viewers see, except this author."""
    return {"hidden": True, **slot(READER, author_id)}


def author_slots() -> SlotQuery:
    """Return the query for the buttons of authors and the links of readers. It has no topics: it never changes."""
    return slot_query(author_fills)


def author_fills(*, viewer: Viewer) -> Fills:
    """Return the fills that show the buttons on the viewer's texts (administrators: on all), and on others' texts."""
    return {
        AUTHOR if viewer.is_admin else f"{AUTHOR}:{viewer.id}": fill({"hidden": False}),
        READER: fill({"hidden": False}),
        f"{READER}:{viewer.id}": fill({"hidden": True}),
    }
