"""Django's registration of the ranking app."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    """Audience ranking, a stage."""

    name = "apps.ranking"

    def ready(self) -> None:
        """Register what becomes of an account's rows, and what another program changes in the ranking."""
        from apps.accounts.data_rights import leave_to_database, no_rows, register  # noqa: PLC0415 - models are known only now
        from apps.competition.dependents import program_effects_register  # noqa: PLC0415 - as above
        from apps.ranking.selectors import program_effects, releases_own  # noqa: PLC0415 - as above

        register(
            "ranking_releases.user_id",
            export=lambda user_id: releases_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
        # the entry stays, without the name of who made it
        register("ranking_releases.released_by_id", export=no_rows, on_deletion=leave_to_database)
        program_effects_register(program_effects)
