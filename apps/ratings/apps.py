"""Django's registration of the ratings app."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Ratings of pieces and performances, and recommendations."""

    name = "apps.ratings"

    def ready(self) -> None:
        """Register personal rows, dependents of appearances and pieces, and what a registration may bring along."""
        from apps.accounts.data_rights import no_rows, register  # noqa: PLC0415 - models are known only now
        from apps.accounts.registration import stored_with  # noqa: PLC0415 - as above
        from apps.ratings.dependents import dependents_register  # noqa: PLC0415
        from apps.ratings.selectors.counts import account_ratings_export  # noqa: PLC0415
        from apps.ratings.services.announcement import account_ratings_announce  # noqa: PLC0415 - as above
        from apps.ratings.services.removal import account_decisions_forget, account_ratings_delete  # noqa: PLC0415
        from apps.ratings.services.taking_over import signed_out_marks_store  # noqa: PLC0415 - as above

        tables = (
            *("piece_ratings", "performance_ratings", "rating_submissions", "advance_recommendations"),
            *("rating_drafts", "covering_choices", "uncovered_stages"),
        )
        columns = (f"{table}.user_id" for table in tables)
        register(
            *columns,
            export=account_ratings_export,
            on_deletion=account_ratings_delete,
            on_closing=account_ratings_announce,
        )
        decided = ("rating_decisions", "decided_ratings")  # minutes old at most
        register(*(f"{table}.user_id" for table in decided), export=no_rows, on_deletion=account_decisions_forget)
        stored_with("marks", signed_out_marks_store)
        dependents_register()
