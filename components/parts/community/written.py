"""What people wrote, as it is shown: who and when, and a text in which links and mentioned people can be followed."""

from datetime import datetime
from typing import Protocol
from urllib.parse import urlencode

from apps.accounts.selectors import default_avatars
from apps.community.mentions import Segment, segments
from apps.core.database.clock import venue_zone
from apps.core.text_rules.names import initials
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, html
from components.rendering.parts import read_once
from components.ui.linked_text import audience_link
from components.ui.people import disc
from components.ui.venue_time import ago

PATH = "/community"
NAMED_BY = 40  # characters of a text that stand for it


class Written(Protocol):
    """What is known of a post or a comment."""

    @property
    def author(self) -> str:
        """The username, empty for a former member."""

    @property
    def avatar_url(self) -> str:
        """The author's picture, empty when there is none."""

    @property
    def content(self) -> str:
        """The text."""

    @property
    def created_at(self) -> datetime:
        """When it was written."""

    @property
    def known(self) -> frozenset[str]:
        """The usernames mentioned in it that exist."""


def address_of(**query: str | int) -> str:
    """Return the address of the feed that shows this."""
    return f"{PATH}?{urlencode(query)}"


def default_picture() -> str:
    """Return the address of the picture of authors who have none. One query for all parts that are made together."""
    return read_once(default_avatars).user_avatar_url


def author_disc(written: Written, picture: str, t: Texts) -> VdomDict:
    """Return the disc of whoever wrote it, with the picture at this address."""
    name = _name(written, t)
    return disc(name, initials(name), picture)


def byline(written: Written, to: str, language: str, *more: Markup) -> VdomDict:
    """Return who wrote it and when; the time leads to `to` where it has an address of its own."""
    t, when = texts(language), ago(written.created_at, zone=venue_zone(), language=language)
    author = html.a({"href": address_of(by=written.author)}, written.author) if written.author else _name(written, t)
    return html.p(
        {"class": "says__by"},
        html.strong(author),
        " ",
        html.a({"class": "says__when", "href": to}, when) if to else when,
        *more,
    )


def _name(written: Written, t: Texts) -> str:
    return written.author or t("former member")


def written_text(written: Written, look: str) -> VdomDict:
    """Return the text with a paragraph for each of its blocks."""
    blocks = written.content.split("\n\n")
    return html.div(
        {"class": look},
        *(html.p(*(_segment(each, written.known) for each in segments(block))) for block in blocks),
    )


def _segment(segment: Segment, known: frozenset[str]) -> Markup:
    if segment.address:
        return audience_link(segment.address, segment.text)
    if segment.username in known:
        return html.a({"href": address_of(by=segment.username)}, segment.text)
    return segment.text


def short(text: str) -> str:
    """Return the beginning of a text, on one line."""
    words = " ".join(text.split())
    return words if len(words) <= NAMED_BY else f"{words[: NAMED_BY - 1].rstrip()}…"
