"""The demo's texts, read from the JSON files beside this module."""

import json
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
    """A participant with a biography of paragraphs and programs by name, such as "10/4, 25/6, 27/1, 20, 24/4"."""

    first_name: str
    second_name: str
    country: str
    birth_year: int | None
    avatar: str
    featured: bool
    programs: dict[str, str]
    biography: list[str]
    name: str = ""


@dataclass(frozen=True, slots=True)
class SessionText:
    """A session: a number of days from today at a time of the venue, or live; `appearances` are second names."""

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


def account_texts() -> tuple[AccountText, ...]:
    """Return the accounts."""
    return tuple(AccountText(**each) for each in _read("accounts.json"))


def participant_texts() -> tuple[ParticipantText, ...]:
    """Return the participants."""
    return tuple(ParticipantText(**each) for each in _read("participants.json"))


def stage_names() -> tuple[str, ...]:
    """Return the stages in their order."""
    return tuple(_read("sessions.json")["stages"])


def session_texts() -> tuple[SessionText, ...]:
    """Return the sessions."""
    return tuple(SessionText(**each) for each in _read("sessions.json")["sessions"])


def post_texts() -> tuple[PostText, ...]:
    """Return the articles, the newest first."""
    return tuple(PostText(**each) for each in _read("news.json"))


def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))
