"""The text in the bytes of a file, and which encoding it has."""

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes
from django.core.exceptions import ValidationError

from apps.imports.enums import FileEncoding

READING_FAILED = "Error reading file"
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # no text has these
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_COLUMNS = re.compile(rb"\|+")
_SAMPLE = 4096  # bytes that tell which half of UTF-16 comes first
_LETTERS = 32_768  # bytes of the lines with letters outside of ASCII that are looked at
_DISORDER = 0.4  # of a text, at most, to be a candidate of the detector
# Python's codec where it has another name, or another codec that reads more of what programs write under this name.
_CODECS = {FileEncoding.EUC_KR: "cp949", FileEncoding.SHIFT_JIS: "cp932", FileEncoding.MAC_ROMAN: "mac-roman"}
_GUESSED = {
    codecs.lookup(_CODECS.get(each, each.value)).name.replace("-", "_"): each
    for each in (
        *(FileEncoding.WINDOWS_1250, FileEncoding.WINDOWS_1252, FileEncoding.ISO_8859_2, FileEncoding.MAC_ROMAN),
        *(FileEncoding.WINDOWS_1251, FileEncoding.KOI8_R, FileEncoding.WINDOWS_1255, FileEncoding.WINDOWS_1256),
        *(FileEncoding.GB18030, FileEncoding.BIG5, FileEncoding.EUC_KR, FileEncoding.SHIFT_JIS, FileEncoding.EUC_JP),
    )
}  # the others differ from one of these in few letters: they are chosen by hand
_VOWELS = "aeiouyáéíóúýàèìòùâêîôûäëïöüąęěů"
# Of one byte, what stands for the letter of Windows-1250 and what for that of Windows-1252, in Windows-1250's letters.
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
    """The encoding that a file most probably has; only Unicode proves itself, any other is to be confirmed."""

    encoding: FileEncoding
    is_sure: bool


def encoding_guess(content: bytes) -> EncodingGuess:
    """Return the encoding that the bytes of a file most probably have."""
    sample = content[:_SAMPLE]
    if content.startswith(_UTF_16) or sample.count(0) > len(sample) // 4:
        return EncodingGuess(FileEncoding.UTF_16, is_sure=True)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return EncodingGuess(_detected(content), is_sure=False)
    return EncodingGuess(FileEncoding.UTF_8, is_sure=True)


def text_read(content: bytes, encoding: FileEncoding) -> str:
    """Return the text of a file. Raises ValidationError where there is none in this encoding."""
    try:
        text = content.decode(_codec(content, encoding))
    except UnicodeDecodeError as error:
        raise ValidationError(READING_FAILED) from error
    text = text.removeprefix("\ufeff").rstrip("\x1a")  # which ended files once
    if not text.strip() or _UNREADABLE.search(text):
        raise ValidationError(READING_FAILED)
    return text


def _codec(content: bytes, encoding: FileEncoding) -> str:
    if encoding != FileEncoding.UTF_16 or content.startswith(_UTF_16):
        return _CODECS.get(encoding, encoding.value)
    sample = content[:_SAMPLE]
    return "utf-16-be" if sample[::2].count(0) > sample[1::2].count(0) else "utf-16-le"


def _detected(content: bytes) -> FileEncoding:
    """Return what the detector finds in the lines with letters outside of ASCII, as words without columns."""
    lines = b"\n".join(line for line in content.split(b"\n") if not line.isascii())[:_LETTERS]
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
    """Return which of the two the letters speak for; Windows-1250 when they say nothing."""
    try:
        text = content.decode("windows-1250")
    except UnicodeDecodeError:
        return FileEncoding.WINDOWS_1252
    speaking = "\n".join(line for line in text.splitlines() if not line.isascii())[:_LETTERS]
    central, western = len(_CENTRAL.findall(speaking)), len(_WESTERN.findall(speaking))
    return FileEncoding.WINDOWS_1252 if western > central else FileEncoding.WINDOWS_1250
