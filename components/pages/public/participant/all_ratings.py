"""All that the audience gave a participant; one's own ratings can be deleted, by administrators anybody's."""

from apps.core.texts import texts
from components.hooks.connection import use_viewer
from components.markup import VdomDict, component, html
from components.pages.public.participant.rating import use_rating_deletion
from components.rendering.parts import Ref, shown


@component
def all_ratings(ratings: Ref, language: str) -> VdomDict:
    """The ratings with what this viewer may do about them."""
    t = texts(language)
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("All Ratings"))),
        html.div(
            {"class": "body"},
            use_rating_deletion(language) if use_viewer().is_signed_in else None,
            html.p({"class": "small", "data-answer": "", "role": "status"}),
            shown(ratings),
        ),
    )
