"""The built typeface: its size, characters, name and licence, and the metrics of its fallbacks."""

import re
import unicodedata
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from project.launcher import typeface
from project.launcher.prepare import BUILT, ROOT

LIMIT = 45_000  # bytes


def is_latin(character: str) -> bool:
    """Whether this is a letter of the Latin script in its usual form."""
    name = unicodedata.name(character, "")
    return name.startswith("LATIN ") and not name.startswith("LATIN LETTER") and character.isalpha()


@pytest.fixture(scope="module")
def font() -> TTFont:
    """The font that browsers get."""
    return TTFont(BUILT / "serif.woff2")


def test_font_is_one_small_variable_roman(font: TTFont) -> None:
    assert [(axis.axisTag, axis.minValue, axis.defaultValue, axis.maxValue) for axis in font["fvar"].axes] == [
        ("wght", 400, 400, 700)
    ]
    assert font["post"].italicAngle == 0
    assert (BUILT / "serif.woff2").stat().st_size <= LIMIT


def test_font_has_the_characters_of_names_and_texts(font: TTFont) -> None:
    people = (ROOT / "apps/demo/participants.json").read_text(encoding="utf-8")
    catalogue = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "apps").rglob("*.csv"))
    letters = {letter for letter in unicodedata.normalize("NFC", people + catalogue) if is_latin(letter)}
    signs = set("ĄĆĘŁŃÓŚŹŻąćęłńóśźż0123456789.,:;!?()–—‘’„”“…·×−♯♭♮→")
    assert "ộ" in letters  # a Vietnamese name
    assert (letters | signs) - {chr(code) for code in font.getBestCmap()} == set()


def test_added_signs_have_the_height_of_letters(font: TTFont) -> None:
    names, glyphs = font.getBestCmap(), font["glyf"]
    height = glyphs[names[ord("H")]].yMax
    for sign in "♭♮♯":
        glyph = glyphs[names[ord(sign)]]
        assert height <= glyph.yMax <= 1.2 * height
        assert 0 < glyph.xMin < glyph.xMax < font["hmtx"][names[ord(sign)]][0]


def test_figures_are_tabular_and_kerning_is_kept(font: TTFont) -> None:
    names = font.getBestCmap()
    assert len({font["hmtx"][names[ord(figure)]][0] for figure in "0123456789"}) == 1
    assert {record.FeatureTag for record in font["GPOS"].table.FeatureList.FeatureRecord} == {"kern"}


def test_font_has_its_own_name_and_the_licence(font: TTFont) -> None:
    names = {record.nameID: record.toUnicode() for record in font["name"].names}
    reserved = [text for number, text in names.items() if number != 0 and "source" in text.lower()]
    assert reserved == []
    assert "Reserved Font Name" in names[0]
    assert "SIL OPEN FONT LICENSE Version 1.1" in (BUILT / "serif.woff2.LICENSE.txt").read_text(encoding="utf-8")


def test_server_pictures_use_the_same_outlines(font: TTFont) -> None:
    drawing = TTFont(BUILT / "serif.ttf")
    assert drawing.flavor is None
    assert drawing.getBestCmap() == font.getBestCmap()
    assert drawing["hmtx"].metrics == font["hmtx"].metrics


def test_fallbacks_have_the_length_and_height_of_the_font(font: TTFont) -> None:
    style = (BUILT / "serif.css").read_text(encoding="utf-8")
    faces = re.findall(r"size-adjust: ([\d.]+)%; ascent-override: ([\d.]+)%; descent-override: ([\d.]+)%", style)
    assert len(faces) == len(typeface.FALLBACKS)
    published = typeface.PUBLISHED * typeface.average(font) / typeface.published_average()
    for (adjust, ascent, descent), fallback in zip(faces, typeface.FALLBACKS, strict=True):
        assert float(adjust) / 100 * fallback.average / fallback.em == pytest.approx(published / 1000, rel=1e-3)
        assert float(adjust) * float(ascent) / 1e4 == pytest.approx(font["hhea"].ascent / 1000, rel=1e-3)
        assert float(adjust) * float(descent) / 1e4 == pytest.approx(-font["hhea"].descent / 1000, rel=1e-3)


def test_build_writes_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeface, "CHARACTERS", sorted({ord(character) for character in typeface.SAMPLE}))
    typeface.main(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "serif.css", "serif.ttf", "serif.woff2", "serif.woff2.LICENSE.txt",
    ]  # fmt: skip
