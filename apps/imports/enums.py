"""Fixed sets of words of imports."""

from enum import StrEnum

from django.db.models import TextChoices


class LineStatus(StrEnum):
    """What a line of a pasted program became."""

    MATCHED = "matched"
    EXPANDED = "expanded"  # into several pieces
    AMBIGUOUS = "ambiguous"  # fits several
    CONTRADICTORY = "contradictory"  # its key does not fit opus and number
    UNKNOWN = "unknown"
    NOISE = "noise"  # a heading, a bare time


class ProgramStep(StrEnum):
    """What a button of the program form does with the text."""

    READ = "read"
    ASSIGN = "assign"


class FileEncoding(TextChoices):
    """How the text of a file may be stored."""

    UTF_8 = "utf-8", "UTF-8"
    UTF_16 = "utf-16", "UTF-16"
    WINDOWS_1250 = "windows-1250", "Windows-1250 (Central European)"
    WINDOWS_1252 = "windows-1252", "Windows-1252 (Western)"
    ISO_8859_2 = "iso-8859-2", "ISO-8859-2 (Central European)"
    MAC_ROMAN = "macintosh", "MacRoman (Western)"
    WINDOWS_1251 = "windows-1251", "Windows-1251 (Cyrillic)"
    KOI8_R = "koi8-r", "KOI8-R (Russian)"
    WINDOWS_1253 = "windows-1253", "Windows-1253 (Greek)"
    WINDOWS_1254 = "windows-1254", "Windows-1254 (Turkish)"
    WINDOWS_1255 = "windows-1255", "Windows-1255 (Hebrew)"
    WINDOWS_1256 = "windows-1256", "Windows-1256 (Arabic)"
    WINDOWS_1257 = "windows-1257", "Windows-1257 (Baltic)"
    WINDOWS_1258 = "windows-1258", "Windows-1258 (Vietnamese)"
    GB18030 = "gb18030", "GB18030 (Chinese)"
    BIG5 = "big5", "Big5 (Chinese)"
    EUC_KR = "euc-kr", "EUC-KR (Korean)"
    SHIFT_JIS = "shift_jis", "Shift_JIS (Japanese)"
    EUC_JP = "euc-jp", "EUC-JP (Japanese)"


class RowStatus(TextChoices):
    """What a row of a participant file will do."""

    NEW = "new", "New"
    EXISTING = "existing", "Existing, kept as it is"
    UNDECIDED = "undecided", "To decide"  # a piece of it needs a category
    BAD = "bad", "Bad"
    SHORT = "short", "Skipped"


GOOD = (RowStatus.NEW, RowStatus.EXISTING)  # what can be saved


class RowProblem(TextChoices):
    """Why a row is left out, or what is special about it."""

    NONE = "", ""
    PIECE = "piece", "Invalid piece format"
    PIECE_KEY = "piece_key", "Invalid piece format: it does not fit opus and number"
    PIECE_SEVERAL = "piece_several", "Invalid piece format: several pieces fit"
    NAME_MISSING = "name_missing", "First name, last name and country are required."
    NAME_LONG = "name_long", "A name or country is too long."
    NAME_UNREADABLE = "name_unreadable", "This name has no letters."
    COLUMNS = "columns", "Fewer columns than the header"
    REPEATED = "repeated", "The same as an earlier line"
    PERHAPS = "perhaps", "Perhaps the same person"  # a name equal but for accents, hyphens and the like
    SAME = "same", "The same person"  # as was decided
    ANOTHER = "another", "Another person"  # as was decided


PIECE_PROBLEMS = (RowProblem.PIECE, RowProblem.PIECE_KEY, RowProblem.PIECE_SEVERAL)  # of a piece, not of its row


class ImportState(TextChoices):
    """How far the import of a participant file is."""

    PREVIEW = "preview", "Preview"
    SAVED = "saved", "Saved"
    UNDONE = "undone", "Taken back"


class CreationKind(TextChoices):
    """What an import made."""

    PARTICIPANT = "participant", "Participant"
    PIECE = "piece", "Piece"
