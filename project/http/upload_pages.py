"""The pages of the files that administrators send to one address, by the field `kind` of its query."""

from urllib.parse import parse_qs, urlencode

UPLOAD = "/participant-file"
PROGRAMS, JURY = "programs", "jury"  # kinds; without one it is a participant file
_PAGES = {"": "/admin/import", PROGRAMS: "/admin/program-import?session=all", JURY: "/admin/jury"}
_LARGE = {
    "": "/admin/import?file=refused&why=large",
    PROGRAMS: "/admin/program-import?session=all&file=large",
    JURY: "/admin/jury?file=large",
}


def upload_page(kind: str) -> str:
    """Return the page of a kind of file."""
    return _PAGES.get(kind, _PAGES[""])


def sign_in_page(kind: str) -> str:
    """Return the page Log in that leads back to the page of a kind of file."""
    return f"/login?{urlencode({'next': upload_page(kind)})}"


def too_large_page(path: bytes, *, has_session: bool) -> str:
    """Return the page that says that the file sent to this address was too large; empty for another address.

    Without a session it is the page Log in: then a file of any size is too large.
    """
    address, _, query = path.decode("latin1").partition("?")
    if address != UPLOAD:
        return ""
    kind = parse_qs(query).get("kind", [""])[0]
    return _LARGE.get(kind, _LARGE[""]) if has_session else sign_in_page(kind)
