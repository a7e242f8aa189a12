"""App configuration of the live app."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """Comments and live reactions."""

    name = "apps.live"

    def ready(self) -> None:
        """Register the export and deletion of an account's rows, and dependents of sessions."""
        from apps.accounts import data_rights  # noqa: PLC0415 - models are importable only after setup
        from apps.live.dependents import dependents_register  # noqa: PLC0415
        from apps.live.selectors import live_own  # noqa: PLC0415
        from apps.live.services import live_forget  # noqa: PLC0415

        data_rights.register(
            *("session_comments.user_id", "session_reactions.user_id"),
            export=lambda user_id: live_own(user_id=user_id),
            on_deletion=lambda user_id: live_forget(user_id=user_id),
        )
        dependents_register()
