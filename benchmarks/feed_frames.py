"""What the community's frames show: the words of which writes, and how much applause a post has."""

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.rendering import patch

PART = re.compile(
    r'<script type="application/json" data-part="([^"]*)" data-version="([^"]*)">(.*?)</script>', re.DOTALL
)
APPLAUSE = re.compile(r'"data-argument": "\d+:applause".*?"tagName": "b", "children": \["(\d+)"\]')
NOTE = re.compile(rb"Note (\d{6})")  # the words of a write, with its number
CHANGE = b'{"type":"part"'
POST = re.compile(r"community_post:(\d+):en")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a frame shows; of a post of the feed how much applause it has."""

    notes: tuple[int, ...] = ()
    post: int = 0
    applause: int = 0


class FeedFrames:
    """Reads each frame once, however many get it; holds the parts as a browser does."""

    def __init__(self) -> None:
        self.posts: list[int] = []  # those that were seen, the newest first
        self.applause: dict[int, int] = {}  # of those of the first page, before anything happened
        self.models: dict[tuple[str, str], Any] = {}  # of parts, by key and version
        self.known: dict[bytes, Shown] = {}

    def read_page(self, html: str) -> None:
        """Take note of the first page."""
        for key, version, text in PART.findall(html):
            self.models[key, version] = model = json.loads(text)
            if post := POST.fullmatch(key):
                self.posts.append(int(post[1]))
                self.applause[int(post[1])] = _applause(model)

    def read(self, content: bytes) -> Shown:
        """Return what a frame of a part shows."""
        if (shown := self.known.get(content)) is None:
            shown = self.known[content] = self._read(content)
        return shown

    def _read(self, content: bytes) -> Shown:
        message = json.loads(content)
        key, model = message["key"], message.get("model")
        if model is None:
            model = self.models[key, message["from"]]
            for operation in message["operations"]:
                model = patch(model, operation)
        self.models[key, message["to"]] = model
        notes = tuple(map(int, NOTE.findall(content)))
        if not (found := POST.fullmatch(key)):
            return Shown(notes)
        if (post := int(found[1])) not in self.posts:
            self.posts.insert(0, post)
        return Shown(notes, post, _applause(model))


def _applause(model: Any) -> int:
    found = APPLAUSE.search(json.dumps(model))
    return int(found[1]) if found else 0
