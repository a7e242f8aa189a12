"""Workbooks that are made to exhaust a reader, each with a part of the sentence that refuses it."""

import io
import struct
import zipfile
from collections.abc import Iterator

from apps.imports.limits import FILE_TAGS, FILE_UNPACKED_BYTES
from apps.imports.participant_files.columns import COLUMNS
from tests.apps.imports.workbooks import packed_of, parts_of, workbook_of

BOOK, RELATIONS, SHEET = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml"
STRINGS, STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
READ, DAMAGED = "", "Error reading file"
CELLS, LINE = "too many cells", "is too long."
MILLION = 1_000_000
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PLAIN = parts_of(workbook_of([COLUMNS, ("Zofia", "Łęcka", "Poland")])) | {STRINGS: b"<sst></sst>"}
_strings_relation = f'<Relationship Id="strings" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Rel'
PLAIN[RELATIONS] = PLAIN[RELATIONS].replace(b"</Rel", _strings_relation.encode(), 1)


def hostile() -> Iterator[tuple[str, bytes, str]]:
    """Yield what each workbook has, its bytes, and a part of the sentence that refuses it, or READ."""
    yield from _attributes()
    yield from _strings()
    yield from _cells()
    yield from _other_parts()
    yield from _archives()


def _before(tag: bytes, written: bytes, part: str = SHEET) -> bytes:
    """Return the workbook with this before a tag of a part."""
    assert tag in PLAIN[part]
    return packed_of(PLAIN | {part: PLAIN[part].replace(tag, written + tag, 1)})


def _row(written: bytes) -> bytes:
    return _before(b"</sheetData>", written)


def _attributes() -> Iterator[tuple[str, bytes, str]]:
    yield "an attribute of 30 MB", _row(b'<row a="%s"/>' % (b"x" * 30 * MILLION)), READ
    long = b'<si a="%s"/>' % (b"x" * 10 * MILLION)
    yield "an attribute of 10 MB of a string", _before(b"</sst>", long, STRINGS), READ
    yield "30,000 attributes", _row(b"<row " + b" ".join(b'a%d=""' % n for n in range(30_000)) + b"/>"), READ
    yield "a name of 1 MB", _row(b"<" + b"x" * MILLION + b"/>"), READ


def _strings() -> Iterator[tuple[str, bytes, str]]:
    long = b"x" * 10 * MILLION
    yield "a text of 10 MB", _row(b'<row><c t="str"><v>' + long + b"</v></c></row>"), CELLS
    yield "a shared string of 10 MB", _before(b"</sst>", b"<si><t>" + long + b"</t></si>", STRINGS), READ
    line = b"<si><t>" + b"y" * 19_000 + b"</t></si>"
    uses = b'<row><c t="s"><v>0</v></c></row>' * 9_000
    both = {STRINGS: b"<sst>" + line + b"</sst>", SHEET: PLAIN[SHEET].replace(b"</sheetData>", uses + b"</sheetData>")}
    yield "a long string used often", packed_of(PLAIN | both), CELLS
    yield "strings of a long row", _row(b"<row>" + b'<c t="str"><v>' + b"y" * 20_001 + b"</v></c></row>"), LINE
    yield "empty strings", _before(b"</sst>", b"<si><t/></si>" * (FILE_TAGS // 3), STRINGS), CELLS
    different = b"".join(b"<si><t>%07d</t></si>" % n for n in range(50_000))
    yield "different strings", _before(b"</sst>", different, STRINGS), READ
    yield "a string that is not there", _row(b'<row><c t="s"><v>999</v></c></row>'), DAMAGED


def _cells() -> Iterator[tuple[str, bytes, str]]:
    yield "deep nesting", _row(b"<a>" * 100_000), DAMAGED
    yield "cells within cells", _row(b"<row>" + b"<c>" * 100_000), DAMAGED
    for cell in (b'<c t="n"><v>1</v></c>', b"<c/>"):
        yield f"a row of {cell.decode()}", _row(b"<row>" + cell * (FILE_TAGS // cell.count(b"<")) + b"</row>"), CELLS
    wide = b"".join(b'<row><c r="XFD%d"><v>1</v></c></row>' % n for n in range(3, 400))
    yield "cells in the last column", _row(wide), CELLS
    yield "a column beyond the last", _row(b'<row><c r="XFE3"><v>1</v></c></row>'), DAMAGED
    yield "a row beyond the last", _row(b'<row r="99999999999"><c><v>1</v></c></row>'), DAMAGED
    yield "rows backwards", _row(b'<row r="1"><c><v>1</v></c></row>'), DAMAGED
    merged = b"<mergeCells>" + b'<mergeCell ref="A1:B9"/>' * 10_000 + b"</mergeCells>"
    yield "merged cells", _before(b"<pageMargins", merged), "merged cells (A1:B9)"


def _other_parts() -> Iterator[tuple[str, bytes, str]]:
    sheet = f'<sheet name="a" sheetId="9" r:id="rId1" xmlns:r="{OFFICE}"/>'.encode()
    yield "many sheets", _before(b"</sheets>", sheet * 2_000, BOOK), "more than 1000 parts"
    yield "many styles", _before(b"</cellXfs>", b'<xf numFmtId="14"/>' * 50_000, STYLES), READ
    formats = b'<numFmts><numFmt numFmtId="170" formatCode="' + b"[" * 200_000 + b'"/></numFmts>'
    yield "a format of brackets", _before(b"<fonts", formats, STYLES), READ
    bomb = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    entities = bomb + PLAIN[SHEET].replace("Łęcka".encode(), b"&c;")
    yield "entities", packed_of(PLAIN | {SHEET: entities}), "declares entities"
    wide = (bomb + b"<worksheet>&c;</worksheet>").decode().encode("utf-16")
    yield "entities in UTF-16", packed_of(PLAIN | {SHEET: wide}), "declares entities"


def _archives() -> Iterator[tuple[str, bytes, str]]:
    inner = packed_of({"a.xml": b"\0" * MILLION})
    for _ in range(6):
        inner = packed_of({f"{n}.zip": inner for n in range(10)})
    yield "a zip of zips", packed_of(PLAIN | {SHEET: inner}), DAMAGED
    yield "1,001 parts", packed_of(PLAIN | {f"xl/{n}.xml": b"<a/>" for n in range(1000)}), "more than 1000 parts"
    large = packed_of(PLAIN | {"xl/media/big.png": b"\0" * (FILE_UNPACKED_BYTES + 1)})
    yield "a picture of 50 MB", large, "larger than 50 MB"
    less = bytearray(packed_of(PLAIN | {SHEET: b"\0" * (FILE_UNPACKED_BYTES + MILLION)}))
    with zipfile.ZipFile(io.BytesIO(less)) as packed:
        at = less.index(SHEET.encode(), packed.start_dir) - 46
    struct.pack_into("<I", less, at + 24, 1000)  # the unpacked size in the directory
    yield "a part that declares 1,000 bytes of its 51 MB", bytes(less), DAMAGED
