"""The app of imports."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Programs as pasted text, participants as files."""

    name = "apps.imports"
    default_auto_field = "django.db.models.BigAutoField"
