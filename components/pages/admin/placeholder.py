"""Administrators' pages that are not built yet."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.page import Page, Params, Query
from components.pages.public.placeholder import placeholder_page


def load_import(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the page Import."""
    t = texts(language)
    return placeholder_page(t("Reading participants and their pieces from a file will be here."))
