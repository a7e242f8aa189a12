"""Dates and times at the venue; the browser adds the viewer's own time."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import translation
from django.utils.dateformat import format as formatted

from apps.core.texts import texts
from components.runtime import VdomDict, html

HARD = "\u00a0"  # keeps a date, or a time with its words, on one line
DATE = f"j{HARD}F{HARD}Y"
SHORT_DATE = f"j{HARD}M{HARD}Y"
LONG_DATE = f"l, {DATE}"
TIME = "H:i"


def moment(at: datetime, *, zone: ZoneInfo, language: str) -> VdomDict:
    """Return the long date and the time at the venue; the browser adds the viewer's own, and TODAY on the day."""
    own = _attributes("moment", at, zone, language) | {
        "data-yours": _yours(language),
        "data-hall": _hall(language),
        "data-today": texts(language)("TODAY - "),
    }
    return html.time(own, f"{_in(at, zone, language, LONG_DATE)}, {clock_time(at, zone=zone, language=language)}")


def clock(at: datetime, *, zone: ZoneInfo, language: str, is_labelled: bool = True) -> VdomDict:
    """Return the time at the venue; the browser adds the viewer's own before it where that differs.

    Without `is_labelled` the page says that times are the venue's; beside the viewer's own it is labelled always.
    """
    own = _attributes("clock", at, zone, language) | {"data-yours": _yours(language), "data-hall": _hall(language)}
    return html.time(own, (clock_time if is_labelled else clock_text)(at, zone=zone, language=language))


def clock_short(at: datetime, *, zone: ZoneInfo, language: str) -> VdomDict:
    """Return the time at the venue; the browser adds the viewer's own before it where that differs.

    Neither has a label: a sentence above the list says whose they are.
    """
    return html.time(_attributes("clock", at, zone, language), clock_text(at, zone=zone, language=language))


def zone_text(at: datetime, *, zone: ZoneInfo) -> str:
    """Return the venue's zone at this moment as plain text, such as "Europe/Warsaw, CEST"."""
    return f"{zone.key}, {at.astimezone(zone):%Z}"


def day(at: datetime, *, zone: ZoneInfo, language: str, long: bool = False) -> VdomDict:
    """Return the date in words, with its weekday when `long`."""
    return html.time(_attributes("date", at, zone, language), _in(at, zone, language, LONG_DATE if long else DATE))


def day_time(at: datetime, *, zone: ZoneInfo, language: str) -> VdomDict:
    """Return the date and the time at the venue; each of the two stays on one line."""
    return html.time({"dateTime": _machine_time(at)}, _date_time(at, zone, language))


def at_venue(at: datetime, *, zone: ZoneInfo, language: str, has_date: bool) -> VdomDict:
    """Return the time as `clock` does, with `has_date` after the date at the venue."""
    time = clock(at, zone=zone, language=language)
    return html.span(_in(at, zone, language, DATE), ", ", time) if has_date else time


def day_month(at: datetime, *, zone: ZoneInfo, language: str) -> str:
    """Return the date without its year as plain text."""
    return _in(at, zone, language, f"j{HARD}F")


def day_clock(at: datetime, *, zone: ZoneInfo, language: str, is_labelled: bool = True) -> VdomDict:
    """Return the date at the venue without its year, and the time as `clock` does."""
    time = clock(at, zone=zone, language=language, is_labelled=is_labelled)
    return html.span(day_month(at, zone=zone, language=language), ", ", time)


def from_clock(at: datetime, day_word: str, *, zone: ZoneInfo, language: str) -> VdomDict:
    """Return the day and from which time at the venue on; `day_word`, such as "today", is in place of the date."""
    on = day_word or day_month(at, zone=zone, language=language)
    before, _, after = texts(language)("{day}, from {time}").format(day=on, time="{time}").partition("{time}")
    time = clock(at, zone=zone, language=language, is_labelled=False)
    return html.span(before.replace("from ", f"from{HARD}"), time, after)


def day_span(since: datetime, until: datetime, *, zone: ZoneInfo, language: str, has_year: bool = True) -> VdomDict:
    """Return the dates of the first and the last day in words, without repeating month and year.

    Without `has_year` both are without their year.
    """
    full = DATE if has_year else f"j{HARD}F"
    last = _in(until, zone, language, full)
    first_day, last_day = since.astimezone(zone).date(), until.astimezone(zone).date()
    if first_day == last_day:
        return html.time({"dateTime": first_day.isoformat()}, last)
    shared = "j" if (first_day.year, first_day.month) == (last_day.year, last_day.month) else f"j{HARD}F"
    first = _in(since, zone, language, shared if first_day.year == last_day.year else full)
    words = texts(language)("{first} to {last}").format(first=first, last=last)
    return html.time({"dateTime": first_day.isoformat()}, words)


def day_text(at: datetime, *, zone: ZoneInfo, language: str) -> str:
    """Return the date as plain text."""
    return _in(at, zone, language, DATE)


def clock_text(at: datetime, *, zone: ZoneInfo, language: str) -> str:
    """Return the time at the venue as plain text without a label, beside words that name the day there."""
    return _in(at, zone, language, TIME)


def clock_time(at: datetime, *, zone: ZoneInfo, language: str) -> str:
    """Return the time at the venue as plain text, labelled as venue time."""
    return _hall(language).format(time=_in(at, zone, language, TIME))


def ago(at: datetime, *, zone: ZoneInfo, language: str) -> VdomDict:
    """Return the short date and the time at the venue.

    The browser replaces them with how long ago that was, and after a week with the viewer's own date and time.
    """
    words = f"{_in(at, zone, language, SHORT_DATE)}, {clock_time(at, zone=zone, language=language)}"
    return html.time(_attributes("ago", at, zone, language), words)


def _date_time(at: datetime, zone: ZoneInfo, language: str) -> str:
    return f"{_in(at, zone, language, DATE)}, {clock_time(at, zone=zone, language=language)}"


def _yours(language: str) -> str:
    return texts(language)("{time} your time").replace(" ", HARD)


def _hall(language: str) -> str:
    return texts(language)("{time} in the hall").replace(" ", HARD)


def _in(at: datetime, zone: ZoneInfo, language: str, pattern: str) -> str:
    with translation.override(language):
        return formatted(at.astimezone(zone), pattern)


def _machine_time(at: datetime) -> str:
    """Return the time as HTML takes it: with milliseconds at most, and with the offset of its zone."""
    return at.isoformat(timespec="milliseconds" if at.microsecond else "seconds")


def _attributes(kind: str, at: datetime, zone: ZoneInfo, language: str) -> dict[str, str]:
    return {
        "dateTime": _machine_time(at.astimezone(zone)),
        "data-when": kind,
        "data-zone": zone.key,
        "data-language": language,
    }
