"""Parse a jury's file into the content of a sheet; every line is stored, left out with its fault, or to be decided.

The work is linear in the lines: a sheet has at most JURORS times SHEET_PARTICIPANTS cells.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import chain, islice
from types import MappingProxyType

from apps.competition.limits import START_NUMBER_MOST
from apps.competition.selectors.admin.participants import ParticipantName
from apps.core.people import PeopleIndex, PersonDoubt
from apps.core.text_rules import cell_unguard, fold, has_letter, text_clean
from apps.imports.enums import JuryFault, JuryFileKind
from apps.imports.jury_files import columns
from apps.imports.jury_files.columns import JuryHeader, jury_header, matrix_records
from apps.imports.jury_files.people import JurorFound, Jurors, mark_of
from apps.imports.jury_files.stage_numbers import number_read
from apps.imports.jury_files.texts import counted, jury_records
from apps.imports.participant_files.extras import whole_number
from apps.imports.tables.headers import SAMPLES, ColumnsMissing, FileColumn, column_chooser, error_cell, file_columns
from apps.jury.contents import RECUSED, Cell, Official, SheetContent, sheet_too_large
from apps.jury.limits import JUROR_LENGTH, JURORS, SHEET_PARTICIPANTS
from apps.jury.rules import Rule

_NONE: Mapping[str, str] = MappingProxyType({})
_SHOWN = 60  # characters of a wrong cell
_FRACTION = 2  # decimals of a mark
_DIGITS = 3  # before the point
_RANK_MOST = 9999


@dataclass(frozen=True, slots=True)
class LineFault:
    """Why a line cannot be stored; `params` fill the sentence of the fault."""

    line: int
    fault: JuryFault
    params: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PersonRead:
    """A participant as a file names one, with the first of the lines; `participant` is None while none is certain."""

    line: int
    number: str
    name: str
    participant: ParticipantName | None
    doubt: PersonDoubt = PersonDoubt.NONE
    likely: tuple[ParticipantName, ...] = ()
    is_chosen: bool = False  # by hand

    @property
    def mark(self) -> str:
        """The name of the field that chooses the participant by hand."""
        return mark_of("who", self.line, f"{self.number}|{self.name}")

    @property
    def words(self) -> str:
        """Number and name as the file has them, the beginning of a long one."""
        return " ".join(filter(None, (self.number, self.name[: 2 * _SHOWN])))


@dataclass(frozen=True, slots=True)
class JurorRead:
    """A juror as a file names one, with the first of the lines; `name` is the spelling that will be stored.

    `own` is the file's spelling of a juror who is new unless another one is chosen; empty for a stored one.
    """

    line: int
    written: str
    name: str
    is_new: bool
    near: str
    own: str = ""
    is_chosen: bool = False  # by hand, as new or as another one

    @property
    def mark(self) -> str:
        """The name of the field that says that this juror is the one of the nearest spelling."""
        return mark_of("juror", self.line, self.written)


@dataclass(slots=True)
class SheetRead:
    """What a file holds. `marks` and `recused` are counted in lines, as `left`; the three add up to `lines`.

    `alike` are the new jurors beside vanished ones, or with nearly the spelling of another: they may be the same ones.
    `vanished` are the stored jurors that the file does not have. `place` is the number of the stage in the file.
    `columns` are those of the header. `commas` is the number of marks with a decimal comma. A line of a
    matrix is one of its cells.
    """

    kind: JuryFileKind
    unused: tuple[str, ...]
    lines: int = 0
    marks: int = 0
    recused: int = 0
    place: int | None = None
    people: list[PersonRead] = field(default_factory=list)
    jurors: list[JurorRead] = field(default_factory=list)
    alike: list[JurorRead] = field(default_factory=list)
    columns: tuple[FileColumn, ...] = ()
    vanished: tuple[str, ...] = ()
    is_matrix: bool = False
    commas: int = 0
    faults: list[LineFault] = field(default_factory=list)
    cells: dict[tuple[int, str], Cell] = field(default_factory=dict)
    officials: dict[int, Official] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """The number of lines that are not stored as they are."""
        return self.lines - self.marks - self.recused

    @property
    def undecided(self) -> list[PersonRead]:
        """The participants that are to be chosen by hand."""
        return [each for each in self.people if each.doubt not in (PersonDoubt.NONE, PersonDoubt.CONTRADICTION)]

    @property
    def has_comma_faults(self) -> bool:
        """Whether marks have a decimal comma that is not read as a point."""
        return bool(self.commas) and any(each.fault is JuryFault.COMMA for each in self.faults)

    @property
    def open_jurors(self) -> list[JurorRead]:
        """The new jurors who may be vanished ones, and are to be decided."""
        return [each for each in self.alike if self.vanished and not each.is_chosen]

    @property
    def fields(self) -> tuple["PersonRead | JurorRead", ...]:
        """What is chosen by hand: undecided and chosen participants, and jurors with the spelling of another."""
        chosen = (each for each in self.people if each.is_chosen)
        return (*self.undecided, *chosen, *self.alike)

    def vanished_keep(self, names: Collection[str]) -> None:
        """Keep these as the vanished jurors, and the new jurors who may be one of them or of another near spelling."""
        self.vanished = tuple(names)
        self.alike = [each for each in self.alike if each.near or each.is_chosen or self.vanished]

    @property
    def content(self) -> SheetContent:
        """The marks or the official figures, as a sheet has them."""
        return SheetContent(self.cells, self.officials)

    @property
    def is_whole(self) -> bool:
        """Whether all of it can be stored: no fault, and nothing to decide."""
        is_decided = not self.undecided and not self.open_jurors
        return bool(self.lines) and is_decided and not self.faults and not self.left


Choices = Mapping[str, int | str]  # by mark: a participant's id, or the name of a juror
_PersonKey = int | str  # a participant's id, or the mark of an undecided one


@dataclass(slots=True)
class _Reader:
    """The state while the lines of one file are read."""

    header: JuryHeader
    rule: Rule
    performers: PeopleIndex[ParticipantName]
    jurors: Jurors
    choices: Choices
    sheet: SheetRead
    stored_jurors: frozenset[str]
    is_decimal_comma: bool
    place: int | None  # of the stage, if the file names none
    ids: dict[int, ParticipantName] = field(default_factory=dict)
    people: dict[tuple[str, str], PersonRead] = field(default_factory=dict)
    found_jurors: dict[str, JurorRead | None] = field(default_factory=dict)
    seen: dict[tuple[_PersonKey, str], tuple[int, int]] = field(default_factory=dict)  # of each cell: number and line
    noted: set[tuple[int, JuryFault, tuple[str | int, ...]]] = field(default_factory=set)
    first_lines: dict[_PersonKey, PersonRead] = field(default_factory=dict)
    empty: list[tuple[int, _PersonKey, str]] = field(default_factory=list)
    written: set[str] = field(default_factory=set)  # jurors with a mark, also a wrong one

    def fault(self, line: int, fault: JuryFault, **params: str | int) -> None:
        """Note the fault of a line, once: a row of a matrix has it in every cell."""
        if (key := (line, fault, tuple(params.values()))) in self.noted:
            return
        self.noted.add(key)
        self.sheet.faults.append(LineFault(line, fault, params))

    def cell(self, fields: Sequence[str], column: str) -> str:
        """Return a cell as one line with single blanks; empty where the line ends before it."""
        place = self.header.places.get(column, len(fields))
        return " ".join(text_clean(cell_unguard(fields[place].strip(" "))).split()) if place < len(fields) else ""

    def stage(self, line: int, text: str) -> None:
        """Note the stage of a line: every line has the same one."""
        number = number_read(text, self.rule.stages)
        if number is None:
            self.fault(line, JuryFault.STAGE_UNKNOWN, text=text[:_SHOWN], most=self.rule.stages)
        elif self.sheet.place is None:
            self.sheet.place = number
        elif number != self.sheet.place:
            self.fault(line, JuryFault.STAGES, number=number, first=self.sheet.place)

    def person(self, line: int, fields: Sequence[str]) -> PersonRead | None:
        """Return the participant of a line; None if it names none. A contradiction is a fault of its first line."""
        number, name = self.cell(fields, columns.START_NUMBER), self.cell(fields, columns.PARTICIPANT)
        if not number and not name:
            self.fault(line, JuryFault.NO_PERSON)
            return None
        value = whole_number(number, 1, START_NUMBER_MOST) if number else None
        if number and value is None:
            self.fault(line, JuryFault.NUMBER, text=number[:_SHOWN])
            return None
        found = self.people.get((number, name))
        if found is None:
            found = self.people[number, name] = self._person(line, number, name, value)
            if len(self.people) > 2 * SHEET_PARTICIPANTS:
                raise sheet_too_large()
            self.sheet.people.append(found)
        if found.doubt is PersonDoubt.CONTRADICTION and found.line == line:
            self.fault(line, JuryFault.DISAGREE, number=number, name=name[: 2 * _SHOWN])
        return found

    def _person(self, line: int, number: str, name: str, value: int | None) -> PersonRead:
        found = self.performers.find(name, value)
        read = PersonRead(line, number, name, found.person, found.doubt, found.likely)
        chosen = self.ids.get(int(self.choices.get(read.mark, 0))) if read.mark in self.choices else None
        if chosen is None or found.person or found.doubt is PersonDoubt.CONTRADICTION:
            return read
        own = chosen.start_number
        if value is not None and own is not None and own != value:
            self.fault(line, JuryFault.CHOSEN, name=chosen.name, own=own, number=number)
            return read
        return PersonRead(line, number, name, chosen, is_chosen=True)

    def juror(self, line: int, text: str) -> JurorRead | None:
        """Return the juror of a line; None with a fault if it names none."""
        if not text:
            self.fault(line, JuryFault.NO_JUROR)
            return None
        if text not in self.found_jurors:
            self.found_jurors[text] = self._juror(line, text) if _is_juror(text) else None
        found = self.found_jurors[text]
        if found is None:
            self.fault(line, JuryFault.JUROR_LONG)
        return found

    def _juror(self, line: int, text: str) -> JurorRead:
        found: JurorFound = self.jurors.find(text)
        read = JurorRead(line, text, found.name, found.is_new, found.near, found.name if found.is_new else "")
        chosen = self.choices.get(read.mark) if found.is_new else None
        if chosen in {found.name, found.near, *self.stored_jurors}:
            is_new = chosen == found.name
            read = replace(read, name=str(chosen), is_new=is_new, is_chosen=True)
        if found.is_new:
            self.sheet.alike.append(read)
        if read.name not in {each.name for each in self.sheet.jurors}:
            self.sheet.jurors.append(read)
        if len(self.sheet.jurors) > JURORS:
            raise sheet_too_large()
        return read

    def number(self, line: int, text: str) -> Decimal | None:
        """Return a mark of the stage's scale; None with a fault for any other text. A score may be a sum of ranks."""
        place, is_mark = self.sheet.place or self.place, self.sheet.kind is JuryFileKind.MARKS
        is_comma = text.count(",") == 1 and decimal_read(text.replace(",", ".")) is not None
        self.sheet.commas += is_comma
        value = self.rule.mark_read(text, place) if is_mark else None
        if value is None:
            value = decimal_read(text.replace(",", ".") if is_comma and self.is_decimal_comma else text)
        if value is not None and (self.rule.allows if is_mark else self.rule.allows_score)(value, place):
            return value
        fault = JuryFault.COMMA if "," in text and not (is_comma and self.is_decimal_comma) else JuryFault.SCALE
        lowest, highest = map(str, self.rule.scale(place))
        self.fault(line, fault, text=text[:_SHOWN], lowest=lowest, highest=highest)
        return None


