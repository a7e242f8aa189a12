"""The app of imports."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Programs as pasted text, participants as files."""

    name = "apps.imports"

    def ready(self) -> None:
        """Read names of pieces; say what becomes of imports: pasted programs go with the account, files stay."""
        from apps.accounts.data_rights import leave_to_database, register  # noqa: PLC0415 - models exist only now
        from apps.competition.piece_names import reader_register  # noqa: PLC0415 - as above
        from apps.imports.participant_files.plan import name_read  # noqa: PLC0415 - as above
        from apps.imports.selectors import imports_own, program_texts_own  # noqa: PLC0415

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
