"""Workbooks for tests, written by openpyxl, or part by part where it lacks a feature."""

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from openpyxl import Workbook


def workbook_of(
    rows: Iterable[Sequence[Any]],
    *,
    more: Sequence[str] | Mapping[str, Sequence[Sequence[Any]]] = (),
    merged: str = "",
    hidden: Iterable[int] = (),
) -> bytes:
    """Return a workbook with these rows in its first sheet; `more` are the names of further sheets, or their rows."""
    book, written = Workbook(), io.BytesIO()
    sheet = book.active
    sheet.title = "People"
    for row in rows:
        sheet.append(list(row))
    for number in hidden:
        sheet.row_dimensions[number].hidden = True
    if merged:
        sheet.merge_cells(merged)
    for name in more:
        further = book.create_sheet(name)
        for row in more[name] if isinstance(more, Mapping) else [["Not", "read"]]:
            further.append(list(row))
    book.save(written)
    return written.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    """Return the parts of a workbook by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed_of(parts: dict[str, bytes]) -> bytes:
    """Return a workbook of these parts."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in parts.items():
            packed.writestr(name, data)
    return written.getvalue()
