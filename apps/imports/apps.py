"""The app of imports."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Programs as pasted text, participants as files."""

    name = "apps.imports"

    def ready(self) -> None:
        """Say what becomes of an administrator's pasted program: it goes with the account."""
        from apps.accounts.data_rights.registry import leave_to_database, register  # noqa: PLC0415 - models exist only now
        from apps.imports.selectors import program_texts_own  # noqa: PLC0415

        register(
            "program_texts.user_id",
            export=lambda user_id: program_texts_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
