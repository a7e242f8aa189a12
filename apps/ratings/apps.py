"""Django's registration of the ratings app."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Ratings of pieces and performances, and recommendations."""

    name = "apps.ratings"

    def ready(self) -> None:
        """Register personal rows, dependents of appearances and pieces, and what a registration may bring along."""
        from apps.accounts.data_rights import Kept, leave_to_database, no_rows, register  # noqa: PLC0415 - needs models
        from apps.accounts.registration import stored_with  # noqa: PLC0415 - as above
        from apps.ratings.dependents import dependents_register  # noqa: PLC0415 - needs models
        from apps.ratings.selectors.counts import account_ratings_export, origins_own  # noqa: PLC0415 - needs models
        from apps.ratings.services.announcement import account_ratings_announce  # noqa: PLC0415 - as above
        from apps.ratings.services.removal import account_decisions_forget, account_ratings_delete  # noqa: PLC0415 - needs models
        from apps.ratings.services.taking_over import signed_out_marks_store  # noqa: PLC0415 - as above

        tables = (
            *("piece_ratings", "performance_ratings", "rating_submissions", "advance_recommendations"),
            *("rating_drafts", "covering_choices", "uncovered_stages", "deciding_choices"),
        )
        columns = (f"{table}.user_id" for table in tables)
        register(
            *columns,
            export=account_ratings_export,
            on_deletion=account_ratings_delete,
            on_closing=account_ratings_announce,
        )
        register(
            "rating_origins.user_id",
            export=lambda user_id: origins_own(user_id=user_id),
            on_deletion=leave_to_database,  # the rows go with the ratings
            kept=Kept(
                "For each of your ratings a digest of the network block from which you sent it: the first three "
                "numbers of an IPv4 address, or the first 48 bits of an IPv6 address, mixed with a secret key of the "
                "stage. Your address is not stored, and nothing of it when you rate from the venue.",
                "To notice accounts from one place that mark alike and far from the rest of the audience. A network "
                "block alone never lowers the weight of a mark.",
                "Until you delete the rating or the account, or the stage's ranking is closed: then the key is "
                "destroyed and all digests of the stage with it. Backups hold both for 35 days, as everything else.",
                "Only you, in the file with all that is stored about you. While the key exists, whoever runs the site "
                "could find the block of a digest.",
                {"rating_origins": "id user_id session_participant_id stage_id digest", "stage_keys": "stage_id key"},
            ),
        )
        decided = ("rating_decisions", "decided_ratings")  # minutes old at most
        register(*(f"{table}.user_id" for table in decided), export=no_rows, on_deletion=account_decisions_forget)
        stored_with("marks", signed_out_marks_store)
        dependents_register()
