"""Django's registration of the core app."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """What every other app stands on: texts, names, the bus, the error log."""

    name = "apps.core"
