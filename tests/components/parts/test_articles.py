"""One article: its text as markup, the links to participants and sessions that it names, its neighbours."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.core.threads import in_thread
from apps.news.selectors import post_get, post_list
from apps.news.services import post_create
from components.parts.article_text import article_text
from components.parts.comments import session_comments
from components.parts.news import news_article, news_named, news_neighbours
from components.parts.ratings.rating_rows import performance_words
from tests.components.seen import attributes, every, name, one, opened, read_part, text, tree, walk
from tests.factories import (
    EVENING,
    BlogPostFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    SessionCommentFactory,
    SessionFactory,
)
from tests.rendering import to_html
from tests.screen import open_page

ELEMENTS = {
    *("div", "p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "em", "strong", "a"),
    *("figure", "figcaption", "img"),
}
UGC = {"rel": "nofollow ugc noopener", "target": "_blank"}
DECEIVING, ASCII = "https://\u0440\u0430ypal.com/in", "https://xn--ypal-43d9g.com/in"


SYNTAX = ("<b>", "<script>", "\n", "# ", "- ", "> ", "1. ", "*a*", "[a](/b)", "![a](https://b.c/d)", "&")


@given(st.lists(st.sampled_from(SYNTAX)).map("".join))
def test_article_text_has_allowed_elements_only(content):
    shown = tree(article_text(content))
    assert {element["tagName"] for element in walk(shown)} <= ELEMENTS
    html = to_html(shown)
    assert "<script" not in html
    assert "<b>" not in html


def test_article_text_becomes_headings_lists_figures_and_links():
    shown = tree(
        article_text("# One\n3. three\n![Hall](https://example.org/a.png)\n[own](/news) [other](https://a.example)")
    )
    assert text(one(shown, "h2")) == "One"
    assert attributes(one(shown, "ol"))["start"] == 3
    figure = one(shown, "figure")
    assert text(one(figure, "figcaption")) == "Hall"
    picture = attributes(one(figure, "img"))
    assert (picture["src"], picture["alt"], picture["loading"]) == ("https://example.org/a.png", "", "lazy")
    assert attributes(one(figure, "a"))["href"] == "https://example.org/a.png", "for a picture that fails"
    own, other = [attributes(link) for link in every(shown, "a")[1:]]
    assert (own, other) == ({"href": "/news"}, {"href": "https://a.example", "rel": "noopener", "target": "_blank"})


@pytest.mark.django_db
def test_excerpts_and_descriptions_are_plain_text():
    post = BlogPostFactory(
        excerpt="**Four** [pianos](https://example.org)\nwait.", image_url="https://example.org/a.png"
    )
    assert post_get(post_id=post.pk).excerpt == post_list(limit=1)[0].excerpt == "Four pianos wait."
    assert opened(f"/news/{post.pk}").page.description == "Four pianos wait."
    picture = one(read_part(news_article, post.pk), look="article__picture")["children"][1]
    assert attributes(picture)["fetchPriority"] == "high"


@pytest.mark.django_db
def test_article_links_the_participants_and_sessions_that_it_names(django_assert_num_queries):
    person = ParticipantFactory(first_name="Ewa", second_name="Nowak")
    session = SessionFactory(title="Stage I, morning session")
    post = BlogPostFactory(content="**Ewa** Nowak, in *Stage I, morning session*. Not Ewa Nowakowska.")
    with django_assert_num_queries(3):
        shown = read_part(news_named, post.pk)
    assert text(one(shown, "h2")) == "In this article"
    assert [(name(link), attributes(link)["href"]) for link in every(shown, "a")] == [
        ("Ewa Nowak", f"/participants/{person.pk}"),
        ("Stage I, morning session", f"/sessions/{session.pk}"),
    ]
    assert attributes(read_part(news_named, BlogPostFactory().pk))["hidden"] is True


@pytest.mark.django_db
def test_article_links_its_neighbours_but_no_drafts():
    oldest, middle, newest = (BlogPostFactory(published_at=EVENING + dt.timedelta(hours=n)) for n in range(3))
    same = BlogPostFactory(published_at=middle.published_at)
    BlogPostFactory(is_published=False)

    def links(post):
        lines = every(read_part(news_neighbours, post.pk), "p")
        return [(attributes(line)["class"], attributes(one(line, "a"))["href"]) for line in lines]

    assert links(oldest) == [("article__next", f"/news/{middle.pk}")]
    assert links(middle) == [("article__prev", f"/news/{oldest.pk}"), ("article__next", f"/news/{same.pk}")]
    assert links(same) == [("article__prev", f"/news/{middle.pk}"), ("article__next", f"/news/{newest.pk}")]
    assert links(newest) == [("article__prev", f"/news/{same.pk}")]
    same.delete(), middle.delete(), newest.delete()
    assert attributes(read_part(news_neighbours, oldest.pk))["hidden"] is True


@pytest.mark.django_db(transaction=True)
async def test_new_article_becomes_a_neighbour_on_every_screen():
    post = await in_thread(lambda: BlogPostFactory(title="Four pianos"))
    written = {"title": "Five pianos", "excerpt": "One more.", "content": "It came.", "is_published": True}
    async with open_page(f"/news/{post.pk}") as one_window, open_page(f"/news/{post.pk}") as other:
        await in_thread(lambda: post_create(actor=OPERATOR, **written))
        for screen in (one_window, other):
            await screen.until("Previous article Five pianos")


@pytest.mark.django_db
def test_addresses_in_comments_are_links_without_recommendation():
    words = f"See {DECEIVING}, (https://example.org/a). javascript:alert(1)"
    comment = SessionCommentFactory(content=words)
    rating = PerformanceRatingFactory(comment=words, approved=True)
    appearance = rating.appearance
    comments_of_rating = read_part(performance_words, appearance.pk, appearance.participant_id)
    for shown in (read_part(session_comments, comment.session_id), comments_of_rating):
        content = one(shown, look="says__text")
        links = [attributes(link) for link in every(content, "a")]
        assert links == [{"href": ASCII} | UGC, {"href": "https://example.org/a"} | UGC]
        assert text(content) == f"See {ASCII}, (https://example.org/a). javascript:alert(1)"
