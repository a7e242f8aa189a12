"""Django's registration of the ranking app."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    """The audience ranking of a stage."""

    name = "apps.ranking"

    def ready(self) -> None:
        """Register exports and deletion of an account's rows, effects of a program change, and intervals."""
        from apps.accounts.data_rights import Kept, leave_to_database, no_rows, register  # noqa: PLC0415 - needs models
        from apps.competition.dependents import program_effects_register  # noqa: PLC0415 - as above
        from apps.competition.intervals import interval_register  # noqa: PLC0415 - as above
        from apps.ranking.intervals import interval_begin, interval_undo  # noqa: PLC0415 - as above
        from apps.ranking.selectors import accounts_own, decisions_own, program_effects  # noqa: PLC0415 - as above
        from apps.ranking.services import sheets_forget  # noqa: PLC0415 - as above

        register(
            "ranking_decisions.user_id",
            export=lambda user_id: decisions_own(user_id=user_id),
            on_deletion=leave_to_database,
        )
        register(
            "ranking_accounts.user_id",
            export=lambda user_id: accounts_own(user_id=user_id),
            on_deletion=lambda user_id: sheets_forget(user_id=user_id),
            kept=Kept(
                "Which of your marks the ranking of a stage counts, how much they weigh and why, and the number of "
                "your marks in the file of a closed ranking.",
                "To tell you what counts and why other marks do not, also when the ranking is closed; and to take your "
                "marks out of that file when you leave.",
                "Until a ranking is made without your marks; a closed ranking's until the account is gone.",
                "You; administrators see which accounts weigh less, and why.",
                {"ranking_accounts": "id user_id stage_id marks is_in_burst quarters why rater"},
            ),
        )
        # the row stays without the administrator's name
        register("ranking_decisions.decided_by_id", export=no_rows, on_deletion=leave_to_database)
        program_effects_register(program_effects)
        interval_register(
            begun=lambda session_id: interval_begin(session_id=session_id),
            undone=lambda session_id: interval_undo(session_id=session_id),
        )
