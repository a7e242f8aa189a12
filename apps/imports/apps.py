"""Django's registration of the imports app."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Imports of programs as pasted text, and of participants and the jury's marks as files."""

    name = "apps.imports"
