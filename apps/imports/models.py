"""Tables of uploaded participant files, the rows they created, and pasted programs."""

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now

from apps.competition.limits import FULL_NAME_LENGTH, NAME_LENGTH
from apps.core.database.fields import at_most, is_not_blank
from apps.core.limits import ADDRESS_LENGTH
from apps.imports.enums import (
    GOOD,
    CreationKind,
    Delimiter,
    FileEncoding,
    FileKind,
    ImportState,
    RowProblem,
    RowStatus,
    TableKind,
)
from apps.imports.limits import (
    BATCH_LENGTH,
    FILE_BYTES,
    FILE_NAME_LENGTH,
    FILE_ROWS,
    JURY_LENGTH,
    PROGRAM_LENGTH,
    SHEET_LENGTH,
)

DETAIL_LENGTH = 250  # a column and a piece


class ParticipantImport(models.Model):
    """An uploaded participant file: its bytes, how they are read, the row counts, and the totals of saving it.

    Rows that are decided after a save can be saved later. A saved import outlives its content and rows, so that it can
    be undone.
    """

    # null for the terminal and for a deleted account
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    file_name = models.CharField(max_length=FILE_NAME_LENGTH)
    content = models.BinaryField(max_length=FILE_BYTES)
    size = models.PositiveIntegerField()  # bytes
    encoding = models.CharField(max_length=12, choices=FileEncoding)
    encoding_found = models.CharField(max_length=12, choices=FileEncoding)
    is_encoding_sure = models.BooleanField(db_default=True)  # true for Unicode, and for a guess once it is confirmed
    kind = models.CharField(max_length=4, choices=FileKind, default=FileKind.TEXT, db_default=FileKind.TEXT)
    delimiter = models.CharField(max_length=9, choices=Delimiter, default=Delimiter.BAR, db_default=Delimiter.BAR)
    delimiter_found = models.CharField(max_length=9, choices=Delimiter, default=Delimiter.BAR, db_default=Delimiter.BAR)
    is_people_only = models.BooleanField(default=False, db_default=False)  # read without its columns of pieces
    sheet = models.CharField(max_length=SHEET_LENGTH, blank=True, default="", db_default="")  # of a workbook
    sheets = models.PositiveIntegerField(default=0, db_default=0)  # number of sheets of a workbook
    other_sheets = models.JSONField(default=list, db_default=[])  # names of the first SHEETS_NAMED that are not read
    hidden_rows = models.PositiveIntegerField(default=0, db_default=0)  # rows that the workbook hides
    header = models.JSONField(default=list, db_default=[])  # its columns: name, column, first cells, chosen by hand
    unused_columns = models.JSONField(default=list, db_default=[])  # names in the header that no column has
    refusal = models.JSONField(null=True)  # of a refused file: `message`, `params`, `lacks_pieces`
    categories = models.JSONField(default=dict)  # categories of missing pieces, by name
    state = models.CharField(max_length=7, choices=ImportState, default=ImportState.PREVIEW)
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)
    saved_at = models.DateTimeField(null=True)
    new_rows = models.PositiveIntegerField(default=0)
    existing_rows = models.PositiveIntegerField(default=0)
    undecided_rows = models.PositiveIntegerField(default=0)
    bad_rows = models.PositiveIntegerField(default=0)
    short_rows = models.PositiveIntegerField(default=0)
    saved_rows = models.PositiveIntegerField(default=0, db_default=0)  # of the new and existing rows
    saved_hidden_rows = models.PositiveIntegerField(default=0, db_default=0)  # of the saved rows
    new_participants = models.PositiveIntegerField(default=0)
    existing_participants = models.PositiveIntegerField(default=0)
    filled_participants = models.PositiveIntegerField(default=0, db_default=0)  # existing ones with new facts
    changes = models.PositiveIntegerField(default=0, db_default=0)  # facts that the rows change where they are ticked
    changes_taken = models.PositiveIntegerField(default=0, db_default=0)  # those that are ticked
    new_pieces = models.PositiveIntegerField(default=0)
    existing_pieces = models.PositiveIntegerField(default=0)
    pianos = models.PositiveIntegerField(default=0, db_default=0)  # performances that it gave one

    class Meta:
        db_table = "participant_imports"
        indexes = (
            models.Index(
                fields=["-saved_at", "-id"], name="participant_import_saved", condition=Q(saved_at__isnull=False)
            ),
            models.Index(
                fields=["user", "-id"], name="participant_import_preview", condition=Q(state=ImportState.PREVIEW)
            ),
            models.Index(
                fields=["user", "-id"], name="participant_import_refused", condition=Q(state=ImportState.REFUSED)
            ),
        )
        constraints = (
            models.CheckConstraint(condition=Q(size__lte=FILE_BYTES), name="participant_import_size"),
            models.CheckConstraint(
                condition=Q(encoding__in=FileEncoding.values, encoding_found__in=FileEncoding.values),
                name="participant_import_encoding_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=FileKind.values)
                & Q(delimiter__in=Delimiter.values, delimiter_found__in=Delimiter.values),
                name="participant_import_reading_known",
            ),
            models.CheckConstraint(
                condition=Q(state=ImportState.REFUSED, refusal__isnull=False)
                | (~Q(state=ImportState.REFUSED) & Q(refusal__isnull=True)),
                name="participant_import_refused_why",
            ),
            models.CheckConstraint(
                condition=Q(state__in=(ImportState.PREVIEW, ImportState.REFUSED), saved_at__isnull=True)
                | Q(state__in=(ImportState.SAVED, ImportState.UNDONE), saved_at__isnull=False),
                name="participant_import_saved_when",
            ),
        )

    def __str__(self) -> str:
        return f"{self.file_name}, {self.state}"


