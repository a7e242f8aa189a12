"""Django's registration of the accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People with an account and what they may do."""

    name = "apps.accounts"

    def ready(self) -> None:
        """Register the tables with personal rows, and the receivers that write the security log."""
        from apps.accounts.data_rights import own_tables_register  # noqa: PLC0415
        from apps.accounts.sign_in import log  # noqa: F401, PLC0415 - models exist only now

        own_tables_register()
