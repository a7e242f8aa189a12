"""Django's registration of the community app."""

from django.apps import AppConfig


class CommunityConfig(AppConfig):
    """Posts of the audience with comments and reactions, and reports about any text."""

    name = "apps.community"
