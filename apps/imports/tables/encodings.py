"""Detect the encoding of a file and decode it."""

import codecs
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from django.core.exceptions import ValidationError

from apps.imports.enums import OFFERED_ENCODINGS, FileEncoding

READING_FAILED = "Error reading file"
NOT_UTF_8 = "Error reading file\nPlease save it as UTF-8."
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # not allowed in text
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_COLUMNS = re.compile(rb"[|;,\t]+")
_SAMPLE = 4096  # bytes that show which half of UTF-16 comes first
_LETTERS = 32_768  # bytes that the detector examines, of the lines with letters outside ASCII
_DISORDER = 0.4  # highest disorder of a candidate of the detector
# Python's codec if its name differs, or a superset codec that many programs write under this name.
_CODECS = {FileEncoding.EUC_KR: "cp949", FileEncoding.SHIFT_JIS: "cp932", FileEncoding.MAC_ROMAN: "mac-roman"}
# The encodings that the detector distinguishes. A file in one that is not offered is refused, not misread as another.
_GUESSED = {
    codecs.lookup(_CODECS.get(each, each.value)).name.replace("-", "_"): each
    for each in (
        *(FileEncoding.WINDOWS_1250, FileEncoding.WINDOWS_1252, FileEncoding.ISO_8859_2, FileEncoding.MAC_ROMAN),
        *(FileEncoding.WINDOWS_1251, FileEncoding.KOI8_R, FileEncoding.WINDOWS_1255, FileEncoding.WINDOWS_1256),
        *(FileEncoding.GB18030, FileEncoding.EUC_KR, FileEncoding.SHIFT_JIS, FileEncoding.EUC_JP),
    )
}
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = 200  # words with letters outside ASCII that are compared
_VOWELS = "aeiouyáéíóúýàèìòùâêîôûäëïöüąęěů"
# The same byte decoded as Windows-1250: patterns that suggest that encoding, then patterns that suggest Windows-1252.
_CENTRAL = re.compile(
    rf"[ąłżźśęőűůťľĽĄŁŻŹŚĘŐŰŮŤş]|ń(?![{_VOWELS}])|č(?=[{_VOWELS}k])|(?<=[{_VOWELS}])[řć]|[řć](?=[{_VOWELS}])"
    rf"|ě(?![rn]\b)|ň|ď(?![bs])",
    re.IGNORECASE,
)
_WESTERN = re.compile(
    rf"ń(?=[{_VOWELS}])|č(?![{_VOWELS}k])|ă|ĺ|ŕ|ď(?=[bs])|ç|(?<![{_VOWELS}\W])[řć](?![{_VOWELS}\W])"
    rf"|ő(?=[{_VOWELS}])|˙",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EncodingGuess:
    """The most probable encoding of a file; only Unicode is sure, any other must be confirmed.

    A file that no offered encoding explains has UTF-8, in which `text_read` refuses it.
    """

    encoding: FileEncoding
    is_sure: bool


def encoding_guess(content: bytes) -> EncodingGuess:
    """Return the most probable encoding of these bytes."""
    sample = content[:_SAMPLE]
    if content.startswith(_UTF_16) or sample.count(0) > len(sample) // 4:
        return EncodingGuess(FileEncoding.UTF_16, is_sure=True)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        if (detected := _detected(content)) in OFFERED_ENCODINGS:
            return EncodingGuess(detected, is_sure=False)
    return EncodingGuess(FileEncoding.UTF_8, is_sure=True)


def text_read(content: bytes, encoding: FileEncoding) -> str:
    """Return the text of a file. Raises ValidationError if it cannot be decoded with this encoding."""
    try:
        text = content.decode(_codec(content, encoding))
    except UnicodeDecodeError as error:
        raise ValidationError(NOT_UTF_8 if encoding == FileEncoding.UTF_8 else READING_FAILED) from error
    text = text.removeprefix("\ufeff").rstrip("\x1a")  # an end-of-file sign of old systems
    if not text.strip() or _UNREADABLE.search(text):
        raise ValidationError(READING_FAILED)
    return text


def other_spellings(text: str, encoding: FileEncoding) -> Mapping[FileEncoding, str]:
    """Return a word of a text that was read in `encoding` as other offered encodings spell it, if they differ.

    It is the first word that another encoding spells in letters of one script too; that of `encoding` comes first.
    Empty if no word has a second spelling.
    """
    words = (word[0] for word in _WORD.finditer(text) if not word[0].isascii())
    for word in islice(words, _WORDS):
        spellings = {encoding: word}
        content = word.encode(_codec(b"", encoding), "replace")
        for other in OFFERED_ENCODINGS[2:]:
            spelling = content.decode(_codec(b"", other), "replace")
            if spelling not in spellings.values() and _is_name(spelling):
                spellings[other] = spelling
        if len(spellings) > 1:
            return spellings
    return {}


def _is_name(word: str) -> bool:
    """Return whether a word can be a name: letters of one script, of which only the first may be a capital."""
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    return word.isalpha() and len(scripts) == 1 and word[1:] == word[1:].lower()


def _codec(content: bytes, encoding: FileEncoding) -> str:
    if encoding != FileEncoding.UTF_16 or content.startswith(_UTF_16):
        return _CODECS.get(encoding, encoding.value)
    sample = content[:_SAMPLE]
    return "utf-16-be" if sample[::2].count(0) > sample[1::2].count(0) else "utf-16-le"


def _detected(content: bytes) -> FileEncoding:
    """Return the detector's result for the lines with letters outside ASCII, with separators replaced by blanks."""
    lines = b"\n".join(line for line in content.split(b"\n") if not line.isascii())[:_LETTERS]
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few files need the detector

    found = from_bytes(
        _COLUMNS.sub(b" ", lines),
        cp_isolation=list(_GUESSED),
        threshold=_DISORDER,
        preemptive_behaviour=False,
        enable_fallback=False,
    ).best()
    guess = _GUESSED.get(found.encoding, FileEncoding.WINDOWS_1250) if found else FileEncoding.WINDOWS_1250
    return _windows(content) if guess in {FileEncoding.WINDOWS_1250, FileEncoding.WINDOWS_1252} else guess


def _windows(content: bytes) -> FileEncoding:
    """Return Windows-1250 or Windows-1252, by the letters of the text; Windows-1250 without evidence."""
    try:
        text = content.decode("windows-1250")
    except UnicodeDecodeError:
        return FileEncoding.WINDOWS_1252
    speaking = "\n".join(line for line in text.splitlines() if not line.isascii())[:_LETTERS]
    central, western = len(_CENTRAL.findall(speaking)), len(_WESTERN.findall(speaking))
    return FileEncoding.WINDOWS_1252 if western > central else FileEncoding.WINDOWS_1250
