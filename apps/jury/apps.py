"""App configuration of the jury."""

from django.apps import AppConfig


class JuryConfig(AppConfig):
    """The jury's marks, the official result, and the audience beside it."""

    name = "apps.jury"

    def ready(self) -> None:
        """Register exports and deletion of an account's rows."""
        from apps.accounts.data_rights import Kept, leave_to_database, no_rows, register  # noqa: PLC0415 - needs models
        from apps.jury import events  # noqa: F401, PLC0415 - declares the topics, also where no service is imported
        from apps.jury.selectors import jury_shown_own, sheets_published_by  # noqa: PLC0415 - as above

        # the rows stay without the administrator's name
        register(
            "jury_sheets.saved_by_id",
            export=lambda user_id: sheets_published_by(user_id=user_id),
            on_deletion=leave_to_database,
            kept=Kept(
                "The jury: the names of its members, their marks of the pianists, and the result that follows; which "
                "administrator saved and published a sheet, and when.",
                "To show the official result beside the audience’s, and who published it.",
                "As long as the competition is of interest; an administrator’s name until the account is gone.",
                "Everybody, once an administrator has published a sheet; drafts, and who saved them: administrators.",
                {
                    "jurors": "id name name_folded",
                    "jury_rules": "id edition version lowest highest decimals rounding distances weights stages "
                    "is_current",
                    "jury_sheets": "id stage_id rule_id place digest file_name saved_at saved_by_id published_at "
                    "published_by_id",
                    "jury_marks": "id sheet_id juror_id participant_id score is_recused",
                    "jury_results": "id sheet_id participant_id mean score corrected cumulated rank plain_rank "
                    "official official_cumulated official_rank",
                },
            ),
        )
        register("jury_sheets.published_by_id", export=no_rows, on_deletion=leave_to_database)
        register(
            "jury_shown.user_id",
            export=lambda user_id: jury_shown_own(user_id=user_id),
            on_deletion=leave_to_database,
            kept=Kept(
                "The stages whose jury marks you have asked to see before you marked everything.",
                "So that what is shown stays shown.",
                "Until your account or the stage is gone.",
                "You.",
                {"jury_shown": "id user_id stage_id shown_at"},
            ),
        )
