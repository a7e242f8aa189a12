"""The script of the rating forms."""

from apps.core.texts import texts
from components.markup import VdomDict, web_module

SCORES = web_module("modules/score.js", "Scores")


def rating_script(language: str) -> VdomDict:
    """Return the module that draws the forms' keys and says when they may be submitted."""
    t = texts(language)
    return SCORES({"of": t("{n} of 25"), "none": t("no mark yet")})
