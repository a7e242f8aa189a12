"""The form of a new or existing post."""

from dataclasses import dataclass

from apps.core.texts import texts
from apps.news.limits import EXCERPT_LENGTH, TITLE_LENGTH
from apps.news.selectors import PostEdit
from components.hooks.connection import use_token
from components.markup import Markup, VdomDict, component, key
from components.page import Page
from components.pages.admin.news.content_field import Blocks, content_field
from components.pages.admin.picture_field import picture_field
from components.ui.blocks import picture
from components.ui.controls import forms
from components.ui.controls.commands import command_form
from components.ui.frames.admin_frame import backstage, form_page

PATH = "/admin/blog"


@dataclass(frozen=True, slots=True)
class ArticleForm:
    """The post that is edited, None for a new one; `blocks` are those of its text."""

    post: PostEdit | None = None
    blocks: Blocks = ()


@component
def post_form(page: Page) -> VdomDict:
    """The fields and the buttons."""
    writing: ArticleForm = page.data
    t, token, language, post = texts(page.language), use_token(), page.language, writing.post
    own = (
        command_form("post_update", post.id, draft=f"post:{post.id}", long=token)
        if post
        else command_form("post_create", draft="post:new", long=token)
    )
    return backstage(
        page.title,
        form_page(
            own,
            *_fields(post or PostEdit(0, "", "", "", "", is_published=False, version=""), writing.blocks, language),
            save=t("Update Post") if post else t("Create Post"),
            cancel=PATH,
            version=post.version if post else "",
            language=language,
        ),
        page=page,
        trail=[(PATH, t("Blog"))],
    )


def _image(address: str) -> Markup:
    return picture(address, "picture pictured__image")


def _fields(post: PostEdit, blocks: Blocks, language: str) -> list[Markup]:
    t = texts(language)
    anew = t("A post that is saved as published is dated with that moment.")
    return [
        forms.field(t("Title"), "title", value=post.title, required=True, maxLength=TITLE_LENGTH, autoComplete="off"),
        forms.area(
            t("Excerpt"),
            "excerpt",
            value=post.excerpt,
            hint=t("What lists show of it."),
            required=True,
            maxLength=EXCERPT_LENGTH,
            rows=3,
        ),
        key("content", content_field(post.content, blocks, language)),
        key("image", picture_field(t("Image URL (optional)"), "image_url", post.image_url, _image, language)),
        forms.check(t("Publish immediately"), "is_published", hint=anew, defaultChecked=post.is_published),
    ]
