"""The page of one news article, and the preview of a draft for administrators."""

from apps.core.database.fields import venue_zone
from apps.core.texts import texts
from apps.news.selectors import PostPreview, post_get, post_preview
from components.pages.public.not_found import not_found_page
from components.parts.news import article_body, news_article, news_named, news_neighbours
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.blocks import link
from components.ui.frames import main
from components.ui.venue_time import day_time

PREVIEW = "preview"  # the field of an address that asks for the preview, with the value 1


def load(request: PageRequest) -> Page:
    """Return the article's page. 404 for an unknown article."""
    t, post_id = request.t, request.int_param("id")
    topic = f"post.{post_id}"
    post = post_get(post_id=post_id)
    if post is None:
        return not_found_page(t("Article not found"), ("/news", t("All news")), topic)
    return Page(
        title=post.title,
        description=post.excerpt,
        component=article_page,
        image=post.image_url,
        parts={
            "article": news_article(post_id, language=request.language),
            "named": news_named(post_id, language=request.language),
            "neighbours": news_neighbours(post_id, language=request.language),
        },
        topics=(topic,),
    )


@component
def article_page(page: Page) -> VdomDict:
    """Render the article, with a link to all news in the margin."""
    back = html.div({"class": "hang article__back"}, html.p(link("/news", texts(page.language)("All news"))))
    parts = (shared_part(page.parts[name]) for name in ("article", "named", "neighbours"))
    return main(html.section({"class": "sheet"}, back, *parts))


def preview_at(post_id: int) -> str:
    """Return the address of an article's preview."""
    return f"/news/{post_id}?{PREVIEW}=1"


def load_preview(request: PageRequest) -> Page:
    """Return the preview of an article, also of a draft. 404 for an unknown article."""
    t, post_id = request.t, request.int_param("id")
    topic = f"post.{post_id}"
    post = post_preview(post_id=post_id)
    if post is None:
        return not_found_page(t("Article not found"), ("/news", t("All news")), topic)
    here = preview_at(post_id)  # a draft has no other address
    return Page("", preview_page, title=post.title, canonical=here, data=post, topics=(topic, "profiles"))


@component
def preview_page(page: Page) -> VdomDict:
    """Render the article below a line with its state and a link to its form."""
    post: PostPreview = page.data
    t, language = texts(page.language), page.language
    lines = [t("This is a preview of a draft. Only administrators see it.")]
    if post.published_at:
        lines = [t("This post is published.")]
    when = post.publish_at and day_time(post.publish_at, zone=venue_zone(), language=language)
    planned = (" ", t("It is published at this time:"), " ", when) if when else ()
    edit = link(f"/admin/blog?mode=edit&id={post.id}", t("Edit Post"))
    note = html.div({"class": "hang article__back"}, html.p({"class": "note"}, *lines, *planned), html.p(edit))
    at = post.published_at or post.publish_at
    body = article_body(post.title, at, post.author, post.image_url, post.content, language=language)
    return main(html.section({"class": "sheet"}, note, body))
