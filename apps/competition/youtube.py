"""What an address of a YouTube video says: which video, and from which second."""

import re
from urllib.parse import SplitResult, parse_qs, urlsplit

_ID = re.compile(r"[A-Za-z0-9_-]{11}", re.ASCII)
_HOSTS = frozenset(
    {"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com"}
    | {"www.youtube-nocookie.com"}
)
_SHORT_HOSTS = frozenset({"youtu.be", "www.youtu.be"})
_ROOMS = frozenset({"live", "embed", "shorts", "v"})
_MOMENT = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?", re.ASCII)
_LONGEST = 2048  # characters of an address worth reading
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
    parts = _split(url)
    if parts is None:
        return None
    values = {**parse_qs(parts.fragment), **parse_qs(parts.query)}
    moment = (values.get("t") or values.get("start") or [""])[0].strip().lower()
    matched = _MOMENT.fullmatch(moment)
    if not moment or matched is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in matched.groups())
    second = hours * 3600 + minutes * 60 + seconds
    return second if second <= _LATEST else None


def _split(url: str) -> SplitResult | None:
    """Return the parts of a web address, or None when it is none or too long to be one."""
    if len(url) > _LONGEST:
        return None
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return parts if parts.scheme in {"https", "http"} else None
