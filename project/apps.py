"""The wiring as a Django application: it brings the checks of the settings."""

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    """Registers what must hold before the site may serve."""

    name = "project"

    def ready(self) -> None:
        """Make the checks known to `manage.py check`."""
        from project import checks  # noqa: F401, PLC0415 - importing registers them
