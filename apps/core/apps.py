"""Django's registration of the core app."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CoreConfig(AppConfig):
    """What every other app uses: texts, names, the bus, the error log."""

    name = "apps.core"

    def ready(self) -> None:
        """Import every app's module `commands`, which registers its commands."""
        autodiscover_modules("commands")
