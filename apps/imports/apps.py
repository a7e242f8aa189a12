"""Django's registration of the imports app."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Imports of programs as pasted text, and of participants and the jury's marks as files."""

    name = "apps.imports"

    def ready(self) -> None:
        """Register the reader of piece names, and the export and deletion of an account's rows."""
        from apps.accounts.data_rights import leave_to_database, register  # noqa: PLC0415 - needs models
        from apps.competition.piece_names import reader_register  # noqa: PLC0415 - as above
        from apps.imports.participant_files.plan import name_read  # noqa: PLC0415 - as above
        from apps.imports.selectors.jury_files import jury_files_own  # noqa: PLC0415 - as above
        from apps.imports.selectors.participant_files import imports_own  # noqa: PLC0415 - as above
        from apps.imports.selectors.programs import program_batches_own, program_texts_own  # noqa: PLC0415 - as above

        reader_register(name_read)
        register(
            "participant_imports.user_id",
            export=lambda user_id: imports_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
        register(
            "program_texts.user_id",
            export=lambda user_id: program_texts_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
        register(
            "program_batches.user_id",
            export=lambda user_id: program_batches_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
        register(
            "jury_files.user_id",
            export=lambda user_id: jury_files_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
