"""The text in the bytes of a file, and which encoding it has."""

import codecs
import re

from django.core.exceptions import ValidationError

from apps.imports.enums import FileEncoding

READING_FAILED = "Error reading file"
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # no text has these
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAMPLE = 4096  # bytes that tell which half of UTF-16 comes first
_LETTERS_SAMPLE = 65_536  # bytes of lines whose letters are weighed: a pattern keeps all other threads waiting
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


def encoding_guess(content: bytes) -> FileEncoding:
    """Return the encoding that the bytes of a file most probably have; it may be another one all the same."""
    sample = content[:_SAMPLE]
    if content.startswith(_UTF_16) or sample.count(0) > len(sample) // 4:
        return FileEncoding.UTF_16
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _windows(content)
    return FileEncoding.UTF_8


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
        return encoding.value
    sample = content[:_SAMPLE]
    return "utf-16-be" if sample[::2].count(0) > sample[1::2].count(0) else "utf-16-le"


def _windows(content: bytes) -> FileEncoding:
    """Return which of the two the letters speak for; Windows-1250 when they say nothing."""
    try:
        text = content.decode("windows-1250")
    except UnicodeDecodeError:
        return FileEncoding.WINDOWS_1252
    speaking = "\n".join(line for line in text.splitlines() if not line.isascii())[:_LETTERS_SAMPLE]
    central, western = len(_CENTRAL.findall(speaking)), len(_WESTERN.findall(speaking))
    return FileEncoding.WINDOWS_1252 if western > central else FileEncoding.WINDOWS_1250
