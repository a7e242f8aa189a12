"""App configuration of the live app."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """Comments and live reactions."""

    name = "apps.live"
