"""Buttons in shared parts that only an author and administrators see; the service checks the permission."""

from apps.accounts.actors import Viewer
from components.rendering.slots import Fills, fill, slot

AUTHOR = "author"  # the slots' name


def authors_alone(author_id: int) -> dict[str, object]:
    """Return the attributes of a button that this author and administrators see."""
    return {"hidden": True, **slot(AUTHOR, author_id)}


def author_fills(*, viewer: Viewer, language: str) -> Fills:  # noqa: ARG001 - how a page's own is read
    """Return the fills that show this viewer's buttons: one's own, or all for administrators."""
    return {AUTHOR if viewer.is_admin else f"{AUTHOR}:{viewer.id}": fill({"hidden": False})}
