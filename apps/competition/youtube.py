"""Addresses of YouTube videos: the video's id and the second."""

import re
from urllib.parse import SplitResult, parse_qs, urlsplit

from django.core.exceptions import ValidationError

from apps.core.limits import ADDRESS_LENGTH

_ID = re.compile(r"[A-Za-z0-9_-]{11}", re.ASCII)
_HOSTS = frozenset(
    {"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com"}
    | {"www.youtube-nocookie.com"}
)
_SHORT_HOSTS = frozenset({"youtu.be", "www.youtu.be"})
_ROOMS = frozenset({"live", "embed", "shorts", "v"})
_MOMENT = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?", re.ASCII)
_LATEST = 7 * 24 * 60 * 60  # seconds; no recording is longer than a week


def video_id(url: str) -> str | None:
    """Return the 11 characters that name the video at `url`, or None when it is not a video's address."""
    parts = _split(url)
    if parts is None:
        return None
    host, path = (parts.hostname or ""), [step for step in parts.path.split("/") if step]
    found = ""
    if host in _SHORT_HOSTS and path:
        found = path[0]
    elif host in _HOSTS and path == ["watch"]:
        found = parse_qs(parts.query).get("v", [""])[0]
    elif host in _HOSTS and len(path) > 1 and path[0] in _ROOMS:
        found = path[1]
    return found if _ID.fullmatch(found) else None


def start_second(url: str) -> int | None:
    """Return the second that the `t` (or `start`) of `url` names, as seconds or as h/m/s; None without one."""
    moment = _moment(url)
    matched = _MOMENT.fullmatch(moment)
    if not moment or matched is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in matched.groups())
    second = hours * 3600 + minutes * 60 + seconds
    return second if second <= _LATEST else None


def video_of(text: str) -> str:
    """Return the video id in `text`, which is an id or an address; empty when nothing is given.

    Raises ValidationError at `youtube_id`.
    """
    given = text.strip()
    found = given if _ID.fullmatch(given) else video_id(_with_scheme(given))
    if given and found is None:
        raise ValidationError({"youtube_id": "This is neither a YouTube video's id nor its address."})
    return found or ""


def moment_link(text: str) -> tuple[str, int | None]:
    """Return the address of a moment in a video, beginning with https://, and its second; empty without one.

    Raises ValidationError at `url` for what is no YouTube video, or names a moment that cannot be read.
    """
    given = text.strip()
    if not given:
        return "", None
    url = _with_scheme(given)
    if video_id(url) is None:
        raise ValidationError({"url": "This is not the address of a YouTube video."})
    second = start_second(url)
    if second is None and _moment(url):
        sentence = "The moment in this address cannot be read. Write it as seconds (t=95) or as t=1h2m3s."
        raise ValidationError({"url": sentence})
    return url, second


def _moment(url: str) -> str:
    """Return the value of `t` (or `start`) in `url`, or an empty text."""
    parts = _split(url)
    if parts is None:
        return ""
    values = {**parse_qs(parts.fragment), **parse_qs(parts.query)}
    return (values.get("t") or values.get("start") or [""])[0].strip().lower()


def _with_scheme(text: str) -> str:
    """Return a typed address as one that begins with https://."""
    bare = re.sub(r"^https?://", "", text, flags=re.IGNORECASE)
    return text if "://" in bare else f"https://{bare}"


def _split(url: str) -> SplitResult | None:
    """Return the parts of a web address, or None when it is none or too long to be one."""
    if len(url) > ADDRESS_LENGTH:
        return None
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return parts if parts.scheme in {"https", "http"} else None
