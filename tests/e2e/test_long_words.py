"""Words that are wider than the page break, and no text overflows the window."""

from playwright.async_api import expect

from apps.accounts.actors import OPERATOR
from apps.competition.selectors.public.participants import participant_get
from apps.competition.services.participants import participant_update
from apps.news.services import post_create, post_delete
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.fonts import FONTS, font_use
from tests.e2e.windows import Windows, resize

LONG = "Wolfeschlegelsteinhausenbergerdorffwelchevorralternwaren"
AUDIT = "/admin/records"
PERFORMER = 6
# Returns the texts that overflow the window, except in tabs, which scroll. A biography that ends in dots is cut at the
# box of its paragraph: that must not overflow.
OUTSIDE = """() => {
  const outside = [], range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (parentElement.closest(".visually-hidden, .order .order__label, .tabs")) continue;
    range.selectNodeContents(texts.currentNode);
    const { overflowX, textOverflow } = getComputedStyle(parentElement);
    const isCut = parentElement.matches(".cards__bio") && overflowX === "hidden" && textOverflow === "ellipsis";
    const { right } = (isCut ? parentElement : range).getBoundingClientRect();
    if (right > innerWidth) outside.push(data);
  }
  return outside;
}"""


async def test_long_words_stay_on_the_page(site: Site, windows: Windows) -> None:
    participant_id = site.appearances.participant
    before = site.desk.do(participant_get, participant_id=participant_id)
    assert before is not None
    kept = {"country": before.country, "birth_year": before.birth_year, "avatar_url": before.avatar_url}
    kept |= {"actor": OPERATOR, "participant_id": participant_id, "featured": True}
    stored = {"title": f"{LONG} opens", "excerpt": LONG, "content": LONG, "author_id": 1, "is_published": True}
    first, second = before.name.split(" ")
    site.perform(PERFORMER)
    site.desk.do(participant_update, **kept, first_name=LONG, second_name=LONG, biography=f"{LONG} {LONG}")
    post = site.desk.do(post_create, actor=OPERATOR, **stored)
    anonymous = await windows.open("/contact")
    admin = await windows.open("/admin", session=site.sign_in(ADMINISTRATOR))
    appearances = ["/", "/participants", "/news", f"/news/{post.pk}", f"/sessions/{site.appearances.live}"]
    appearances += [f"/participants/{participant_id}", f"/participants/{participant_id}?tab=biography"]
    places = [(anonymous, appearance) for appearance in appearances]
    try:
        for page, appearance in [*places, (admin, AUDIT)]:
            await page.goto(appearance)
            await expect(page.locator("main")).to_contain_text(LONG)
            for width in (360, 1280):
                await resize(page, width, 800)
                for font in FONTS:
                    await font_use(page, font)
                    assert await page.evaluate(OUTSIDE) == [], (appearance, width, font)
    finally:
        site.desk.do(participant_update, **kept, first_name=first, second_name=second, biography=before.biography)
        site.desk.do(post_delete, actor=OPERATOR, post_id=post.pk)
