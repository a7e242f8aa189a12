"""The app of imports."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Programs as pasted text, participants as files."""

    name = "apps.imports"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say what becomes of an administrator's files: they stay, by nobody."""
        from apps.accounts.data_rights.registry import leave_to_database, register  # noqa: PLC0415 - models exist only now
        from apps.imports.selectors import imports_own  # noqa: PLC0415

        register(
            "participant_imports.user_id",
            export=lambda user_id: imports_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