def sheet_parse(
    text: str,
    *,
    rule: Rule,
    participants: Iterable[ParticipantName],
    jurors: Iterable[str],
    choices: Choices,
    is_decimal_comma: bool = False,
    columns_chosen: Mapping[str, str] = _NONE,
    place: int | None = None,
) -> SheetRead:
    """Return what a file holds, for these participants and stored jurors, with the `choices` made by hand.

    With `is_decimal_comma` a comma in a mark or figure is read as the decimal point. `columns_chosen` are columns by
    the key of a name in the header. `place` is that of the stage whose scale holds for a file that names none.

    Raises ValidationError for a file that cannot be divided into lines, lacks columns, or is larger than a sheet.
    """
    record, records = jury_records(text, columns_chosen)
    first = list(islice(records, SAMPLES))
    records = chain(first, records)
    find, stored = column_chooser(columns.column_of, columns_chosen), tuple(jurors)
    shown = file_columns(record[1], [*map(find, record[1])], first, columns_chosen)
    try:
        header = jury_header(record, columns_chosen)
    except ColumnsMissing as error:
        error.columns = shown
        raise
    sheet = SheetRead(header.kind, header.unused, columns=shown, is_matrix=bool(header.jurors))
    has_stage = columns.STAGE in header.places
    if header.jurors:
        records = counted(matrix_records(records, header))
        header = replace(header, places={name: at for at, name in enumerate(columns.MARKS_COLUMNS)})
    reader = _Reader(
        header,
        rule,
        PeopleIndex(participants),
        Jurors(stored),
        choices,
        sheet,
        frozenset(stored),
        is_decimal_comma,
        place,
    )
    reader.ids = {each.id: each for each in reader.performers.people}
    read_line = _mark_line if header.kind is JuryFileKind.MARKS else _official_line
    for line, cells in records:
        reader.sheet.lines += 1
        if wrong := error_cell(header.places, cells):
            reader.fault(line, JuryFault.ERROR_CELL, text=cells[header.places[wrong]].strip())
            continue
        if has_stage:
            reader.stage(line, reader.cell(cells, columns.STAGE))
        read_line(reader, line, cells)
    if header.kind is JuryFileKind.MARKS:
        _jurors_compare(reader, stored)
        _gaps_note(reader)
    reader.sheet.faults.sort(key=lambda each: each.line)
    return reader.sheet


