"""A program that reads one sheet of an Excel workbook (.xlsx) from standard input, and prints it as JSON.

`workbooks.py` runs it in a process of its own, so that a workbook that was made to exhaust its reader costs no more
than the limits that this process sets for itself and the kernel enforces. It imports the standard library only, because
the start of the process is part of the cost: 0.08 s of CPU. The last argument is the fields of `Options` as JSON. The
answer is that of `sheet_read`, or `{"refusal": name, "params": {…}}`; `workbooks.py` has a sentence for each name.
"""

import json
import posixpath
import re
import resource
import string
import sys
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache, reduce
from io import BytesIO
from typing import Any
from xml.parsers import expat

BOOK, TYPES = "xl/workbook.xml", "[Content_Types].xml"
ROWS, COLUMNS = 1_048_576, 16_384  # of a sheet, by the format
SHEET_NAME, FORMAT = 31, 255  # characters of a sheet's name and of a number's format, by the format
DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError, KeyError)
_CHUNK = 1024 * 1024
_OWN_FORMATS = 164  # the first number of a format that a workbook defines itself
_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))  # built-in formats of dates, times
_NO_PATTERN = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.')  # text in a number's format: quoted, escaped, colours, gaps
_FIRST_DAY, _FIRST_DAY_1904, _LEAP_FAULT = datetime(1899, 12, 30), datetime(1904, 1, 1), 60  # noqa: DTZ001 - no zones
_ADDRESS = re.compile(r"([A-Z]{1,3})[0-9]+", re.ASCII)


class Refused(Exception):
    """A workbook that is not read: the name of the reason and its values."""

    def __init__(self, reason: str, **params: int | str) -> None:
        super().__init__(reason)
        self.reason, self.params = reason, params


@dataclass(frozen=True, slots=True)
class Options:
    """The sheet to read (the first if empty), and the limits. One record more than `records` shows that there are more.

    `seconds` of CPU and bytes of `memory` are enforced by the kernel.
    """

    sheet: str
    records: int
    line: int  # characters of a row
    characters: int  # of all rows, with one for each cell
    unpacked: int  # bytes of all parts
    tags: int  # in the parts that are read
    parts: int
    seconds: int
    memory: int


