"""Django's registration of the ranking app."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    """The audience ranking of a stage."""

    name = "apps.ranking"