def decimal_read(text: str) -> Decimal | None:
    """Return a number of ASCII digits with a point and at most two decimals; None for any other text."""
    whole, point, part = text.partition(".")
    is_number = whole.isascii() and whole.isdigit() and len(whole) <= _DIGITS
    is_part = part.isascii() and part.isdigit() and len(part) <= _FRACTION
    return Decimal(text) if is_number and (is_part or not point) else None


def _mark_line(reader: _Reader, line: int, fields: Sequence[str]) -> None:
    person, juror = reader.person(line, fields), reader.juror(line, reader.cell(fields, columns.JUROR))
    cell = _mark_cell(reader, line, fields)
    if juror is not None and cell not in (None, RECUSED):
        reader.written.add(juror.name)
    if person is None or juror is None:
        return
    key = _key(person)
    reader.first_lines.setdefault(key, person)
    if len(reader.first_lines) > SHEET_PARTICIPANTS:
        raise sheet_too_large()
    cell_number = (reader.sheet.lines, line)
    if (first := reader.seen.setdefault((key, juror.name), cell_number)) != cell_number:
        reader.fault(line, JuryFault.TWICE, name=_name(person), juror=juror.name, first=first[1])
    elif cell is None:
        reader.empty.append((line, key, juror.name))
    elif person.participant is not None and cell != "":
        reader.sheet.cells[person.participant.id, juror.name] = cell
        if cell == RECUSED:
            reader.sheet.recused += 1
        else:
            reader.sheet.marks += 1


