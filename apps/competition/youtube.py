"""Parse addresses of YouTube videos: the video's id and the start second."""

import re
import unicodedata
from dataclasses import dataclass
from html import unescape
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ValidationError

from apps.core.limits import ADDRESS_LENGTH

_ID = re.compile(r"[A-Za-z0-9_-]{11}", re.ASCII)
_HOST = re.compile(r"(?:\w+\.)?youtube(?:-nocookie)?\.com", re.ASCII)
_SHORT_HOST = re.compile(r"(?:www\.)?youtu\.be", re.ASCII)
_FOLDERS = frozenset({"watch", "live", "embed", "shorts", "video", "v", "vi", "e"})  # the id follows
_QUERY_PATHS = frozenset({"", "watch", "watch_popup", "live_chat", "details"})  # `v` names the id
_NO_IDS = frozenset({"videoseries", "live_stream"})  # embedded playlists and channels, with the length of an id
_CHANNEL_PATHS = frozenset({"channel", "c", "user"})
_LINKED = ("u", "continue", "next", "url")  # a nested address: in attributions, consent and sign-in
_MOMENTS = ("t", "start", "time_continue")  # YouTube's own names, the strongest first
_UNITS = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?", re.ASCII)
_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,5}):(\d{2})", re.ASCII)
_LATEST = 7 * 24 * 60 * 60  # seconds; no recording is longer than a week
_ENTITY = re.compile(r"&#?\w{1,8};")
_SOURCE = re.compile(r"""\b(?:src|href)\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_WEB = re.compile(r"^(?:https?:)?/*", re.IGNORECASE)
_AROUND = "<>()[]{}\"'`“”‘’„«»…,;.:!? \t\r\n"  # signs around an address in a text
_AT_END = "/.,;:!? "  # signs that may follow a value

NOT_YOUTUBE = "This is not the address of a YouTube video."
_SEVERAL = "This is more than one address. Leave one of them."
_NO_MOMENT = "A session's video begins at its beginning. Take the moment (t=%(moment)s) out of the address."
_TWO_MOMENTS = "This address names two moments (%(moments)s). Leave one of them."
_UNREADABLE = "The moment in this address cannot be read. Write it as seconds (t=95) or as t=1h2m3s."


@dataclass(frozen=True, slots=True)
class _Address:
    """The parts of a YouTube address; without a video, `error` is the reason."""

    id: str = ""
    moments: tuple[str, ...] = ()  # unparsed
    error: str = NOT_YOUTUBE


def video_id(url: str) -> str | None:
    """Return the 11 characters of the video's id in `url`, or None if it is not a video's address."""
    return _read(url).id or None


def start_second(url: str) -> int | None:
    """Return the second in the `t` (or `start`) of `url`, written as seconds or as h/m/s; None without one."""
    moments = _read(url).moments
    return _second(moments[0]) if moments else None


def video_address(video: str, second: int | None = None) -> str:
    """Return the canonical address of a video, as the site stores and links it, with `second` if given."""
    return f"https://youtu.be/{video}" + ("" if second is None else f"?t={second}")


def video_of(text: str) -> str:
    """Return the video id in `text`, which is an id or an address; empty for an empty text.

    Raises ValidationError at `youtube_id`, also for an address with a moment: a session's video starts at 0.
    """
    given = _visible(text)
    if not given or _ID.fullmatch(given):
        return given
    address = _typed(given)
    if not address.id:
        raise ValidationError({"youtube_id": _id_error(given, address.error)})
    if any(_second(moment) != 0 for moment in address.moments):
        params = {"moment": address.moments[0]}
        raise ValidationError({"youtube_id": ValidationError(_NO_MOMENT, params=params)})
    return address.id


def moment_link(text: str) -> tuple[str, int | None]:
    """Return the canonical address of a moment in a video and its second; ("", None) for an empty text.

    Raises ValidationError at `url` for a text that is not a YouTube video, or that has an unreadable moment.
    """
    given = _visible(text)
    if not given:
        return "", None
    address = _typed(given)
    if not address.id:
        raise ValidationError({"url": address.error})
    seconds = {_second(moment) for moment in address.moments}
    if None in seconds:
        raise ValidationError({"url": _UNREADABLE})
    if len(seconds) > 1:
        params = {"moments": ", ".join(address.moments)}
        raise ValidationError({"url": ValidationError(_TWO_MOMENTS, params=params)})
    second = next(iter(seconds), None)
    return video_address(address.id, second), second


def _id_error(given: str, error: str) -> str:
    """Return the error for a text that may have been meant as an id."""
    return "This is neither a YouTube video's id nor its address." if "." not in given else error


def _read(url: str, *, is_linked: bool = False) -> _Address:
    """Return the video and the moments of a web address; a nested address is followed once."""
    parts = _split(url)
    host = (parts.hostname or "").rstrip(".") if parts else ""
    is_short = bool(_SHORT_HOST.fullmatch(host))
    if parts is None or not (is_short or _HOST.fullmatch(host)):
        return _Address()
    path, values = [step for step in parts.path.split("/") if step], _values(parts.query)
    links = (
        [] if is_linked or is_short or "v" in values else [each for name in _LINKED for each in values.get(name, ())]
    )
    for link in links:
        inner = _read(f"https://{host}{link}" if link.startswith("/") else link, is_linked=True)
        if inner.id:
            return inner
    found = _named(path, values, is_short=is_short)
    if found in _NO_IDS or not _ID.fullmatch(found):
        return _Address(error=_error(path, values, found))
    return _Address(found, tuple(dict.fromkeys(moment for name in _MOMENTS for moment in values.get(name, ()))))


def _split(url: str) -> SplitResult | None:
    """Return the parts of a web address, or None for another text or one that is too long."""
    if len(url) > ADDRESS_LENGTH:
        return None
    try:
        parts = urlsplit(_mended(url.strip()))
    except ValueError:
        return None
    return parts if parts.scheme in {"https", "http"} else None


def _mended(url: str) -> str:
    """Return an address with all its values in the query, after one `?` and separated by `&`."""
    path, *values = re.split("[?&#]", _unescaped(url).replace("/#/", "/", 1))
    return f"{path}?{'&'.join(values)}"


def _values(query: str) -> dict[str, list[str]]:
    """Return the values of a query by lower-case name, without punctuation after them."""
    values: dict[str, list[str]] = {}
    for name, value in parse_qsl(query):
        if shown := value.strip().rstrip(_AT_END):
            values.setdefault(name.strip().lower(), []).append(shown)
    return values


def _named(path: list[str], values: dict[str, list[str]], *, is_short: bool) -> str:
    """Return the part of an address in which the video's id is expected."""
    first = path[0].lower() if path else ""
    if is_short:
        return path[0].strip(_AT_END) if path else ""
    if len(path) > 1 and first in _FOLDERS:
        return path[1].strip(_AT_END)
    if len(path) < 2 and first.rstrip(_AT_END) in _QUERY_PATHS:  # noqa: PLR2004 - the page and the id
        return (values.get("v") or values.get("vi") or [""])[0]
    return ""


def _error(path: list[str], values: dict[str, list[str]], found: str) -> str:
    """Return the error for a YouTube address without a video."""
    first = path[0].lower() if path else ""
    if values.get("list") and (not found or found == "videoseries"):
        return "This is the address of a playlist. Open the video in it, and copy the video's own address."
    if first == "clip":
        return "This is the address of a clip. Open the whole video, and copy the video's own address."
    if first.startswith("@") or first in _CHANNEL_PATHS or found == "live_stream":
        return "This is the address of a channel. Open the video in it, and copy the video's own address."
    if found:
        return "The id of the video in this address is not complete. It has 11 letters, digits, hyphens or underscores."
    return "This address of YouTube names no video."


def _second(moment: str) -> int | None:
    """Return the second of "95", "95s", "1h2m3s" or "1:02:03"; None for any other text."""
    text = "".join(moment.lower().split())
    matched = (_UNITS.fullmatch(text) or _CLOCK.fullmatch(text)) if text else None
    if matched is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in matched.groups())
    second = hours * 3600 + minutes * 60 + seconds
    return second if second <= _LATEST else None


def _visible(text: str) -> str:
    """Return a pasted text without invisible characters, HTML escapes and surrounding punctuation."""
    shown = "".join(sign for sign in text if unicodedata.category(sign) not in {"Cf", "Cc"} or sign.isspace()).strip()
    shown = _unescaped(shown)
    return shown if shown.startswith("<") else shown.strip(_AROUND)


def _unescaped(text: str) -> str:
    """Return a text without HTML escapes, also nested ones."""
    while (plain := _ENTITY.sub(lambda entity: unescape(entity[0]), text)) != text:
        text = plain
    return text


def _typed(given: str) -> _Address:
    """Return the address in a typed text: also without a scheme, percent-encoded, or in a piece of HTML."""
    if given.startswith("<") and (sources := _SOURCE.findall(given)):
        if len(set(sources)) > 1:
            return _Address(error=_SEVERAL)
        given = sources[0]
    text = given.strip(_AROUND)
    if "/" not in text and "%2f" in text.lower():
        text = unquote(text)
    bare = _WEB.sub("", text, count=1)
    return _read(text if "://" in bare.partition("?")[0] else f"https://{bare}")
