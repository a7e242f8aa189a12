"""The demo's texts, read from the JSON files beside this module."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class AccountText:
    """An account of the demo."""

    email: str
    username: str
    is_admin: bool


@dataclass(frozen=True, slots=True)
class ParticipantText:
    """A participant with a biography of paragraphs and programs by name, such as "10/4, 27/1, 42, 23"."""

    first_name: str
    second_name: str
    country: str
    birth_year: int | None
    avatar: str
    featured: bool
    programs: dict[str, str]
    biography: list[str]
    name: str = ""

    @property
    def full_name(self) -> str:
        """The name as the site shows it."""
        return self.name or f"{self.first_name} {self.second_name}"


@dataclass(frozen=True, slots=True)
class SessionText:
    """A session: a number of days from today at a time of the venue, or live; `appearances` are second names.

    `minutes` are those planned for a performance; the live session is planned by its age. A planned `interval` is the
    number of the performance before it, and its minutes.
    """

    stage: str
    title: str
    description: str
    video: str
    program: str
    appearances: list[str]
    day: int = 0
    time: str = ""
    live: bool = False
    performing: int = 0
    orchestra: str = ""
    conductor: str = ""
    minutes: int = 0
    interval: tuple[int, int] | tuple[()] = ()


@dataclass(frozen=True, slots=True)
class PostText:
    """An article with its paragraphs, published a number of days from today at a time of the venue."""

    title: str
    author: str
    day: int
    time: str
    image: str
    is_published: bool
    excerpt: str
    content: list[str]


@dataclass(frozen=True, slots=True)
class LiveTexts:
    """What the audience writes while the demo is alive; `{name}` is a performer, and `{piece}` a piece of theirs.

    Comments on a session are about a piece or performer on stage, or of the interval after them, or before anybody has
    played. Posts are about a performer, replies about nothing in particular, and comments of ratings are by score.
    """

    piece: list[str]
    performer: list[str]
    interval: list[str]
    before: list[str]
    posts: list[str]
    replies: list[str]
    marks: dict[str, list[str]]


def live_texts() -> LiveTexts:
    """Return the texts of the audience while the demo is alive."""
    return LiveTexts(**_read("audience/live_texts.json"))


def account_texts() -> tuple[AccountText, ...]:
    """Return the accounts."""
    return tuple(AccountText(**each) for each in _read("accounts.json"))


def participant_texts() -> tuple[ParticipantText, ...]:
    """Return the participants."""
    return tuple(ParticipantText(**each) for each in _read("participants.json"))


def stage_names() -> tuple[str, ...]:
    """Return the stages in their order."""
    return tuple(_read("sessions.json")["stages"])


def stage_presets() -> dict[str, str]:
    """Return the presets of programs by stage; the others have the specification's slots."""
    return dict(_read("sessions.json")["presets"])


def piano_names() -> tuple[tuple[str, str], ...]:
    """Return makers and models of the pianos to choose from, all invented."""
    return tuple((maker, model) for maker, model in _read("sessions.json")["pianos"])


def session_texts() -> tuple[SessionText, ...]:
    """Return the sessions."""
    return tuple(SessionText(**each) for each in _read("sessions.json")["sessions"])


def playing_in(texts: Iterable[SessionText]) -> frozenset[str]:
    """Return the second names of those who play in these sessions."""
    return frozenset(name for text in texts for name in text.appearances)


def post_texts() -> tuple[PostText, ...]:
    """Return the articles, the newest first."""
    return tuple(PostText(**each) for each in _read("news.json"))


def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))
