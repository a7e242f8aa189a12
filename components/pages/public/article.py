"""The page of one news article."""

from apps.core.texts import texts
from apps.news.selectors import post_get
from components.pages.public.not_found import not_found_page
from components.parts.news import news_article, news_named, news_neighbours
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.blocks import link
from components.ui.frames import main


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
