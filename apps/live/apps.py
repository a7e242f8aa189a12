"""Django's registration of the live app."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """What the audience says and shows during a session: comments and reactions."""

    name = "apps.live"

    def ready(self) -> None:
        """Say what becomes of rows when the account is deleted, or the session that they are about."""
        from apps.accounts.data_rights import registry  # noqa: PLC0415 - models exist only now
        from apps.live.dependents import dependents_register  # noqa: PLC0415
        from apps.live.services.data_rights import live_forget  # noqa: PLC0415

        from .selectors import live_own  # noqa: PLC0415

        registry.register(
            *("session_comments.user_id", "session_reactions.user_id"),
            export=lambda user_id: live_own(user_id=user_id),
            on_deletion=lambda user_id: live_forget(user_id=user_id),
        )
        # the version before this one counts there while a deploy lasts; the next one drops the table
        registry.register(
            "session_comment_allowances.user_id", export=registry.no_rows, on_deletion=registry.leave_to_database
        )
        dependents_register()
