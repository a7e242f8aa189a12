"""What only its author may do, shown in what everybody sees: a convenience for the eye; the service decides."""

from apps.accounts.actors import Viewer
from components.rendering.slots import Fills, fill, slot

AUTHOR = "author"  # the slots' name


def authors_alone(author_id: int) -> dict[str, object]:
    """Attributes of a button that its author and administrators see."""
    return {"hidden": True, **slot(AUTHOR, author_id)}


def author_fills(*, viewer: Viewer, language: str) -> Fills:  # noqa: ARG001 - how a page's own is read
    """Show this viewer's buttons: one's own, or everybody's."""
    return {AUTHOR if viewer.is_admin else f"{AUTHOR}:{viewer.id}": fill({"hidden": False})}
