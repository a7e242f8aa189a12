"""The form of one post, a new one or one that is there."""

from dataclasses import dataclass
from typing import Any

from apps.core.texts import texts
from apps.core.validators import ADDRESS_LENGTH
from apps.news.selectors import PostEdit
from apps.news.services import post_create, post_update
from components.hooks.command import Asked, use_action
from components.hooks.connection import use_token
from components.markup import Markup, VdomDict, component, html, key
from components.page import Page
from components.pages.admin.picture_field import picture_field
from components.rendering.parts import act_form, acts
from components.ui import forms
from components.ui.admin_frame import backstage, form_page
from components.ui.blocks import picture

PATH = "/admin/blog"
TITLE, EXCERPT, CONTENT, SEEN = 200, 1000, 100_000, 400  # characters


@dataclass(frozen=True, slots=True)
class ArticleForm:
    """The post that is edited, None for a new one."""

    post: PostEdit | None = None


def read_new(asked: Asked) -> dict[str, Any]:
    """What `post_create` takes."""
    return {
        "title": asked.text("title", TITLE),
        "excerpt": asked.text("excerpt", EXCERPT),
        "content": asked.text("content", CONTENT),
        "image_url": asked.text("image_url", ADDRESS_LENGTH),
        "is_published": asked.flag("is_published"),
    }


def read_edited(asked: Asked) -> dict[str, Any]:
    """What `post_update` takes."""
    return {"post_id": asked.id(), "seen": asked.text("seen", SEEN), **read_new(asked)}


@component
def post_form(page: Page) -> VdomDict:
    """The fields, and what saves them."""
    writing: ArticleForm = page.data
    t, token, language, post = texts(page.language), use_token(), page.language, writing.post
    create = use_action(post_create, read=read_new, said=t("Post created successfully"), go=PATH)
    update = use_action(post_update, read=read_edited, said=t("Post updated successfully"), go=PATH)
    own = (
        act_form("post_update", post.id, draft=f"post:{post.id}", long=token)
        if post
        else act_form("post_create", draft="post:new", long=token)
    )
    return backstage(
        page.title,
        acts({"post_create": create, "post_update": update}),
        form_page(
            own | {"noValidate": True},
            *_fields(post or PostEdit(0, "", "", "", "", is_published=False, seen=""), language),
            html.p({"class": "muted scriptless"}, t("Saving needs JavaScript.")),
            save=t("Update Post") if post else t("Create Post"),
            cancel=PATH,
            seen=post.seen if post else "",
            language=language,
        ),
        page=page,
        trail=[(PATH, t("Blog"))],
    )


def _image(address: str) -> Markup:
    return picture(address, "picture pictured__image")


def _fields(post: PostEdit, language: str) -> list[Markup]:
    t = texts(language)
    anew = t("A post that is saved as published is dated with that moment.")
    return [
        forms.field(t("Title"), "title", value=post.title, required=True, maxLength=TITLE, autoComplete="off"),
        forms.area(
            t("Excerpt"),
            "excerpt",
            value=post.excerpt,
            hint=t("What lists show of it."),
            required=True,
            maxLength=EXCERPT,
            rows=3,
        ),
        forms.area(
            t("Content"),
            "content",
            value=post.content,
            hint=t("Each line is a paragraph."),
            required=True,
            maxLength=CONTENT,
            rows=14,
            **{"class": "prose-field"},
        ),
        key("image", picture_field(t("Image URL (optional)"), "image_url", post.image_url, _image, language)),
        forms.check(t("Publish immediately"), "is_published", hint=anew, defaultChecked=post.is_published),
    ]
