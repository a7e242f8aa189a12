"""All that the audience gave a participant; one's own ratings can be deleted, by administrators anybody's."""

from apps.core.texts import texts
from components.markup import VdomDict, html
from components.rendering.parts import Ref, shown


def all_ratings(ratings: Ref, language: str) -> VdomDict:
    """Return the ratings, in which slots show what this viewer may delete."""
    t = texts(language)
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("All Ratings"))),
        html.div(
            {"class": "body"},
            html.p({"class": "small", "data-answer": "", "role": "status"}),
            shown(ratings),
        ),
    )
