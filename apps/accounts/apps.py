"""App configuration of the accounts."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """User accounts and their permissions."""

    name = "apps.accounts"

    def ready(self) -> None:
        """Register the receivers that write the security log."""
        from apps.accounts.sign_in import log  # noqa: F401, PLC0415 - models are importable only after setup
