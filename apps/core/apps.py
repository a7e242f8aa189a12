"""App configuration of the core."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CoreConfig(AppConfig):
    """The core, which every other app uses."""

    name = "apps.core"

    def ready(self) -> None:
        """Import every app's module `commands`, which registers its commands."""
        autodiscover_modules("commands")
