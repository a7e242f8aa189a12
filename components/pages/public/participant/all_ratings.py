"""All that the audience gave a participant; one's own ratings can be deleted, by administrators anybody's."""

from apps.core.texts import texts
from components.hooks.connection import use_viewer
from components.markup import VdomDict, component, html, web_module
from components.pages.public.participant.rating import use_rating_deletion
from components.rendering.parts import Ref, shown

OWN = web_module("modules/own.js", "Own")


@component
def all_ratings(ratings: Ref, language: str) -> VdomDict:
    """The ratings with what this viewer may do about them."""
    t, viewer = texts(language), use_viewer()
    own = OWN({"author": viewer.id, "all": viewer.is_admin}) if viewer.is_signed_in else None
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("All Ratings"))),
        html.div(
            {"class": "body"},
            use_rating_deletion(language) if viewer.is_signed_in else None,
            own,
            html.p({"class": "small", "data-answer": "", "role": "status"}),
            shown(ratings),
        ),
    )