def _mark_cell(reader: _Reader, line: int, fields: Sequence[str]) -> Cell | None:
    """Return the mark of a line or RECUSED; None for an empty cell, an empty text with a fault for a wrong one."""
    score, recused = reader.cell(fields, columns.SCORE), reader.cell(fields, columns.RECUSED_STUDENT)
    is_recused = RECUSED in (score.upper(), recused.upper())
    if recused and recused.upper() != RECUSED:
        reader.fault(line, JuryFault.RECUSED, text=recused[:_SHOWN])
        return ""
    if is_recused and score and score.upper() != RECUSED:
        reader.fault(line, JuryFault.BOTH, text=score[:_SHOWN])
        return ""
    if is_recused:
        return RECUSED
    if not score:
        return None
    mark = reader.number(line, score)
    return "" if mark is None else mark


def _official_line(reader: _Reader, line: int, fields: Sequence[str]) -> None:
    person = reader.person(line, fields)
    figures = _official(reader, line, fields)
    if person is None:
        return
    key = _key(person)
    if (first := reader.seen.setdefault((key, ""), (0, line))[1]) != line:
        reader.fault(line, JuryFault.TWICE_OFFICIAL, name=_name(person), first=first)
    elif person.participant is not None and figures is not None:
        reader.sheet.officials[person.participant.id] = figures
        reader.sheet.marks += 1


