"""The wiring as a Django application: it brings the checks of the settings, and the grants after migrations."""

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class ProjectConfig(AppConfig):
    """Registers what must hold before the site may serve."""

    name = "project"

    def ready(self) -> None:
        """Make the checks known to `manage.py check`, and grant when migrations have ended."""
        from project.database.roles import after_migrations  # noqa: PLC0415 - it needs the settings
        from project.launcher import checks  # noqa: F401, PLC0415 - importing registers them

        # Django signals once for each application with models, when all migrations have ended: one of them is enough.
        post_migrate.connect(after_migrations, sender=apps.get_app_config("core"))
