"""Enumerations of imports."""

from enum import StrEnum

from django.db.models import TextChoices


class LineStatus(StrEnum):
    """The result of parsing a line of a pasted program."""

    MATCHED = "matched"
    EXPANDED = "expanded"  # to several pieces
    AMBIGUOUS = "ambiguous"  # fits several pieces
    CONTRADICTORY = "contradictory"  # its key does not fit opus and number
    UNKNOWN = "unknown"
    NOISE = "noise"  # a heading, a bare time


class ProgramStep(StrEnum):
    """The action of a button in the program form."""

    READ = "read"
    ASSIGN = "assign"


class OfferSource(StrEnum):
    """What an offered program is taken from."""

    IMPORTED = "imported"  # the pieces of a participant import
    EARLIER = "earlier"  # the program of an earlier stage


class BlockDoubt(StrEnum):
    """Why the performer of a block of a text is not certain."""

    NONE = ""
    NO_HEADING = "heading"  # the block stands before the first heading
    NOT_FOUND = "unknown"
    SEVERAL = "several"
    OTHER_NUMBER = "number"  # the name and the start number are two performers', or the name has another number
    TWICE = "twice"  # another block has the same performer


class FileEncoding(TextChoices):
    """The encodings of imported files. Only OFFERED_ENCODINGS can be chosen; earlier imports have the others too."""

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


OFFERED_ENCODINGS = (
    *(FileEncoding.UTF_8, FileEncoding.UTF_16, FileEncoding.WINDOWS_1250, FileEncoding.WINDOWS_1252),
    *(FileEncoding.ISO_8859_2, FileEncoding.WINDOWS_1251, FileEncoding.GB18030, FileEncoding.EUC_KR),
    FileEncoding.SHIFT_JIS,
)


class Delimiter(TextChoices):
    """The sign between two cells of a participant file; a file that fits several equally has the first of them."""

    BAR = "bar", "Bar |"
    SEMICOLON = "semicolon", "Semicolon ;"
    TAB = "tab", "Tab"
    COMMA = "comma", "Comma ,"

    @property
    def sign(self) -> str:
        """The character."""
        return {"bar": "|", "semicolon": ";", "tab": "\t", "comma": ","}[self.value]


class TableKind(TextChoices):
    """What a file with columns is a table of."""

    PARTICIPANTS = "participants", "Participants"
    JURY = "jury", "The jury’s marks"


class FileKind(TextChoices):
    """The kind of a participant file."""

    TEXT = "text", "Text"
    WORKBOOK = "xlsx", "Excel workbook"


class RowStatus(TextChoices):
    """The planned effect of a row of a participant file."""

    NEW = "new", "New"
    EXISTING = "existing", "Existing, kept as it is"
    UNDECIDED = "undecided", "To decide"  # a piece needs a category, or a similar name a decision
    BAD = "bad", "Bad"
    SHORT = "short", "Skipped"


GOOD = (RowStatus.NEW, RowStatus.EXISTING)  # rows that can be saved


class RowProblem(TextChoices):
    """Why a row is left out, or a remark about it."""

    NONE = "", ""
    PIECE = "piece", "Invalid piece format"
    PIECE_KEY = "piece_key", "Invalid piece format: it does not fit opus and number"
    PIECE_SEVERAL = "piece_several", "Invalid piece format: several pieces fit"
    NAME_MISSING = "name_missing", "First name, last name and country are required."
    NAME_LONG = "name_long", "A name or country is too long."
    NAME_UNREADABLE = "name_unreadable", "This name has no letters."
    COLUMNS = "columns", "Fewer columns than the header"
    LONGER = "longer", "More columns than the header: quote a cell that contains the dividing sign"
    NUMBER = "number", "A start number is a whole number from 1 to 9999"
    NUMBER_TAKEN = "number_taken", "Another participant has this start number"
    NUMBER_TWICE = "number_twice", "An earlier line has this start number"
    YEAR = "year", "A birth year is a year from 1900 to this one, not a date"
    BIOGRAPHY = "biography", "The biography is too long"
    PROGRAM = "program", "The program is too long"
    PIECE_TWICE = "piece_twice", "Two cells name one piece: it is saved once"
    ERROR_CELL = "error_cell", "A cell is an error of the spreadsheet"
    PIANO_LONG = "piano_long", "The piano is too long"
    PICTURE = "picture", "This is no address of a picture"
    NO_PERSON = "no_person", "No participant has this name"
    SEVERAL_PEOPLE = "several_people", "Several participants have this name"
    SPELLED = "spelled", "Spelled in another way in the file"  # a remark; the row can be saved
    NO_SESSION = "no_session", "In no session yet: the piano is left out"  # a remark; the row can be saved
    REPEATED = "repeated", "The same as an earlier line"
    PERHAPS = "perhaps", "Perhaps the same person"  # equal except for accents, hyphens and the like
    SAME = "same", "The same person"  # by an administrator's decision
    ANOTHER = "another", "Another person"  # by an administrator's decision


