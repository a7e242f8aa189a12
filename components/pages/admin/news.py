"""The page "Blog": all posts with drafts, and the form of a post, each at its own address."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.core.database.fields import venue_zone
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.news.article_text import Node, article_read
from apps.news.limits import POST_TEXTS, PREVIEW_LENGTH
from apps.news.selectors import PostEdit, PostRow, post_edit, posts_admin
from components.pages.admin.entity_screen import RowForm, create_at, edit_at, entity_page
from components.pages.public.article import preview_at
from components.pages.public.not_found import not_found_page
from components.parts.article_text import article_blocks
from components.parts.people import by
from components.runtime import Markup, Page, PageRequest, VdomDict, command_form, component, event, html, key, use_state
from components.ui import forms
from components.ui.blocks import badge, button_link, link, paging, picture, visually_hidden
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answered_list, backstage, delete_button, edit_link, row, rows, search, tools
from components.ui.venue_time import day, day_time

WAIT = 400  # milliseconds after the last key until the preview follows
Blocks = tuple[Node, ...]


def preview_read(content: str) -> Blocks:
    """Return the blocks of the preview of a text, cut at PREVIEW_LENGTH characters."""
    return article_read(content[:PREVIEW_LENGTH])


@component
def content_field(form: RowForm[PostEdit], stored: Blocks) -> VdomDict:
    """Render the field and a preview that follows typing; without JavaScript only the field works.

    `stored` contains the blocks of the stored text (`preview_read`).
    """
    t, (blocks, set_blocks) = form.t, use_state(stored)

    async def on_type(sent: dict[str, Any]) -> None:
        match sent:
            case {"target": {"value": str(typed)}}:
                set_blocks(await in_thread(partial(preview_read, typed)))

    hint = t("Each line is a paragraph.")
    own: dict[str, Any] = {"rows": 14, "class": "prose-field", "onInput": event(on_type, debounce=WAIT)}
    return html.div(
        {"class": "previewed"},
        form.area(t("Content"), "content", hint=hint, required=True, **own),
        _preview(blocks, t),
    )


def _preview(blocks: Blocks, t: Texts) -> VdomDict:
    """Return the preview; without text, a list of the markup that a text may contain."""
    signs = (
        *(t("## A heading"), t("*Emphasis*, **strong**, [a link](https://example.org)")),
        *(t("- A list, or 1. with numbers"), t("> A quote"), t("![A caption](https://example.org/picture.jpg)")),
    )
    empty = html.ul({"class": "preview__signs"}, *(html.li({"key": sign}, html.code(sign)) for sign in signs))
    scrolled = {"class": "preview__text", "tabIndex": 0, "role": "group", "aria-labelledby": "preview-heading"}
    return html.section(
        {"class": "preview", "aria-labelledby": "preview-heading"},
        html.h2({"id": "preview-heading"}, t("Preview")),
        html.div(scrolled, article_blocks(blocks) if blocks else empty),
    )


PATH = "/admin/blog"


def _image(address: str) -> Markup:
    return picture(address, "picture pictured__image")


def _form(post: PostEdit | None, t: Texts) -> RowForm[PostEdit]:
    create = command_form("post_create", draft="post:new")
    return RowForm(
        post,
        t,
        (PATH, t("Blog")),
        title=t("Edit Post") if post else t("New Post"),
        description=t("Writing and publishing the news."),
        command=command_form("post_update", post.id, draft=f"post:{post.id}") if post else create,
        save=t("Update Post") if post else t("Create Post"),
        fields=partial(_fields, blocks=preview_read(post.content) if post else ()),
        lengths=POST_TEXTS,
        has_long_texts=True,
    )


def _fields(form: RowForm[PostEdit], blocks: Blocks) -> list[Markup]:
    t = form.t
    return [
        form.field(t("Title"), "title", required=True, autoComplete="off"),
        form.area(t("Excerpt"), "excerpt", hint=t("What lists show of it."), required=True, rows=3),
        key("content", content_field(form, blocks)),
        form.picture(t("Image URL (optional)"), "image_url", _image),
        form.check(
            t("Publish immediately"),
            "is_published",
            hint=t("A post that is saved as published is dated with that moment."),
        ),
        _planned(form),
    ]


def _planned(form: RowForm[PostEdit]) -> VdomDict:
    """Return the day and time at which a draft is published."""
    t, at = form.t, form.row.publish_at.astimezone(venue_zone()) if form.row and form.row.publish_at else None
    hint = t("As the clocks in the hall show it. “Publish immediately” drops it.")
    clock = {"value": f"{at:%H:%M}" if at else "", "type": "time", "hint": hint}
    return html.fieldset(
        {"class": "stack"},
        html.legend({"class": "label"}, t("Or publish this draft later (optional)")),
        html.div(
            {"class": "form-page__pair"},
            forms.field(t("Day"), "publish_date", value=f"{at:%Y-%m-%d}" if at else "", type="date"),
            forms.field(t("Time"), "publish_time", **clock),
        ),
    )


SHOWN = {"": None, "published": True, "drafts": False}  # the address's `show`


@dataclass(frozen=True, slots=True)
class Posts:
    """The page of posts for the filters in the address."""

    query: str
    show: str
    page: NumberedPage[PostRow]


def load(request: PageRequest) -> Page:
    """Return the list, an empty form, or the form of the post in the address."""
    t = request.t
    return entity_page(
        request,
        listing=lambda: _listing(request),
        read=lambda pk: post_edit(post_id=pk),
        form=lambda post: _form(post, t),
        missing=lambda pk: not_found_page(t("Post not found."), (PATH, t("Back to the blog")), f"post.{pk}"),
    )


def _listing(request: PageRequest) -> Page:
    t, text, show = request.t, request.search_text(), request.query.get("show", "")
    show = show if show in SHOWN else ""
    posts = Posts(text, show, posts_admin(query=text, published=SHOWN[show], number=request.page_number()))
    about = t("Writing and publishing the news.")
    return Page(about, post_list, title=t("Blog"), data=posts, topics=("latest_news", "profiles"))


@component
def post_list(page: Page) -> VdomDict:
    """Render the search, the posts and the paging."""
    posts: Posts = page.data
    t, language, listing = texts(page.language), page.language, posts.page
    shown = [("", t("All Posts")), ("published", t("Published")), ("drafts", t("Drafts"))]
    query = {"q": posts.query, "show": posts.show}
    narrow = search(
        PATH,
        forms.field(t("Title, excerpt or author"), "q", value=posts.query, type="search", maxLength=SEARCH_LENGTH),
        forms.select(t("Show"), "show", shown, posts.show),
        language=language,
    )
    empty_text = t("No posts found matching your criteria.") if any(query.values()) else t("No blog posts yet.")
    list_of = rows(*(_row(post, language) for post in listing.rows)) if listing.rows else empty(empty_text)
    return backstage(
        t("Blog"),
        tools(narrow, button_link(create_at(PATH), t("New Post"))),
        skeleton(),
        answered_list(list_of, paging(listing.number, listing.pages, path=PATH, query=query, language=language)),
        page=page,
    )


def _row(post: PostRow, language: str) -> VdomDict:
    t, to = texts(language), edit_at(PATH, post.id)
    gone = t("It is gone from the site for everybody, and cannot be brought back.")
    return row(
        f"post-{post.id}",
        html.h2(html.a({"href": to}, post.title)),
        _about(post, language),
        html.p({"class": "entries__text"}, post.excerpt),
        acts=[
            edit_link(to, post.title, language=language),
            delete_button(
                "post_delete",
                post.id,
                named=post.title,
                ask=t("Delete the post {title}?").format(title=post.title),
                words=gone if post.is_published else t("It cannot be brought back."),
                language=language,
            ),
        ],
        aside=html.p(day(post.published_at or post.created_at, zone=venue_zone(), language=language)),
    )


def _about(post: PostRow, language: str) -> VdomDict:
    """Return the state, the author and, for a published post, a link to it."""
    t = texts(language)
    author = html.span(*by(post.author, t))
    if post.published_at is None:
        preview = link(preview_at(post.id), t("Preview"), visually_hidden(f": {post.title}"))
        at = post.publish_at and day_time(post.publish_at, zone=venue_zone(), language=language)
        planned = (" ", t("publishes"), " ", at) if at else ()
        return html.p({"class": "entries__about"}, badge(t("Draft"), "quiet"), *planned, " ", author, " ", preview)
    there = link(f"/news/{post.id}", t("On the site"), visually_hidden(f": {post.title}"))
    return html.p({"class": "entries__about"}, badge(t("Published")), " ", author, " ", there)
