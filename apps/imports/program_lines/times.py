"""Where in a recording a line's piece begins: times and links on the line."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.core.exceptions import ValidationError

from apps.competition.youtube import NOT_YOUTUBE, moment_link, start_second, video_address, video_id
from apps.imports.program_lines.tokens import Kind, Token

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Times:
    """The first times of a line, in seconds, and its link; a time in parentheses (`aside`) may be a duration.

    With `has_bad_link` the line has a YouTube address with an unreadable video or moment. With `is_leading` the line
    begins with its time: no line begins with a duration.
    """

    beside: int | None = None
    aside: int | None = None
    url: str = ""
    has_bad_link: bool = False
    is_leading: bool = False


def times_of(tokens: Sequence[Token], folded: str, written: str) -> Times:
    """Return the first time beside the text, the first in parentheses, and the first link to a YouTube video."""
    beside = aside = None
    for token in tokens:
        if token.kind != Kind.TIME:
            continue
        is_aside = token.is_aside and bool(folded[: token.start].strip("([ "))
        if is_aside:
            aside = _seconds(token.value) if aside is None else aside
        else:
            beside = _seconds(token.value) if beside is None else beside
    has_link = any(token.kind == Kind.URL for token in tokens)
    url, is_bad = _link(written) if has_link else ("", False)
    is_leading = next((token.kind is Kind.TIME for token in tokens if token.kind is not Kind.SIGN), False)
    return Times(beside, aside, url, is_bad, is_leading)


def rises(times: Sequence[Times]) -> bool:
    """Whether a text has at least two times and all rise, as in a recording; then times in parentheses count too."""
    moments = [moment for each in times for moment in (_moment(each),) if moment is not None]
    return len(moments) > 1 and all(before < after for before, after in pairwise(moments))


def begins(times: Times, *, rising: bool) -> tuple[int | None, str]:
    """Return the second at which a line's piece begins, and the link to it; None and "" if the line has neither."""
    linked = start_second(times.url) if times.url else None
    written = _moment(times) if rising else times.beside
    if not times.url or linked is not None or written is None:
        return (linked if linked is not None else written), times.url
    return written, video_address(video_id(times.url) or "", written)


def is_recording(times: Sequence[Times]) -> bool:
    """Whether all times of a text rise from a first one that is no duration: below a minute, or before its line."""
    return rises(times) and _is_moment(next(each for each in times if _moment(each) is not None))


def part_begins(item: Times, parts: Sequence[Times], *, is_recorded: bool) -> list[tuple[int | None, str]]:
    """Return where each of an item's parts begins, as `begins` does.

    Times without a link count if they rise and are no durations: the text `is_recorded`, the item has a time before
    them, or the first of them is no duration.
    """
    timed = [each for each in parts if _moment(each) is not None]
    moments = [moment for each in timed for moment in (_moment(each),) if moment is not None]
    before = [item.beside] if item.beside is not None else []
    counts = bool(timed) and (is_recorded or bool(before) or _is_moment(timed[0]))
    counts = counts and all(a < b for a, b in pairwise(moments)) and all(each <= moments[0] for each in before)
    return [begins(each, rising=counts) if counts or each.url else (None, "") for each in parts]


def _is_moment(times: Times) -> bool:
    """Whether a first time is no duration."""
    return times.is_leading or (_moment(times) or 0) < _MINUTE


def _moment(times: Times) -> int | None:
    return times.beside if times.beside is not None else times.aside


def _seconds(clock: str) -> int:
    """Return the seconds of "m:ss" or "h:mm:ss"."""
    seconds = 0
    for part in clock.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds


def _link(written: str) -> tuple[str, bool]:
    """Return the first YouTube address in a text, in the site's form, and whether an address was unreadable."""
    for word in written.split():
        try:
            url, _second = moment_link(word)
        except ValidationError as error:
            if error.message_dict["url"] != [NOT_YOUTUBE]:
                return "", True
            continue
        if url:
            return url, False
    return "", False
