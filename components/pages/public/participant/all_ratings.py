"""All approved ratings of a participant; authors and administrators can delete them."""

from apps.core.texts import texts
from components.markup import VdomDict, html
from components.rendering.parts import Ref, shared_part


def all_ratings(ratings: Ref, language: str) -> VdomDict:
    """Return the section around the shared part; its slots show this viewer's delete buttons."""
    t = texts(language)
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("All Ratings"))),
        html.div(
            {"class": "body"},
            html.p({"class": "small", "data-answer": "", "role": "status"}),
            shared_part(ratings),
        ),
    )