# Sorts rows that cannot be saved before those that can.
LEFT_OUT_FIRST = Case(When(status__in=GOOD, then=Value(1)), default=Value(0))


class ParticipantImportRow(models.Model):
    """A row of a file: its cells, its planned effect, and its problem."""

    participant_import = models.ForeignKey(
        ParticipantImport, on_delete=models.CASCADE, db_index=False, related_name="rows"
    )
    position = models.PositiveIntegerField()  # among the rows, from one
    line = models.PositiveIntegerField()  # the row's first line in the file
    first_name = models.CharField(max_length=NAME_LENGTH, blank=True)
    last_name = models.CharField(max_length=NAME_LENGTH, blank=True)
    country = models.CharField(max_length=NAME_LENGTH, blank=True)
    pieces = models.JSONField(default=list)  # in the form of `FilePiece.as_json`
    candidates = models.JSONField(default=dict, db_default={})  # names that an uncertain piece may mean, by its name
    start_number = models.PositiveSmallIntegerField(null=True)
    birth_year = models.PositiveSmallIntegerField(null=True)
    biography = models.TextField(blank=True, default="", db_default="")
    name_local = models.CharField(max_length=FULL_NAME_LENGTH, blank=True, default="", db_default="")
    piano = models.CharField(max_length=FULL_NAME_LENGTH, blank=True, default="", db_default="")
    avatar_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")
    participant_id = models.BigIntegerField(null=True)  # who is there; no reference: competition does not depend on us
    before = models.JSONField(default=dict, db_default={})  # what the participant has, by field that the row changes
    taken = models.JSONField(default=list, db_default=[])  # fields of `before` that are not empty, and are ticked
    status = models.CharField(max_length=9, choices=RowStatus)
    is_known = models.BooleanField(default=False)  # the site or an earlier row has this participant
    problem = models.CharField(max_length=15, choices=RowProblem, blank=True)
    detail = models.CharField(max_length=DETAIL_LENGTH, blank=True)
    is_saved = models.BooleanField(default=False, db_default=False)
    is_hidden = models.BooleanField(default=False, db_default=False)  # in the workbook

    class Meta:
        db_table = "participant_import_rows"
        indexes = (models.Index(F("participant_import"), LEFT_OUT_FIRST, F("position"), name="import_rows_as_shown"),)
        constraints = (
            models.UniqueConstraint(fields=["participant_import", "position"], name="participant_import_row_once"),
            models.CheckConstraint(
                condition=Q(position__gte=1, position__lte=FILE_ROWS), name="participant_import_row_position"
            ),
            models.CheckConstraint(condition=Q(status__in=RowStatus.values), name="participant_import_row_status"),
            models.CheckConstraint(
                condition=~Q(status__in=(RowStatus.BAD, RowStatus.SHORT)) | ~Q(problem=RowProblem.NONE),
                name="participant_import_row_says_why",
            ),
        )

    def __str__(self) -> str:
        return f"{self.line}: {self.first_name} {self.last_name}"


