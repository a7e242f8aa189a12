"""The blog: all posts, drafts too, and the form of one; each has its own address (components/pages/admin/modes.py)."""

from dataclasses import dataclass
from typing import Any

from apps.accounts.actors import Viewer
from apps.core.database.clock import venue_zone
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from apps.news.selectors import PostRow, post_edit, posts_admin
from components.markup import Component, VdomDict, component, html, key
from components.page import Page, Params, Query, number_of
from components.pages.admin.modes import Kind, create_at, edit_at, mode_of
from components.pages.admin.news.content_field import preview_read
from components.pages.admin.news.form import PATH, ArticleForm, post_form
from components.pages.public.not_found import not_found_page
from components.parts.people import by
from components.ui.blocks import badge, button_link, link, paging, visually_hidden
from components.ui.controls import forms
from components.ui.empty_states import empty, skeleton
from components.ui.frames.admin_frame import (
    answered_list,
    backstage,
    delete_button,
    edit_link,
    row,
    rows,
    search,
    tools,
)
from components.ui.venue_time import day

SHOWN = {"": None, "published": True, "drafts": False}  # the address's `show`


@dataclass(frozen=True, slots=True)
class Posts:
    """The list for the filters in the address."""

    query: str
    show: str
    page: NumberedPage[PostRow]


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the list, an empty form, or the form of the post in the address."""
    t, mode = texts(language), mode_of(query)
    if mode.kind is Kind.LIST:
        return _page(t("Blog"), _posts(query), t, topics=("latest_news", "profiles"))
    if mode.kind is Kind.CREATE:
        return _page(t("New Post"), ArticleForm(), t)
    post = post_edit(post_id=mode.id)
    if post is None:
        return not_found_page(t("Post not found."), (PATH, t("Back to the blog")), f"post.{mode.id}")
    return _page(t("Edit Post"), ArticleForm(post, preview_read(post.content)), t)


def _page(title: str, data: Any, t: Texts, topics: tuple[str, ...] = ()) -> Page:
    words = t("Writing and publishing the news.")
    return Page(title=title, description=words, component=blog_page, data=data, topics=topics)


def _posts(query: Query) -> Posts:
    text = query.get("q", "").strip()[:SEARCH_LENGTH]
    show = query.get("show", "")
    show = show if show in SHOWN else ""
    return Posts(text, show, posts_admin(query=text, published=SHOWN[show], number=number_of(query)))


@component
def blog_page(page: Page) -> Component:
    """The list, or the form of one post."""
    match page.data:
        case ArticleForm(post=post):
            return key(f"post-{post.id if post else 'new'}", post_form(page))
        case _:
            return key("posts", post_list(page))


@component
def post_list(page: Page) -> VdomDict:
    """The search, the posts, the paging."""
    posts: Posts = page.data
    t, language, found = texts(page.language), page.language, posts.page
    shown = [("", t("All Posts")), ("published", t("Published")), ("drafts", t("Drafts"))]
    query = {"q": posts.query, "show": posts.show}
    narrow = search(
        PATH,
        forms.field(t("Title, excerpt or author"), "q", value=posts.query, type="search", maxLength=SEARCH_LENGTH),
        forms.select(t("Show"), "show", shown, posts.show),
        language=language,
    )
    nothing = t("No posts found matching your criteria.") if any(query.values()) else t("No blog posts yet.")
    list_of = rows(*(_row(post, language) for post in found.rows)) if found.rows else empty(nothing)
    return backstage(
        t("Blog"),
        tools(narrow, button_link(create_at(PATH), t("New Post"))),
        skeleton(),
        answered_list(list_of, paging(found.number, found.pages, path=PATH, query=query, language=language)),
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
    """Return the state, the author and, when it is published, a link to the post."""
    t = texts(language)
    author = html.span(by(post.author, t))
    if post.published_at is None:
        return html.p({"class": "entries__about"}, badge(t("Draft"), "quiet"), " ", author)
    there = link(f"/news/{post.id}", t("On the site"), visually_hidden(f": {post.title}"))
    return html.p({"class": "entries__about"}, badge(t("Published")), " ", author, " ", there)