PIECE_PROBLEMS = (RowProblem.PIECE, RowProblem.PIECE_KEY, RowProblem.PIECE_SEVERAL)  # of a piece, not of its row


class ImportState(TextChoices):
    """The state of a participant file's import."""

    PREVIEW = "preview", "Preview"
    SAVED = "saved", "Saved"
    UNDONE = "undone", "Taken back"
    REFUSED = "refused", "Refused"  # it could not be read; it can be read in another way


class CreationKind(TextChoices):
    """The kind of a row that an import created."""

    PARTICIPANT = "participant", "Participant"
    PIECE = "piece", "Piece"
    PIANO = "piano", "Piano"  # of the list
    FILLED = "filled", "Participant who was there"  # `values` are what the import changed, before and after
    PLAYED = "played", "Piano of a performance"  # by the appearance's id; the version is the piano before and after


class JuryFileKind(StrEnum):
    """What a file of the jury holds, by its header."""

    MARKS = "marks"
    OFFICIALS = "officials"  # the official figures of each performer


class JuryFault(TextChoices):
    """Why a line of a jury's file cannot be stored; the labels are sentences with parameters."""

    NO_PERSON = "no_person", "Neither a start number nor a name."
    NUMBER = "number", "“%(text)s” is not a start number."
    DISAGREE = "disagree", "Start number %(number)s and the name %(name)s are not the same participant’s."
    CHOSEN = "chosen", "%(name)s has start number %(own)s, not %(number)s."
    ERROR_CELL = "error_cell", "“%(text)s” is an error of the spreadsheet."
    NO_JUROR = "no_juror", "No juror."
    JUROR_LONG = "juror_long", "This juror’s name is too long or has no letters."
    COMMA = "comma", "“%(text)s” has a comma: write a point as the decimal sign."
    SCALE = "scale", "“%(text)s” is not a mark from %(lowest)s to %(highest)s with at most two decimals."
    BOTH = "both", "A mark (%(text)s), and recused as well."
    RECUSED = "recused", "“%(text)s” is neither S nor empty."
    TWICE = "twice", "%(name)s has a mark of %(juror)s already, in line %(first)s."
    TWICE_OFFICIAL = "twice_official", "%(name)s stands already in line %(first)s."
    MISSING = "missing", "No mark of %(juror)s for %(name)s."
    NO_MARKS = "no_marks", "%(juror)s has no mark at all."
    STAGE_UNKNOWN = "stage_unknown", "“%(text)s” is not a stage’s number from 1 to %(most)s."
    STAGES = "stages", "Stage %(number)s: the file began with stage %(first)s. A file has one stage."
    STAGE_NONE = (
        "stage_none",
        "The file has no column “stage”, and the name of %(stage)s ends in no number: add the column.",
    )
    STAGE_OTHER = "stage_other", "The file is of stage %(number)s, and %(stage)s was chosen."
    STAGE_TAKEN = (
        "stage_taken",
        "Stage %(number)s of these performers is published for %(stage)s: choose that stage, or take its sheet back.",
    )
    STAGE_STORED = "stage_stored", "The file is of stage %(number)s; the stored marks are those of stage %(stored)s."
    RANK = "rank", "“%(text)s” is not a rank."
    NO_FIGURE = "no_figure", "No official score."
    NOT_STORED = "not_stored", "No marks of %(name)s are stored."
    NONE_STORED = "none_stored", "There are no marks of this stage yet. Please import them first."
