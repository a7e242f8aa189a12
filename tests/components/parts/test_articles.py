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
from tests.components.seen import attributes, every, name, one, opened, text, tree
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


def read(part, *parameters):
    return tree(part.markup(*parameters, language="en"))


def elements(node):
    found = {node["tagName"]}
    for child in node.get("children", ()):
        found |= elements(child) if isinstance(child, dict) else set()
    return found


@given(
    st.lists(
        st.sampled_from(
            ["<b>", "<script>", "\n", "# ", "- ", "> ", "1. ", "*a*", "[a](/b)", "![a](https://b.c/d)", "&"]
        )
    ).map("".join)
)
def test_whatever_is_written_these_elements_alone_come_of_it(content):
    made = tree(article_text(content))
    assert elements(made) <= ELEMENTS
    html = to_html(made)
    assert "<script" not in html
    assert "<b>" not in html


def test_an_article_is_drawn_of_its_text():
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
    own, other = [attributes(each) for each in every(shown, "a")[1:]]
    assert (own, other) == ({"href": "/news"}, {"href": "https://a.example", "rel": "noopener", "target": "_blank"})


@pytest.mark.django_db
def test_excerpts_and_descriptions_are_plain_text():
    post = BlogPostFactory(
        excerpt="**Four** [pianos](https://example.org)\nwait.", image_url="https://example.org/a.png"
    )
    assert post_get(post_id=post.pk).excerpt == post_list(limit=1)[0].excerpt == "Four pianos wait."
    assert opened(f"/news/{post.pk}").page.description == "Four pianos wait."
    assert (
        attributes(one(read(news_article, post.pk), look="article__picture")["children"][1])["fetchPriority"] == "high"
    )


@pytest.mark.django_db
def test_an_article_leads_to_whom_and_what_it_names(django_assert_num_queries):
    person = ParticipantFactory(first_name="Ewa", second_name="Nowak")
    session = SessionFactory(title="Stage I, morning session")
    post = BlogPostFactory(content="**Ewa** Nowak, in *Stage I, morning session*. Not Ewa Nowakowska.")
    with django_assert_num_queries(3):
        shown = read(news_named, post.pk)
    assert text(one(shown, "h2")) == "In this article"
    assert [(name(way), attributes(way)["href"]) for way in every(shown, "a")] == [
        ("Ewa Nowak", f"/participants/{person.pk}"),
        ("Stage I, morning session", f"/sessions/{session.pk}"),
    ]
    assert attributes(read(news_named, BlogPostFactory().pk))["hidden"] is True


@pytest.mark.django_db
def test_an_article_has_its_neighbours_and_no_drafts():
    oldest, middle, newest = (BlogPostFactory(published_at=EVENING + dt.timedelta(hours=n)) for n in range(3))
    same = BlogPostFactory(published_at=middle.published_at)
    BlogPostFactory(is_published=False)

    def ways(post):
        return [
            (attributes(way)["class"], attributes(one(way, "a"))["href"])
            for way in every(read(news_neighbours, post.pk), "p")
        ]

    assert ways(oldest) == [("article__next", f"/news/{middle.pk}")]
    assert ways(middle) == [("article__prev", f"/news/{oldest.pk}"), ("article__next", f"/news/{same.pk}")]
    assert ways(same) == [("article__prev", f"/news/{middle.pk}"), ("article__next", f"/news/{newest.pk}")]
    assert ways(newest) == [("article__prev", f"/news/{same.pk}")]
    same.delete(), middle.delete(), newest.delete()
    assert attributes(read(news_neighbours, oldest.pk))["hidden"] is True


@pytest.mark.django_db(transaction=True)
async def test_a_new_article_becomes_a_neighbour_on_every_screen():
    post = await in_thread(lambda: BlogPostFactory(title="Four pianos"))
    written = {"title": "Five pianos", "excerpt": "One more.", "content": "It came.", "is_published": True}
    async with open_page(f"/news/{post.pk}") as one_window, open_page(f"/news/{post.pk}") as other:
        await in_thread(lambda: post_create(actor=OPERATOR, **written))
        for screen in (one_window, other):
            await screen.until("Previous article Five pianos")


@pytest.mark.django_db
def test_addresses_in_comments_are_links_that_recommend_nobody():
    words = f"See {DECEIVING}, (https://example.org/a). javascript:alert(1)"
    comment = SessionCommentFactory(content=words)
    rating = PerformanceRatingFactory(comment=words, approved=True)
    appearance = rating.session_participant
    words_on_it = read(performance_words, appearance.pk, appearance.participant_id)
    for shown in (read(session_comments, comment.session_id), words_on_it):
        [said] = every(shown, look="says__text")
        assert [attributes(way) for way in every(said, "a")] == [
            {"href": ASCII} | UGC,
            {"href": "https://example.org/a"} | UGC,
        ]
        assert text(said) == f"See {ASCII}, (https://example.org/a). javascript:alert(1)"
