"""The table of addresses that are not pages; `components/routes.py` is the table of pages.

An app adds its own in its module `addresses`, whose `ADDRESSES` follow the rows of this table.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from apps.core.addresses import Address
from project.http import (
    calendars,
    endpoints,
    errors,
    files,
    pictures,
    posted_commands,
    push,
    ratings_file,
    suggestions,
    web_app,
)

MODULE, ROWS = "addresses", "ADDRESSES"  # of an app: its module, and the rows in it


@cache
def table() -> tuple[Address, ...]:
    """Return every address that is no page, without those of accounts (`apps/accounts/urls.py`).

    Raises ValueError for an address that is declared twice.
    """
    rows = (
        Address("/robots.txt", endpoints.robots),
        Address("/sitemap.xml", endpoints.sitemap),
        Address("/favicon.ico", endpoints.favicon),
        Address("/icon.png", web_app.icon),
        Address("/.well-known/change-password", endpoints.change_password),
        Address("/.well-known/<rest:rest>", endpoints.no_well_known),
        Address("/manifest.webmanifest", web_app.manifest),
        Address("/service-worker.js", web_app.service_worker),
        Address("/push-subscription", push.renew, is_posted=True),
        Address("/sign-out", endpoints.sign_out, is_posted=True),
        Address("/error-log", errors.report, is_posted=True),
        Address("/long-text", posted_commands.long_text_store, is_posted=True),
        Address("/participant-file", files.participant_file),
        Address("/search/suggestions", suggestions.suggestions),
        Address("/ratings-file", ratings_file.ratings_file),
        Address("/stages/<id:stage_id>/<stage_file:name>", files.ranking_file),
        Address("/sessions/<id:session_id>/summary.png", pictures.summary_picture),
        Address("/stages/<id:stage_id>/nearest.png", pictures.nearest_picture),
        Address("/calendar.ics", calendars.sessions_calendar),
        Address("/participants/<id:participant_id>.ics", calendars.participant_calendar),
        Address("/calendars/<secret:secret>.ics", calendars.private_calendar),
        Address("/calendars/<rest:rest>", calendars.no_calendar),
        Address("/do/<command:name>", posted_commands.do, is_posted=True),
        *_of_apps(),
    )
    patterns = [row.pattern for row in rows]
    if twice := {pattern for pattern in patterns if patterns.count(pattern) > 1}:
        raise ValueError(f"Addresses are declared twice: {', '.join(sorted(twice))}.")
    return rows


def _of_apps() -> Iterator[Address]:
    """Yield the addresses that the apps declare, in the order of INSTALLED_APPS."""
    for config in apps.get_app_configs():
        if config.name.startswith("apps.") and module_has_submodule(config.module, MODULE):
            yield from getattr(import_module(f"{config.name}.{MODULE}"), ROWS, ())
