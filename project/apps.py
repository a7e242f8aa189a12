"""The Django application of this package."""

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class ProjectConfig(AppConfig):
    """Registers the checks of the settings, and the grants after migrations."""

    name = "project"

    def ready(self) -> None:
        """Register the checks for `manage.py check`, and the grants after migrations."""
        from project.database.roles import after_migrations  # noqa: PLC0415 - needs the settings
        from project.launcher import checks  # noqa: F401, PLC0415 - importing registers them

        # Django sends `post_migrate` once for each application with models, after all migrations. One of them is
        # enough.
        post_migrate.connect(after_migrations, sender=apps.get_app_config("core"))