@dataclass(slots=True)
class _Book:
    """The parts of a workbook: their places in the archive by lower-case name, and what may still be read."""

    archive: zipfile.ZipFile
    options: Options
    places: dict[str, zipfile.ZipInfo]
    bytes_left: int
    tags_left: int

    @classmethod
    def opened(cls, content: bytes, options: Options) -> "_Book":
        archive = zipfile.ZipFile(BytesIO(content))
        parts = archive.infolist()
        if len(parts) > options.parts:
            raise Refused("too_many_parts", most=options.parts)
        if sum(part.file_size for part in parts) > options.unpacked:
            raise Refused("too_large", most=options.unpacked // _CHUNK)
        places = {part.filename.lower(): part for part in parts}
        if any(name.endswith("vbaproject.bin") for name in places):
            raise Refused("macros")
        if BOOK not in places:
            raise Refused("no_workbook")
        book = cls(archive, options, places, options.unpacked, options.tags)
        if b"macroEnabled" in book.part(TYPES):
            raise Refused("macros")
        return book

    def part(self, name: str) -> bytearray:
        """Return a part, empty without one. Its bytes and tags are counted: a part may declare fewer than it has."""
        place, data = self.places.get(name.lower()), bytearray()
        if place is None:
            return data
        with self.archive.open(place) as stream:
            while chunk := stream.read(_CHUNK):
                data += chunk
                if len(data) > self.bytes_left:
                    raise Refused("too_large", most=self.options.unpacked // _CHUNK)
        self.bytes_left -= len(data)
        self.tags_left -= data.count(b"<")
        if self.tags_left < 0:
            raise Refused("too_many_cells")
        return data


def _parse(
    data: bytearray,
    start: Callable[[str, Mapping[str, str]], object],
    end: Callable[[str], object] = lambda _: None,
    text: Callable[[str], object] = lambda _: None,
) -> None:
    """Call these with the elements of a part, by their names without namespace, and with its text.

    A part is one chunk: expat before 2.6 scans an unfinished tag again with each chunk.
    """
    if not data:
        return
    parser, names = expat.ParserCreate(namespace_separator=" "), _Names()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: start(names[name], attributes)
    parser.EndElementHandler = lambda name: end(names[name])
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _entities_refuse
    parser.Parse(data, True)  # noqa: FBT003 - the last chunk


class _Names(dict[str, str]):
    """The names of elements without namespace, by name."""

    def __missing__(self, name: str) -> str:
        self[name] = local = name.rpartition(" ")[2]
        return local


def _entities_refuse(*_: object) -> None:
    raise Refused("entities")


@dataclass(slots=True)
class _Strings:
    """The texts of elements `si`, without the readings (`rPh`) of Japanese names."""

    texts: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    is_text: bool = False
    is_reading: bool = False

    def start(self, name: str, _: Mapping[str, str]) -> None:
        if name == "rPh":
            self.is_reading = True
        self.is_text = name == "t" and not self.is_reading

    def end(self, name: str) -> None:
        self.is_text = False
        if name == "rPh":
            self.is_reading = False
        elif name == "si":
            self.texts.append("".join(self.pieces))
            self.pieces.clear()

    def text(self, text: str) -> None:
        if self.is_text:
            self.pieces.append(text)


def _date_styles(data: bytearray) -> frozenset[int]:
    """Return the styles of cells with a date or a time."""
    own: dict[int, bool] = {}
    styles: list[int] = []
    path: list[str] = []

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name == "numFmt":
            own[int(attributes["numFmtId"])] = _is_date(attributes.get("formatCode", ""))
        elif name == "xf" and path[-1:] == ["cellXfs"]:
            styles.append(int(attributes.get("numFmtId", "0")))
        path.append(name)

    _parse(data, start, lambda _: path.pop())
    dates = {number for number, is_date in own.items() if is_date and number >= _OWN_FORMATS} | _DATES
    return frozenset(style for style, number in enumerate(styles) if number in dates)


def _is_date(code: str) -> bool:
    """Return whether a number's format has a pattern of dates or times in its first section."""
    pattern = _NO_PATTERN.sub("", code[:FORMAT]).partition(";")[0].lower()
    return "general" not in pattern and any(sign in pattern for sign in "dmyhs")


@dataclass(slots=True)
class _Rows:
    """The rows of a sheet while it is parsed: records, numbers of hidden rows, and the merged cells that end lowest."""

    options: Options
    strings: list[str]
    dates: frozenset[int]
    first_day: datetime
    records: list[tuple[int, list[str]]] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    merged: tuple[int, str] = (0, "")  # the last row, and the address
    row: int = 0
    is_hidden: bool = False
    fields: list[str] = field(default_factory=list)
    cell: Mapping[str, str] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    is_value: bool = False
    is_reading: bool = False
    is_formula: bool = False
    characters: int = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        match name:
            case "v" | "t":
                self.is_value = not self.is_reading
            case "c":
                self.cell = attributes
                self.is_formula = False
                self.pieces.clear()
            case "f":
                self.is_formula = True
            case "row":
                self._row_begin(attributes)
            case "rPh":
                self.is_reading = True
            case "mergeCell":
                address = attributes.get("ref", "")
                last = address.rpartition(":")[2]
                self.merged = max(self.merged, (int(last.lstrip(string.ascii_uppercase)), address))

    def end(self, name: str) -> None:
        match name:
            case "v" | "t":
                self.is_value = False
            case "c":
                self._cell_end()
            case "row":
                self._row_end()
            case "rPh":
                self.is_reading = False

    def text(self, text: str) -> None:
        if self.is_value:
            self.pieces.append(text)

    def _row_begin(self, attributes: Mapping[str, str]) -> None:
        number = int(attributes.get("r", self.row + 1))
        if not self.row < number <= ROWS:
            raise Refused("damaged")
        self.row, self.is_hidden = number, attributes.get("hidden") in ("1", "true")
        self.fields = []

    def _row_end(self) -> None:
        while self.fields and not self.fields[-1].strip():
            self.fields.pop()
        if not self.fields:
            return
        if sum(map(len, self.fields)) > self.options.line:
            raise Refused("long_line", line=self.row)
        self.records.append((self.row, self.fields))
        if self.is_hidden:
            self.hidden.append(self.row)

    def _cell_end(self) -> None:
        if len(self.records) > self.options.records:  # enough to show that there are more
            return
        place = _place(self.cell.get("r", ""), len(self.fields))
        value = self._value("".join(self.pieces)) if self.pieces else ""
        if self.is_formula and not value and self.cell.get("t", "n") != "str":  # the result of a text may be empty
            raise Refused("formula", cell=self.cell.get("r") or f"{self.row}:{place + 1}")
        self.characters += place - len(self.fields) + 1 + len(value)
        if self.characters > self.options.characters:
            raise Refused("too_many_cells")
        self.fields.extend([""] * (place - len(self.fields)))
        self.fields.append(value)

    def _value(self, text: str) -> str:
        """Return the text of a cell's stored value, of a formula the result."""
        match self.cell.get("t", "n"):
            case "s":
                return self.strings[int(text)]
            case "b":
                return str(text.strip() == "1")
            case "n":
                return self._number(text.strip())
            case "d":
                return _moment(datetime.fromisoformat(text.strip()))
            case _:
                return text

    def _number(self, text: str) -> str:
        """Return a number without a needless fraction; dates as 2002-05-17, times as 18:30:00."""
        if text.isascii() and text.isdigit() and not self.dates:
            return text
        try:
            number = float(text)
            if int(self.cell.get("s", "0")) in self.dates:
                return self._date(number)
            return str(int(number)) if number.is_integer() else repr(number)
        except (ValueError, OverflowError):
            return text

    def _date(self, number: float) -> str:
        moment = self.first_day + timedelta(milliseconds=round(number * 86_400_000))
        if 0 <= number < 1:
            return moment.time().isoformat("seconds")
        if self.first_day == _FIRST_DAY and number < _LEAP_FAULT:  # Excel counts 29 February 1900, which never was
            moment += timedelta(days=1)
        return _moment(moment)


def _moment(moment: datetime) -> str:
    is_day = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return moment.date().isoformat() if is_day else moment.isoformat(" ", "seconds")


def _place(address: str, following: int) -> int:
    """Return the column of a cell, counted from 0; `following` for a cell without address."""
    if not address:
        return following
    found = _ADDRESS.fullmatch(address)
    place = _column(found[1]) if found else 0
    if not following < place <= COLUMNS:
        raise Refused("damaged")
    return place - 1


@lru_cache(maxsize=1024)
def _column(letters: str) -> int:
    """Return the number of a column: 1 for A, 27 for AA."""
    return reduce(lambda number, letter: number * 26 + ord(letter) - ord("A") + 1, letters, 0)


@dataclass(slots=True)
class _Contents:
    """What the workbook's own part and its relations say: parts by kind, sheets with their parts, the calendar."""

    targets: dict[str, tuple[str, str]] = field(default_factory=dict)  # kind and part by relation
    sheets: list[tuple[str, str]] = field(default_factory=list)  # name and part
    first_day: datetime = _FIRST_DAY

    def relation(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship":
            path = posixpath.normpath(posixpath.join("/xl", attributes.get("Target", ""))).lstrip("/")
            self.targets[attributes.get("Id", "")] = (attributes.get("Type", "").rpartition("/")[2], path)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet":
            key = next((value for name, value in attributes.items() if name.endswith("/relationships id")), "")
            kind, path = self.targets.get(key, ("", ""))
            if kind == "worksheet":
                self.sheets.append((attributes.get("name", "")[:SHEET_NAME], path))
        elif name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
            self.first_day = _FIRST_DAY_1904

    def sheet(self, name: str) -> tuple[str, str]:
        """Return the sheet with this name, in any letter case; the first without a name."""
        if not self.sheets:
            raise Refused("no_sheet")
        same = [each for each in self.sheets if name in ("", each[0])]
        same += [each for each in self.sheets if each[0].casefold() == name.casefold()]
        if not same:
            raise Refused("other_sheet", name=name, names=", ".join(f"“{each}”" for each, _ in self.sheets))
        return same[0]


def sheet_read(content: bytes, options: Options) -> dict[str, Any]:
    """Return the records of a sheet and what is known of it. Raises Refused, and DAMAGED errors.

    `records` are pairs of a row's number and its cells, `hidden` the numbers of hidden rows among them, `merged` the
    last row and the address of the merged cells that end lowest, `sheets` the names of all sheets.
    """
    book, contents, strings = _Book.opened(content, options), _Contents(), _Strings()
    _parse(book.part("xl/_rels/workbook.xml.rels"), contents.relation)
    _parse(book.part(BOOK), contents.start)
    if len(contents.sheets) > options.parts:
        raise Refused("too_many_parts", most=options.parts)
    name, path = contents.sheet(options.sheet)
    parts = dict(contents.targets.values())
    _parse(book.part(parts.get("sharedStrings", "")), strings.start, strings.end, strings.text)
    dates = _date_styles(book.part(parts.get("styles", "")))
    rows = _Rows(options, strings.texts, dates, contents.first_day)
    data = book.part(path)
    if not data:
        raise Refused("damaged")
    _parse(data, rows.start, rows.end, rows.text)
    return {
        "sheet": name,
        "sheets": [each for each, _ in contents.sheets],
        "records": rows.records,
        "hidden": rows.hidden,
        "merged": rows.merged,
    }


def limits_set(options: Options) -> None:
    """Let the kernel end this process at its limits, and choose it first if the container's memory is short."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123 - 6 ms
        file.write("1000")
    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CPU, options.seconds),
        (resource.RLIMIT_AS, options.memory),
    ):
        _, highest = resource.getrlimit(limit)
        soft = most if highest == resource.RLIM_INFINITY else min(most, highest)
        hard = soft + 1 if limit == resource.RLIMIT_CPU and highest == resource.RLIM_INFINITY else soft
        with suppress(ValueError, OSError):  # macOS refuses a limit of memory
            resource.setrlimit(limit, (soft, hard))


def answer(content: bytes, options: Options) -> dict[str, Any]:
    """Return the answer to this workbook: the sheet, or why it is refused."""
    try:
        return sheet_read(content, options)
    except Refused as refused:
        return {"refusal": refused.reason, "params": refused.params}
    except MemoryError:
        return {"refusal": "memory", "params": {}}
    except expat.ExpatError as error:
        is_memory = error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]
        return {"refusal": "memory" if is_memory else "damaged", "params": {}}
    except (*DAMAGED, IndexError, TypeError):
        return {"refusal": "damaged", "params": {}}


def main() -> None:
    """Read the workbook from standard input and print the answer."""
    options = Options(**json.loads(sys.argv[-1]))
    limits_set(options)
    printed = answer(sys.stdin.buffer.read(), options)
    sys.stdout.buffer.write(json.dumps(printed, ensure_ascii=False).encode())


if __name__ == "__main__":
    main()
