"""Buttons in shared parts that only an author and administrators see; the service checks the permission."""

from apps.accounts.actors import Viewer
from components.rendering.slots import Fills, fill, slot

AUTHOR, READER = "author", "reader"  # the slots' names


def authors_alone(author_id: int) -> dict[str, object]:
    """Return the attributes of a button that this author and administrators see."""
    return {"hidden": True, **slot(AUTHOR, author_id)}


def readers_alone(author_id: int) -> dict[str, object]:
    """Return the attributes of a link that everybody sees who is signed in, except this author."""
    return {"hidden": True, **slot(READER, author_id)}


def author_fills(*, viewer: Viewer, language: str) -> Fills:  # noqa: ARG001 - how a page's own is read
    """Return the fills that show what this viewer may do: to one's own, all for administrators, and to others'."""
    return {
        AUTHOR if viewer.is_admin else f"{AUTHOR}:{viewer.id}": fill({"hidden": False}),
        READER: fill({"hidden": False}),
        f"{READER}:{viewer.id}": fill({"hidden": True}),
    }
