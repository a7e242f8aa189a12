"""Django's registration of the live app."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """What the audience says and shows during a session: comments and reactions."""

    name = "apps.live"