class ImportCreation(models.Model):
    """What an import created or changed, by kind and id: the competition app does not depend on imports."""

    participant_import = models.ForeignKey(
        ParticipantImport, on_delete=models.CASCADE, db_index=False, related_name="creations"
    )
    kind = models.CharField(max_length=11, choices=CreationKind)
    created_id = models.BigIntegerField()
    version = models.CharField(max_length=400)  # the version after creation
    values = models.JSONField(default=dict, db_default={})  # of a filled participant: before and after, by field

    class Meta:
        db_table = "participant_import_creations"
        constraints = (
            models.UniqueConstraint(
                fields=["participant_import", "kind", "created_id"], name="participant_import_creation_once"
            ),
            models.CheckConstraint(condition=Q(kind__in=CreationKind.values), name="participant_import_creation_kind"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.created_id}"


class HeaderChoice(models.Model):
    """The columns that an administrator has chosen by hand for a header, kept for every file with the same one."""

    kind = models.CharField(max_length=12, choices=TableKind)
    digest = models.CharField(max_length=64)  # of the header
    columns = models.JSONField(default=dict)  # by the key of a name in the header

    class Meta:
        db_table = "import_header_choices"
        constraints = (
            models.UniqueConstraint(fields=["kind", "digest"], name="header_choice_once"),
            models.CheckConstraint(condition=Q(kind__in=TableKind.values), name="header_choice_kind"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.digest}"


class ProgramBatch(models.Model):
    """Programs of many performers as the version before stored them; `ProgramText` has all texts now.

    The table is dropped by the release after this one.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "program_batches"
        constraints = (
            is_not_blank("text", name="program_batch_written"),
            at_most("text", BATCH_LENGTH, name="program_batch_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}: {len(self.text)}"


class ProgramText(models.Model):
    """The programs that an administrator has pasted last, kept until all of them are assigned."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    # the appearance that received a part; null before, and after its deletion
    assigned_to = models.ForeignKey(
        "competition.Appearance", null=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    # the appearance that was chosen when the text was read; null without one, and after its deletion
    read_for = models.ForeignKey(
        "competition.Appearance", null=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "program_texts"
        constraints = (
            is_not_blank("text", name="program_text_written"),
            at_most("text", PROGRAM_LENGTH, name="program_text_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}: {len(self.text)}"


class JuryFile(models.Model):
    """The jury's file that an administrator has sent last, as text, kept until it is saved as a draft.

    `choices` are the decisions made by hand: a participant's id or a juror's name by the mark of a line.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+")
    file_name = models.CharField(max_length=FILE_NAME_LENGTH, blank=True)
    text = models.TextField()
    workbook = models.BinaryField(max_length=FILE_BYTES, default=b"", db_default=b"")  # if it has several sheets
    sheet = models.CharField(max_length=SHEET_LENGTH, blank=True, default="", db_default="")  # that the text is of
    other_sheets = models.JSONField(default=list, db_default=[])  # names of the first SHEETS_NAMED others
    content = models.BinaryField(max_length=FILE_BYTES, default=b"", db_default=b"")  # of a text that is not Unicode
    encoding = models.CharField(max_length=12, choices=FileEncoding, blank=True, default="", db_default="")  # as above
    encoding_found = models.CharField(max_length=12, choices=FileEncoding, blank=True, default="", db_default="")
    is_encoding_sure = models.BooleanField(default=True, db_default=True)  # a guess is confirmed before a save
    is_decimal_comma = models.BooleanField(default=False, db_default=False)  # commas are read as decimal points
    choices = models.JSONField(default=dict)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "jury_files"
        constraints = (
            models.CheckConstraint(condition=~Q(text=""), name="jury_file_written"),
            at_most("text", JURY_LENGTH, name="jury_file_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}: {self.file_name}"
