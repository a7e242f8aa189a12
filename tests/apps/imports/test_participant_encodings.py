"""Encodings of participant files: which one a file has, and what is no text in any."""

import io
import zipfile

import pytest
from django.core.exceptions import ValidationError

from apps.imports.enums import FileEncoding
from apps.imports.participant_files.encodings import encoding_guess, text_read
from tests.apps.imports.participant_files import ZOFIA, file_of, read


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", FileEncoding.UTF_8),
        ("utf-8-sig", FileEncoding.UTF_8),
        ("utf-16", FileEncoding.UTF_16),
        ("utf-16-le", FileEncoding.UTF_16),
        ("utf-16-be", FileEncoding.UTF_16),
        ("windows-1250", FileEncoding.WINDOWS_1250),
    ],
)
def test_a_file_reads_the_same_in_each_encoding(encoding, found):
    content = file_of(ZOFIA, "Ondřej|Přibyslav|Czechia|||||", encoding=encoding)
    assert encoding_guess(content) == found
    assert [(row.first_name, row.last_name) for row in read(content)] == [("Zofia", "Łęcka"), ("Ondřej", "Přibyslav")]


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        (FileEncoding.WINDOWS_1252, "Iñigo|Ibáñez|Spain"),
        (FileEncoding.WINDOWS_1252, "Hélène|Molière|France"),
        (FileEncoding.WINDOWS_1252, "João|Simões|Brazil"),
        (FileEncoding.WINDOWS_1252, "Søren|Kjærgaard|Denmark"),
        (FileEncoding.WINDOWS_1250, "Łukasz|Gałczyński|Poland"),
        (FileEncoding.WINDOWS_1250, "Ivo|Kovačević|Croatia"),
        (FileEncoding.WINDOWS_1250, "Jiří|Dvořák|Czechia"),
        (FileEncoding.WINDOWS_1250, "Győző|Erdős|Hungary"),
    ],
)
def test_the_letters_of_names_tell_which_windows_it_was(encoding, names):
    assert encoding_guess(file_of(f"{names}|||||", encoding=encoding)) == encoding


def test_another_encoding_may_be_chosen():
    assert "Łęcka" in text_read(file_of(ZOFIA, encoding="windows-1250"), FileEncoding.WINDOWS_1250)
    assert "£êcka" in text_read(file_of(ZOFIA, encoding="windows-1250"), FileEncoding.WINDOWS_1252)


def zipped() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("participants.csv", file_of(ZOFIA))
    return written.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \r\n \n",
        b"\xef\xbb\xbf",
        zipped(),
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\xff\xd8\xff\xe0\x10JFIF\x01",
        file_of("Zo\x00fia|Nowak|Poland|||||"),
        file_of("Zo\x1bfia|Nowak|Poland|||||"),
        b"\xff\xfeA",
    ],
)
def test_what_is_no_text_is_said_to_be_unreadable(content):
    with pytest.raises(ValidationError, match="Error reading file"):
        read(content)
