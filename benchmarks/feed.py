"""Fill the community feed, and parse the frames of its changes.

The newest twenty posts have the same activity at every size of the feed, so that comparisons depend on the number of
posts alone.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import psycopg

from apps.community.limits import POSTS_SHOWN
from benchmarks.viewers import parts_of
from tests.rendering import patch

AUTHORS = 5_000
FANS = 200  # accounts that have reacted to every second active post
COMMENTS, REACTIONS = 50, 400  # of an active post; every other post has one of each
FILL = """
INSERT INTO users (email, username, password, avatar_url, is_admin, is_active, created_at, updated_at)
SELECT name || '@example.org', name, '!', '', false, true, now() - interval '30 days', now()
FROM (
    SELECT 'author' || n AS name FROM generate_series(1, %(authors)s) AS n
    UNION ALL SELECT 'fan' || n FROM generate_series(1, %(fans)s) AS n
) AS names;

CREATE TEMPORARY TABLE authors AS
SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM users WHERE username LIKE 'author%%';
CREATE UNIQUE INDEX ON authors (n);

INSERT INTO posts (user_id, content, image_url, created_at)
SELECT authors.id,
    'The second of them took a breath before the coda that I shall not forget, and nobody coughed. @author'
    || 1 + number %% %(authors)s || ', were you there? ' || number,
    CASE WHEN number %% 10 = 0 THEN 'https://pictures.example/' || number || '.webp' ELSE '' END,
    now() - (%(posts)s - number + 1) * interval '1 minute'
FROM generate_series(1, %(posts)s) AS number JOIN authors ON authors.n = number * 7 %% %(authors)s ORDER BY number;

CREATE TEMPORARY TABLE places AS SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM posts;

INSERT INTO post_comments (post_id, user_id, content, created_at)
SELECT places.id, authors.id, 'From the second balcony it was even quieter, number ' || number || '.',
    now() - (%(comments)s + 1 - number) * interval '1 second'
FROM places JOIN generate_series(1, %(comments)s) AS number ON place <= %(lively)s OR number = 1
JOIN authors ON authors.n = (places.id * 11 + number) %% %(authors)s ORDER BY number;

INSERT INTO post_reactions (post_id, user_id, type)
SELECT places.id, authors.id, CASE WHEN number %% 5 = 0 THEN 'boo' ELSE 'applause' END
FROM places JOIN generate_series(1, %(reactions)s) AS number ON place <= %(lively)s OR number = 1
JOIN authors ON authors.n = (places.id * 13 + number) %% %(authors)s
UNION ALL
SELECT places.id, users.id, 'applause'
FROM places JOIN users ON place <= %(lively)s AND place %% 2 = 0 AND username LIKE 'fan%%';
"""


def fill(database_url: str, posts: int) -> None:
    """Store `posts` posts with comments and reactions in the owner's database at this URL."""
    numbers = {
        "authors": AUTHORS, "fans": FANS, "posts": posts, "lively": POSTS_SHOWN, "comments": COMMENTS,
        "reactions": REACTIONS,
    }  # fmt: skip
    with psycopg.connect(database_url, autocommit=True, cursor_factory=psycopg.ClientCursor) as owner:
        owner.execute(FILL, numbers)
        owner.execute("VACUUM ANALYZE")


PART = re.compile(
    r'<script type="application/json" data-part="([^"]*)" data-version="([^"]*)">(.*?)</script>', re.DOTALL
)
APPLAUSE = re.compile(r'"data-argument": "\d+:applause".*?"tagName": "b", "children": \["(\d+)"\]')
NOTE = re.compile(r"Note (\d{6})")  # the text of a write, with its number
POST = re.compile(r"community_post:(\d+):en")


@dataclass(frozen=True, slots=True)
class Shown:
    """The content of a part in a frame: the numbers of writes, and for a post of the feed its applause."""

    notes: tuple[int, ...] = ()
    post: int = 0
    applause: int = 0


class FeedFrames:
    """Parses each distinct frame once, and holds the parts as a browser does."""

    def __init__(self) -> None:
        self.posts: list[int] = []  # all posts seen, newest first
        self.applause: dict[int, int] = {}  # initial applause of the posts on the first page
        self.models: dict[tuple[str, str], Any] = {}  # parts by key and version
        self.known: dict[bytes, tuple[Shown, ...]] = {}

    def read_page(self, html: str) -> None:
        """Read the posts and parts of the first page."""
        for key, version, text in PART.findall(html):
            self.models[key, version] = model = json.loads(text)
            if post := POST.fullmatch(key):
                self.posts.append(int(post[1]))
                self.applause[int(post[1])] = _applause(model)

    def read(self, content: bytes) -> tuple[Shown, ...]:
        """Return the content of each part in a frame, empty for a frame without parts."""
        if (shown := self.known.get(content)) is None:
            shown = self.known[content] = tuple(map(self._read, parts_of(content)))
        return shown

    def _read(self, message: dict[str, Any]) -> Shown:
        key, model = message["key"], message["content"]
        if "from" in message:
            model = patch(self.models[key, message["from"]], model)
        self.models[key, message["to"]] = model
        notes = tuple(map(int, NOTE.findall(json.dumps(message))))
        if not (found := POST.fullmatch(key)):
            return Shown(notes)
        if (post := int(found[1])) not in self.posts:
            self.posts.insert(0, post)
        return Shown(notes, post, _applause(model))


def _applause(model: Any) -> int:
    found = APPLAUSE.search(json.dumps(model))
    return int(found[1]) if found else 0
