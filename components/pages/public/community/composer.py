"""The form of a new post, for members; others are asked to sign in."""

from apps.accounts.actors import Viewer
from apps.community.limits import POST_LENGTH
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules.names import initials
from apps.core.texts import texts
from components.markup import VdomDict, html
from components.ui.blocks import link
from components.ui.controls.commands import command_form
from components.ui.controls.forms import characters_left, field
from components.ui.people import disc


def composer(viewer: Viewer, picture_url: str, language: str) -> VdomDict:
    """Return the form beside this picture of one's own, or the way to sign in."""
    t = texts(language)
    if not viewer.is_signed_in:
        return html.p({"class": "lead"}, link("/login?next=%2Fcommunity", t("Sign in to post, react and comment")))
    text = {
        "id": "post",
        "name": "content",
        "rows": 3,
        "maxLength": POST_LENGTH,
        "required": True,
        "placeholder": t("What stayed with you?"),
    }
    picture = field(
        t("Image URL"), "image_url", type="url", inputMode="url", placeholder="https://", maxLength=ADDRESS_LENGTH
    )
    return html.form(
        command_form("post_add", draft="post") | {"class": "composer-box", "data-needs": "content", "noValidate": True},
        disc(viewer.username, initials(viewer.username), picture_url),
        html.div(
            {"class": "field"},
            html.label({"class": "visually-hidden", "htmlFor": "post"}, t("Your post")),
            html.textarea(text),
            characters_left(t),
        ),
        html.div(
            {"class": "composer-box__row"},
            html.details(
                {"class": "composer-box__picture"},
                html.summary({"class": "link"}, t("Add an image")),
                picture,
            ),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Post")),
        ),
        html.p({"class": "small composer-box__answer", "data-answer": "", "data-vanish": "3000", "role": "status"}),
    )
