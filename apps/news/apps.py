"""App configuration of the news."""

from django.apps import AppConfig


class NewsConfig(AppConfig):
    """News articles that administrators write."""

    name = "apps.news"
