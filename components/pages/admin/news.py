"""The page "Blog": all posts with drafts, and the form of a post, each at its own address (`modes.py`)."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.core.database.fields import venue_zone
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.news.article_text import Node, article_read
from apps.news.limits import CONTENT_LENGTH, EXCERPT_LENGTH, PREVIEW_LENGTH, TITLE_LENGTH
from apps.news.selectors import PostEdit, PostRow, post_edit, posts_admin
from components.pages.admin.modes import Kind, create_at, edit_at, mode_of
from components.pages.admin.picture_field import picture_field
from components.pages.public.not_found import not_found_page
from components.parts.article_text import article_blocks
from components.parts.people import by
from components.runtime import (
    Component,
    Markup,
    Page,
    PageRequest,
    VdomDict,
    command_form,
    component,
    event,
    html,
    key,
    use_state,
    use_token,
)
from components.ui import forms
from components.ui.blocks import badge, button_link, link, paging, picture, visually_hidden
from components.ui.empty_states import empty, skeleton
from components.ui.forms import area
from components.ui.frames import answered_list, backstage, delete_button, edit_link, form_page, row, rows, search, tools
from components.ui.venue_time import day

WAIT = 400  # milliseconds after the last key until the preview follows
Blocks = tuple[Node, ...]


def preview_read(content: str) -> Blocks:
    """Return the blocks of the preview of a text, cut at PREVIEW_LENGTH characters."""
    return article_read(content[:PREVIEW_LENGTH])


@component
def content_field(stored: str, read: Blocks, language: str) -> VdomDict:
    """Render the field and a preview that follows typing; without JavaScript only the field works.

    `read` contains the blocks of the stored text (`preview_read`).
    """
    t, (blocks, set_blocks) = texts(language), use_state(read)

    async def on_type(sent: dict[str, Any]) -> None:
        match sent:
            case {"target": {"value": str(typed)}}:
                set_blocks(await in_thread(partial(preview_read, typed)))

    hint = t("Each line is a paragraph.")
    own: dict[str, Any] = {"rows": 14, "class": "prose-field", "onInput": event(on_type, debounce=WAIT)}
    return html.div(
        {"class": "previewed"},
        area(t("Content"), "content", value=stored, hint=hint, required=True, maxLength=CONTENT_LENGTH, **own),
        _preview(blocks, language),
    )


def _preview(blocks: Blocks, language: str) -> VdomDict:
    """Return the preview; without text, a list of the markup that a text may contain."""
    t = texts(language)
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


@dataclass(frozen=True, slots=True)
class ArticleForm:
    """The edited post, None for a new one, and the `blocks` of its text."""

    post: PostEdit | None = None
    blocks: Blocks = ()


@component
def post_form(page: Page) -> VdomDict:
    """Render the form of a post."""
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
    hint = t("A post that is saved as published is dated with that moment.")
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
        forms.check(t("Publish immediately"), "is_published", hint=hint, defaultChecked=post.is_published),
    ]


SHOWN = {"": None, "published": True, "drafts": False}  # the address's `show`


@dataclass(frozen=True, slots=True)
class Posts:
    """The page of posts for the filters in the address."""

    query: str
    show: str
    page: NumberedPage[PostRow]


def load(request: PageRequest) -> Page:
    """Return the list, an empty form, or the form of the post in the address."""
    t, mode = request.t, mode_of(request.query)
    if mode.kind is Kind.LIST:
        return _page(t("Blog"), _posts(request), t, topics=("latest_news", "profiles"))
    if mode.kind is Kind.CREATE:
        return _page(t("New Post"), ArticleForm(), t)
    post = post_edit(post_id=mode.id)
    if post is None:
        return not_found_page(t("Post not found."), (PATH, t("Back to the blog")), f"post.{mode.id}")
    return _page(t("Edit Post"), ArticleForm(post, preview_read(post.content)), t)


def _page(title: str, data: Any, t: Texts, topics: tuple[str, ...] = ()) -> Page:
    words = t("Writing and publishing the news.")
    return Page(title=title, description=words, component=blog_page, data=data, topics=topics)


def _posts(request: PageRequest) -> Posts:
    text, show = request.search_text(), request.query.get("show", "")
    show = show if show in SHOWN else ""
    return Posts(text, show, posts_admin(query=text, published=SHOWN[show], number=request.page_number()))


@component
def blog_page(page: Page) -> Component:
    """Render the list, or the form of a post."""
    match page.data:
        case ArticleForm(post=post):
            return key(f"post-{post.id if post else 'new'}", post_form(page))
        case _:
            return key("posts", post_list(page))


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
    author = html.span(by(post.author, t))
    if post.published_at is None:
        return html.p({"class": "entries__about"}, badge(t("Draft"), "quiet"), " ", author)
    there = link(f"/news/{post.id}", t("On the site"), visually_hidden(f": {post.title}"))
    return html.p({"class": "entries__about"}, badge(t("Published")), " ", author, " ", there)
