"""Django's registration of the search."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SearchConfig(AppConfig):
    """The search of the site."""

    name = "apps.search"

    def ready(self) -> None:
        """Write entries after events, and fill the table once a migration has created it."""
        from apps.core.events import events_subscribe  # noqa: PLC0415 - models are importable only after setup
        from apps.search.services import event_write  # noqa: PLC0415 - as above

        events_subscribe(event_write)
        post_migrate.connect(_after_migrations, sender=self)


def _after_migrations(plan: list[Any] | None = None, **_: Any) -> None:
    """Fill the table after a migration of this app; all other tables are complete by then."""
    from apps.search.services import entries_rebuild  # noqa: PLC0415 - as above

    if any(migration.app_label == "search" and not is_backwards for migration, is_backwards in plan or ()):
        entries_rebuild()
