"""Texts divided by a delimiter, as records of fields."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import thread_time

from django.core.exceptions import ValidationError

from apps.imports.enums import Delimiter
from apps.imports.limits import FILE_LINE, FILE_SECONDS, HEADER_LINES

Record = tuple[int, Sequence[str]]  # the number of its first line, and its fields
_OWN_DELIMITER = re.compile(r'"?sep=(.)"?[;,|\t ]*')  # the first line, which states the delimiter for Excel


def delimiter_guess(text: str, *, column_of: Callable[[str], str], otherwise: Delimiter = Delimiter.BAR) -> Delimiter:
    """Return the delimiter that a first line `sep=;` states, or with which a line names most columns.

    The first HEADER_LINES lines are read; if none names a column it is the one that divides each of them into most
    fields, and `otherwise` if none does. `column_of` returns the column that a field names, empty for none.
    """
    lines = [line[:FILE_LINE] for _, line in zip(range(HEADER_LINES), filled_lines(text), strict=False)]
    if lines and (stated := _stated(lines[0])):
        return stated

    def records(delimiter: Delimiter) -> Iterator[Sequence[str]]:
        return (next(csv.reader([line], delimiter=delimiter.sign), []) for line in lines)

    def columns(delimiter: Delimiter) -> int:
        return max((len({*map(column_of, fields)} - {""}) for fields in records(delimiter)), default=0)

    choices: tuple[Delimiter, ...] = (otherwise, *Delimiter)  # of equal ones, the first
    best = max(choices, key=columns)
    return best if columns(best) else max(choices, key=lambda each: min(map(len, records(each)), default=0))


def filled_lines(text: str) -> Iterator[str]:
    """Yield the lines that are not blank."""
    return (line for line in io.StringIO(text, newline=None) if line.strip())


def _stated(line: str) -> Delimiter | None:
    found = _OWN_DELIMITER.fullmatch(line.rstrip("\n"))
    return next((each for each in Delimiter if found and each.sign == found[1]), None)


def records_of(text: str, delimiter: Delimiter) -> Iterator[Record]:
    """Yield the fields of each record that is not blank, without a line that states the delimiter.

    Raises ValidationError for a record that cannot be read.
    """
    reader = csv.reader(_lines(io.StringIO(text, newline=None)), delimiter=delimiter.sign, strict=True)
    while True:
        begins = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            why = "Error parsing file\nLine %(line)d cannot be read: a quotation mark is out of place."
            raise parsing(why, line=begins) from error
        if any(field.strip() for field in fields):
            yield begins, fields


def _lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines. Raises ValidationError for a line that is too long, and when the thread's CPU time runs out."""
    deadline = Deadline()
    for number, line in enumerate(lines, start=1):
        deadline.check(number)
        if len(line) > FILE_LINE:
            raise parsing("Error parsing file\nLine %(line)d is too long.", line=number)
        yield "\n" if number == 1 and _stated(line) else line


class Deadline:
    """The CPU time that a thread has for one file, from now on."""

    def __init__(self) -> None:
        self.at = thread_time() + FILE_SECONDS

    def check(self, line: int) -> None:
        """Raise ValidationError at this line, if the time ran out."""
        if thread_time() > self.at:
            why = "Error parsing file\nLine %(line)d came too late: this file takes too long. Please send it in parts."
            raise parsing(why, line=line)


def parsing(why: str, **params: int | str) -> ValidationError:
    """Return the error of a file that cannot be divided into rows."""
    return ValidationError(why, params=params)
