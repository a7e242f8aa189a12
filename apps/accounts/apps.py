"""App configuration of the accounts."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """User accounts and their permissions."""

    name = "apps.accounts"

    def ready(self) -> None:
        """Register the tables with personal rows, and the receivers that write the security log."""
        from apps.accounts.data_rights import own_tables_register  # noqa: PLC0415
        from apps.accounts.sign_in import log  # noqa: F401, PLC0415 - models are importable only after setup

        own_tables_register()
