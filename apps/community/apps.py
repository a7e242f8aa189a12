"""Django's registration of the community app."""

from django.apps import AppConfig


class CommunityConfig(AppConfig):
    """Posts of the audience with comments and reactions, and reports about any text."""

    name = "apps.community"

    def ready(self) -> None:
        """Register export and deletion of personal rows, posts about deleted performances, and what can be found.

        Texts of a deleted account stay, by a former member.
        """
        from apps.accounts.data_rights import leave_to_database, no_rows, register  # noqa: PLC0415 - models are loaded only now
        from apps.community.searchable import searchables_register  # noqa: PLC0415 - as above
        from apps.community.selectors.posts import community_own  # noqa: PLC0415
        from apps.community.selectors.reports import reports_own  # noqa: PLC0415
        from apps.community.services.posts import community_forget, subjects_end  # noqa: PLC0415
        from apps.competition.dependents import subjects_register  # noqa: PLC0415

        searchables_register()
        register(
            *("posts.user_id", "post_reactions.user_id", "post_comments.user_id"),
            export=lambda user_id: community_own(user_id=user_id),
            on_deletion=lambda user_id: community_forget(user_id=user_id),
        )
        register("reports.user_id", export=lambda user_id: reports_own(user_id=user_id), on_deletion=leave_to_database)
        decided = ("report_cases.decided_by_id", "report_decisions.user_id", "decided_report_cases.decided_by_id")
        subjects_register(lambda appearance_ids: subjects_end(appearance_ids=appearance_ids))
        register(*decided, export=no_rows, on_deletion=leave_to_database)  # the foreign keys become NULL
