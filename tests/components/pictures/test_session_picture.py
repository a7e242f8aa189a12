"""The picture of a session: its size, a line for each performer, and letters that the typeface lacks."""

from dataclasses import replace
from io import BytesIO
from itertools import pairwise

from fontTools.ttLib import TTFont
from PIL import Image, ImageChops

from components.pictures import session_picture as drawing
from components.pictures.lettering import FONT, fitted, font, lettered
from components.pictures.session_picture import MOST, PictureRow, SessionPicture, session_picture
from tests.offenders import check_each

NAMES = ("Łukasz Świerczyński", "Þórdís Ðurđević", "Şebnem Yıldız", "李雲迪", "조성진", "Nguyễn Thị Ánh")
OFTEN = (*[0] * 10, 3, 5, 9, 12, 10, 20, 11, 8, 4, 2, *[0] * 4, 1)


def shown(names=NAMES, **changed):
    """Return the data of a picture of these performers."""
    data = SessionPicture(
        site="Parterre · the audience of Stage I",
        day="22 November 2026",
        title="Stage I, morning session",
        about="171 listeners, 1,914 marks",
        rows=tuple(PictureRow(str(number), name) for number, name in enumerate(names, start=1)),
        more="and {n} more",
        often=OFTEN,
    )
    return replace(data, **changed)


def pixels(picture):
    return Image.open(BytesIO(session_picture(picture))).convert("RGB")


def differing(one, other):
    """Return the box in which two pictures differ, None for equal ones."""
    return ImageChops.difference(pixels(one), pixels(other)).getbbox()


def test_picture_is_a_small_png_drawn_once(monkeypatch):
    content = session_picture(shown())
    image = Image.open(BytesIO(content))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert 5_000 < len(content) < 60_000
    drawing._drawn.cache_clear()
    first = session_picture(shown())
    assert session_picture(shown()) is first
    assert drawing._drawn.cache_info().misses == 1
    assert drawing._drawn.cache_info().maxsize == drawing.KEPT


def test_each_name_is_drawn_in_a_separate_line():
    rows = shown().rows
    without = [
        tuple(replace(row, name="") if n == at else row for n, row in enumerate(rows)) for at in range(len(rows))
    ]
    boxes = sorted((differing(shown(), shown(rows=named)) for named in without), key=lambda box: box[1])
    for left, top, right, bottom in boxes:
        assert right - left > 40
        assert 10 < bottom - top < 45  # one line
    assert all(upper[3] <= lower[1] for upper, lower in pairwise(boxes))


def test_texts_scores_and_strings_are_drawn():
    for changed in ({"title": "Gala"}, {"day": "1 May 2027"}, {"about": ""}, {"site": ""}):
        assert differing(shown(), shown(**changed)) is not None, changed
    scored = tuple(replace(row, score="17.72") for row in shown().rows)
    assert differing(shown(), shown(rows=scored)) is not None
    box = differing(shown(), shown(often=(0,) * 25))
    assert box is not None
    assert box[3] <= drawing._KEYBOARD + 1


def test_performers_of_any_number_are_drawn_above_the_strings():
    def is_above(count):
        names = [f"Maximiliana Wróblewska-Villaseñor von und zu {number}" for number in range(count)]
        box = differing(shown(names, often=(0,) * 25), shown((), often=(0,) * 25))
        assert (box is None) == (count == 0)
        if box is not None:
            assert box[0] >= drawing._LEFT - 4
            assert box[1] >= 197
            assert box[2] <= drawing._RIGHT + 4
            assert box[3] <= drawing._ROWS_TO + 8

    check_each([0, 1, 9, 17, MOST + 1], is_above)


def test_performers_above_the_limit_are_counted():
    rows = drawing._shown_rows(shown([f"Name {number}" for number in range(MOST + 5)]))
    assert len(rows) == MOST
    assert (rows[-2].name, rows[-1]) == (f"Name {MOST - 2}", PictureRow("", "and 6 more"))


def test_letters_that_the_typeface_lacks_are_drawn_as_latin_ones():
    drawn = {
        "Łukasz Świerczyński": "Łukasz Świerczyński",
        "Þórdís Ðurđević Şebnem": "Þórdís Ðurđević Şebnem",
        "Nguye\u0302\u0303n": "Nguyễn",
        "李雲迪": "LiYunDi",
        "Αλέξανδρος": "Alexandros",
        "Ewa 😀 Nowak": "Ewa Nowak",
        "Ǧamāl": "Gamāl",
        "C♯ minor": "C♯ minor",
        "\u200b  a \n b ": "a b",
        "": "",
    }
    assert {name: lettered(name) for name in drawn} == drawn
    known = TTFont(FONT).getBestCmap()
    texts = (*NAMES, "Σπύρος", "Александр", "中村紘子", "Ω≈ç√∫˜µ≤", "\U0001f3b9 Ḿḯẍ", "ﬁ Ⅷ ½ №")
    written = "".join(map(lettered, texts))
    assert len(written) > 60
    assert {sign for sign in written if ord(sign) not in known} == set()


def test_wide_texts_end_with_an_ellipsis():
    face = font(26)
    short = fitted("Maximiliana Wróblewska", face, 120)
    assert short.endswith("…")
    assert face.getlength(short) <= 120
    assert fitted("Ewa", face, 120) == "Ewa"
