"""Django's registration of the live app."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """Comments and live reactions."""

    name = "apps.live"

    def ready(self) -> None:
        """Register export and deletion of personal rows, and dependents of sessions."""
        from apps.accounts.data_rights import registry  # noqa: PLC0415 - models exist only now
        from apps.live.dependents import dependents_register  # noqa: PLC0415
        from apps.live.services.data_rights import live_forget  # noqa: PLC0415

        from .selectors import live_own  # noqa: PLC0415

        registry.register(
            *("session_comments.user_id", "session_reactions.user_id"),
            export=lambda user_id: live_own(user_id=user_id),
            on_deletion=lambda user_id: live_forget(user_id=user_id),
        )
        # during a deploy the previous version still uses the table; the next one drops it
        registry.register(
            "session_comment_allowances.user_id", export=registry.no_rows, on_deletion=registry.leave_to_database
        )
        dependents_register()