def _official(reader: _Reader, line: int, fields: Sequence[str]) -> Official | None:
    """Return the official figures of a line; None with a fault if one of them is wrong, or the score is missing."""
    before = len(reader.sheet.faults)
    score, sums, rank = (reader.cell(fields, name) for name in (columns.OFFICIAL, columns.CUMULATIVE, columns.RANK))
    if not score:
        reader.fault(line, JuryFault.NO_FIGURE)
    own, cumulated = (reader.number(line, text) if text else None for text in (score, sums))
    place = whole_number(rank, 1, _RANK_MOST) if rank else None
    if rank and place is None:
        reader.fault(line, JuryFault.RANK, text=rank[:_SHOWN])
    return Official(own, cumulated, place) if len(reader.sheet.faults) == before else None


def _gaps_note(reader: _Reader) -> None:
    """Note each juror without any mark, and of the others each performer without a cell or with an empty one.

    What a performer who is to be chosen lacks is not known yet, nor whose the cells are that stand beside that name.
    """
    undecided = {each.mark for each in reader.sheet.undecided}
    of_undecided = {juror for key, juror in reader.seen if key in undecided}
    silent = {each.name: each.line for each in reader.sheet.jurors if each.name not in reader.written}
    for name, line in silent.items():
        reader.fault(line, JuryFault.NO_MARKS, juror=name)
    for line, key, juror in reader.empty:
        if juror not in silent and key not in undecided:
            reader.fault(line, JuryFault.MISSING, juror=juror, name=_name(reader.first_lines[key]))
    for key, person in reader.first_lines.items():
        for each in reader.sheet.jurors if key not in undecided else ():
            if each.name not in {*silent, *of_undecided} and (key, each.name) not in reader.seen:
                reader.fault(person.line, JuryFault.MISSING, juror=each.name, name=_name(person))


def _jurors_compare(reader: _Reader, stored: Sequence[str]) -> None:
    """Keep the new jurors who may be others: beside vanished ones, and with nearly the spelling of another.

    A file without any stored juror is of another jury, from which nobody vanished.
    """
    there = {each.name for each in reader.sheet.jurors}
    is_same_jury = not there.isdisjoint(stored)
    reader.sheet.vanished_keep([name for name in stored if is_same_jury and name not in there])


def _is_juror(text: str) -> bool:
    """Whether a text can be a juror's name: with a letter, and not too long, folded either."""
    return has_letter(text) and len(text) <= JUROR_LENGTH and 0 < len(fold(text)) <= 2 * JUROR_LENGTH


def _key(person: PersonRead) -> _PersonKey:
    return person.participant.id if person.participant else person.mark


def _name(person: PersonRead) -> str:
    return person.participant.name if person.participant else person.words
