"""Django's registration of the competition app."""

from django.apps import AppConfig


class CompetitionConfig(AppConfig):
    """Stages, sessions, participants, appearances and programs."""

    name = "apps.competition"
