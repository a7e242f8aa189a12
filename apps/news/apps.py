"""Django's registration of the news app."""

from django.apps import AppConfig


class NewsConfig(AppConfig):
    """Articles that administrators write."""

    name = "apps.news"
