"""The page Privacy."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.page import Page, Params, Query
from components.pages.public.placeholder import placeholder_page


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return what will be here."""
    t = texts(language)
    return placeholder_page(t("What this site keeps about its visitors, for how long and why will be here."))
