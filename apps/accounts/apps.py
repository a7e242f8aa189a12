"""Django's registration of the accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People with an account and what they may do."""

    name = "apps.accounts"
