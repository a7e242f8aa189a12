"""Pictures of people: ovals for performers, discs for the audience."""

from zlib import crc32

from components.markup import Markup, VdomDict, html

PAPERS = 4


def paper(name: str) -> int:
    """Return the background (1 to 4) for a name, always the same one."""
    return crc32(name.encode()) % PAPERS + 1


def cameo(name: str, initials: str, picture: str = "", *, size: str = "") -> VdomDict:
    """Return a performer's oval: the picture, or the initials on a paper; `size` is "small", "large" or empty."""
    return _likeness("cameo", name, initials, picture, size)


def disc(name: str, initials: str, picture: str = "", *, size: str = "") -> VdomDict:
    """Return an audience member's disc: the picture, or the initials on a paper; `size` is "small" or empty."""
    return _likeness("disc", name, initials, picture, size)


def _likeness(shape: str, name: str, initials: str, picture: str, size: str) -> VdomDict:
    names = [shape, f"{shape}--{size}" if size else "", f"tint-{paper(name)}"]
    # the initials stay below the picture, for while it loads or fails
    image = (
        html.img({"src": picture, "alt": "", "loading": "lazy", "decoding": "async", "referrerPolicy": "no-referrer"})
        if picture
        else None
    )
    return html.span({"class": " ".join(filter(None, names)), "aria-hidden": "true"}, initials, image)


def person(likeness: VdomDict, name: Markup, *below: Markup) -> VdomDict:
    """Return a person in a list: the likeness, the name (a link or a heading's content), lines below it."""
    return html.div({"class": "person"}, likeness, html.div(name, *below))
