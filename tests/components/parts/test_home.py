"""The home page's sections: news, featured participants, and latest ratings."""

import pytest

from components.parts.home import banner as home_banner
from components.parts.home.sections import featured_participants, latest_news
from components.parts.ratings.latest_ratings import day_marks, latest_ratings
from tests.components.seen import attributes, every, name, one, read_part, text
from tests.factories import AppearanceFactory, BlogPostFactory, ParticipantFactory

EMPTY = {
    latest_news: "No news articles available yet.",
    featured_participants: "No featured participants available yet.",
    latest_ratings: "No ratings available yet.",
}


@pytest.mark.django_db
def test_sections_without_rows_have_a_text():
    assert {part: text(read_part(part)) for part in EMPTY} == EMPTY


@pytest.mark.django_db
def test_latest_news_are_the_three_newest_articles():
    posts = [BlogPostFactory(title=f"Article {n}", published_at=f"2027-10-0{n}T12:00Z") for n in range(1, 6)]
    BlogPostFactory(title="Draft", is_published=False)
    shown = read_part(latest_news)
    assert [text(heading) for heading in every(shown, "h3")] == ["Article 5", "Article 4", "Article 3"]
    assert {attributes(link)["href"] for link in every(shown, "a")} == {f"/news/{post.pk}" for post in posts[2:]}
    assert "Read more: Article 5" in [name(link) for link in every(shown, "a")]
    assert f"by {posts[4].author.username}" in text(shown)


@pytest.mark.django_db
def test_news_have_an_optional_picture():
    BlogPostFactory(image_url="")
    assert not every(read_part(latest_news), "img")
    BlogPostFactory(image_url="/static/demo/a.svg")
    assert attributes(one(read_part(latest_news), "img"))["src"] == "/static/demo/a.svg"


@pytest.mark.django_db
def test_featured_participants_are_six_with_numbers_of_performances():
    people = [ParticipantFactory(featured=True, country=f"Country {n}") for n in range(7)]
    AppearanceFactory(participant=people[6])
    AppearanceFactory(participant=people[5])
    AppearanceFactory(participant=people[5])
    ParticipantFactory(featured=False)
    rows = [text(row) for row in every(read_part(featured_participants), "li")]
    assert len(rows) == 6
    assert rows[0].endswith("Country 6 · 1 performance")
    assert rows[1].endswith("Country 5 · 2 performances")
    assert rows[2].endswith("Country 4 · 0 performances")


def test_sections_depend_on_news_participants_and_default_avatars():
    parts = [home_banner.home_banner, day_marks, latest_news, featured_participants, latest_ratings]
    topics = {part.name: set(part(language="en").topics) for part in parts}
    assert [name for name, known in topics.items() if not {"latest_news", "featured_participants"} <= known] == []
    assert "default_avatars" in topics["featured_participants"]
