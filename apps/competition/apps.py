"""Django's registration of the competition app."""

from django.apps import AppConfig


class CompetitionConfig(AppConfig):
    """Stages, sessions, participants, appearances and programs."""

    name = "apps.competition"

    def ready(self) -> None:
        """Register the columns that refer to an account, and what can be found."""
        from apps.accounts.data_rights import leave_to_database, no_rows, register  # noqa: PLC0415 - needs models
        from apps.competition.searchable import searchables_register  # noqa: PLC0415 - as above

        searchables_register()
        # who published it; the rows stay without the administrator's name
        register("stage_advancements.by_id", "prize_lists.by_id", export=no_rows, on_deletion=leave_to_database)
