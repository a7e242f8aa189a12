"""Build the site's typeface from the original variable font: run by `prepare.py`, needed at build time only (ADR 31).

`python -m project.launcher.typeface FOLDER` writes into FOLDER:

- `serif.woff2`: one variable roman, weights 400 to 700, reduced to the site's characters;
- `serif.ttf`: the same font for pictures that the server draws; it is not served;
- `serif.css`: its `@font-face` rules, with those of the fallback fonts;
- `serif.woff2.LICENSE.txt`: the font's licence.

A fallback font is scaled so that its average line is as long as one of the typeface, and gets its ascent and descent.
So lines keep their places when the typeface arrives.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

PACKAGE = "fontpkg_source_serif_4"
ORIGINAL = "files/SourceSerif4[opsz,wght].ttf"
# The licence reserves the name "Source" for the original; a reduced font needs another one.
FAMILY = "Parterre Serif"
NAMES = {1: FAMILY, 2: "Regular", 4: FAMILY, 6: "ParterreSerif-Regular"}
KEPT_NAMES = [0, 1, 2, 4, 6, 14]  # 0: copyright, 14: address of the licence's text
AXES = {"opsz": 20, "wght": (400, 700)}  # one optical size, chosen by eye for 17 to 100 px
FEATURES = ["kern", "liga"]  # figures are lining and tabular by default
DROPPED = ["HVAR", "MVAR", "STAT", "BASE", "gasp"]  # browsers compute the same from gvar, or do not use them
# In thousandths of the em: how far an outline at 700 may be from the original.
TOLERANCE = 5

CHARACTERS = (
    *range(0x20, 0x7F),
    *map(ord, "\u00a0\u00ad¡§©«°·»¿×"),
    *(code for code in range(0xC0, 0x100) if code not in b"\xd7\xf7"),  # the letters of Latin-1
    *(code for code in range(0x100, 0x17F) if chr(code) not in "ĸŀĿŉĲĳ"),  # Latin Extended-A without digraphs
    *map(ord, "ƠơƯưȘșȚțẞ"),
    *range(0x1EA0, 0x1EFA),  # Vietnamese
    *map(ord, "–—‘’‚“”„…•‹›€−→←↑↓′″"),
)

# Signs that the original lacks, in thousandths of the em: width, then contours of points. Points of "on" are on the
# curve, those of "off" control it.
STEMS_AND_BEAMS = {
    0x266E: (  # natural
        400,
        [[(78, 128), (78, 740), (112, 740), (112, 128)], [(288, -140), (288, 462), (322, 462), (322, -140)]],
        [[(78, 118), (78, 194), (322, 256), (322, 180)], [(78, 336), (78, 412), (322, 474), (322, 398)]],
    ),
    0x266F: (  # sharp
        480,
        [[(148, -135), (148, 665), (182, 665), (182, -135)], [(298, -75), (298, 725), (332, 725), (332, -75)]],
        [[(50, 112), (50, 188), (430, 286), (430, 210)], [(50, 340), (50, 416), (430, 514), (430, 438)]],
    ),
}
FLAT, FLAT_WIDTH = 0x266D, 390

LICENCE = "LICENSE"
PAIRS = 2  # GPOS lookup type of kerning


@dataclass(frozen=True, slots=True)
class Fallback:
    """A font that many systems have: its local names, and its metrics in its own units."""

    names: tuple[str, ...]
    em: int
    average: int  # width of a character, weighted by the frequency of letters in English


# The averages are those that @capsizecss/metrics 4.3.0 publishes; that of DejaVu Serif is calculated with its weights.
FALLBACKS = (
    Fallback(("Georgia",), 2048, 913),
    Fallback(("Noto Serif", "NotoSerif-Regular"), 1000, 481),
    Fallback(("Times New Roman", "Liberation Serif", "Tinos"), 2048, 832),
    Fallback(("DejaVu Serif",), 2048, 1058),
)
PUBLISHED, PUBLISHED_AXES = 479, {"opsz": 14, "wght": 400}  # the same average of the original at these axes
SAMPLE = (
    "The audience of a piano competition listens, marks every piece from one to twenty-five and compares its own "
    "opinion with that of all others. Names, titles and headings are set in this typeface."
)


def original() -> TTFont:
    """Return the original variable font, as its package has it."""
    with (files(PACKAGE) / ORIGINAL).open("rb") as file:
        return TTFont(file, lazy=False)


def reduce(font: TTFont, characters: Sequence[int], features: Sequence[str]) -> None:
    """Remove all glyphs but those of these characters and features."""
    options = Options()
    options.layout_features, options.layout_scripts = list(features), ["DFLT", "latn"]
    options.hinting, options.notdef_outline, options.name_IDs = False, True, KEPT_NAMES
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)


def kerning_fix(font: TTFont) -> None:
    """Give all weights the kerning of 400; its variation would be a tenth of the file."""
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            pairs = getattr(table, "ExtSubTable", table)
            if pairs.LookupType != PAIRS:
                continue
            if pairs.Format == 1:
                records = [record for pair_set in pairs.PairSet for record in pair_set.PairValueRecord]
            else:
                records = [record for first in pairs.Class1Record for record in first.Class2Record]
            for value in (value for record in records for value in (record.Value1, record.Value2) if value):
                for device in ("XPlaDevice", "YPlaDevice", "XAdvDevice", "YAdvDevice"):
                    vars(value).pop(device, None)
            pairs.ValueFormat1, pairs.ValueFormat2 = pairs.ValueFormat1 & 0xF, pairs.ValueFormat2 & 0xF
    font["GDEF"].table.VarStore = None


def deltas_reduce(font: TTFont) -> None:
    """Leave out what interpolation between neighbouring points yields within TOLERANCE."""
    glyphs, metrics = font["glyf"], font["hmtx"].metrics
    for name, variations in font["gvar"].variations.items():
        coordinates, control = glyphs._getCoordinatesAndControls(name, metrics)  # noqa: SLF001 - as instancer does
        for variation in variations:
            variation.calcInferredDeltas(coordinates, control.endPts)
            variation.roundDeltas()
            variation.optimize(
                coordinates, control.endPts, tolerance=TOLERANCE, isComposite=control.numberOfContours < 0
            )


def polygon(pen: TTGlyphPen, points: Sequence[tuple[int, int]]) -> None:
    """Draw one closed contour of straight lines."""
    pen.moveTo(points[0])
    for point in points[1:]:
        pen.lineTo(point)
    pen.closePath()


def flat_draw(pen: TTGlyphPen) -> None:
    """Draw the flat sign: a stem with a bowl, and the bowl's opening."""
    pen.moveTo((72, 0))
    pen.lineTo((72, 740))
    pen.lineTo((106, 740))
    pen.lineTo((106, 345))
    pen.qCurveTo((150, 412), (228, 412))
    pen.qCurveTo((318, 412), (318, 312))
    pen.qCurveTo((318, 170), (72, 0))
    pen.closePath()
    pen.moveTo((106, 68))
    pen.qCurveTo((236, 190), (236, 296))
    pen.qCurveTo((236, 362), (188, 362))
    pen.qCurveTo((140, 362), (106, 300))
    pen.closePath()


def glyph_add(font: TTFont, code: int, width: int, pen: TTGlyphPen) -> None:
    """Add what the pen drew as this character, equal at all weights."""
    name, glyph = f"uni{code:04X}", pen.glyph()
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = glyph
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (width, glyph.xMin)
    font["gvar"].variations[name] = []
    for table in font["cmap"].tables:
        table.cmap[code] = name


def signs_add(font: TTFont) -> None:
    """Add the flat, natural and sharp signs."""
    for code, (width, stems, beams) in STEMS_AND_BEAMS.items():
        pen = TTGlyphPen(None)
        for points in (*stems, *beams):
            polygon(pen, points)
        glyph_add(font, code, width, pen)
    pen = TTGlyphPen(None)
    flat_draw(pen)
    glyph_add(font, FLAT, FLAT_WIDTH, pen)


def rename(font: TTFont) -> None:
    """Give the font its own name; copyright and licence stay."""
    table = font["name"]
    table.names = [record for record in table.names if record.nameID in KEPT_NAMES]
    for record in table.names:
        record.string = NAMES.get(record.nameID, record.toUnicode())


def typeface() -> TTFont:
    """Return the site's font."""
    font = original()
    reduce(font, CHARACTERS, FEATURES)
    font = instantiateVariableFont(font, AXES, inplace=True)
    font["fvar"].instances.clear()  # their names contain the reserved one
    kerning_fix(font)
    deltas_reduce(font)
    for table in DROPPED:
        if table in font:
            del font[table]
    signs_add(font)
    rename(font)
    return font


def average(font: TTFont) -> float:
    """Return the average width of the sample's characters at 400, in thousandths of the em."""
    names, widths = font.getBestCmap(), font["hmtx"]
    return float(sum(widths[names[ord(character)]][0] for character in SAMPLE)) / len(SAMPLE)


def published_average() -> float:
    """Return `average` of the original at the axes of PUBLISHED."""
    font = original()
    reduce(font, sorted({ord(character) for character in SAMPLE}), [])
    return average(instantiateVariableFont(font, PUBLISHED_AXES))


def rules(font: TTFont, published: float) -> str:
    """Return the style sheet: the typeface, and the fallbacks with its metrics, as families "serif-0" and so on.

    `published` is the font's average by the weights of FALLBACKS.
    """
    em, lines = font["head"].unitsPerEm, font["hhea"]
    own = ["font-weight: 400 700", "font-display: swap", 'src: url("serif.woff2") format("woff2")']
    faces = {FAMILY: own}
    for number, fallback in enumerate(FALLBACKS):
        adjust = (published / em) / (fallback.average / fallback.em)
        faces[f"serif-{number}"] = [
            "src: " + ", ".join(f'local("{name}")' for name in fallback.names),
            f"size-adjust: {adjust:.2%}",
            f"ascent-override: {lines.ascent / em / adjust:.2%}",
            f"descent-override: {-lines.descent / em / adjust:.2%}",
            "line-gap-override: 0%",
        ]
    blocks = [f'@font-face {{ font-family: "{name}"; {"; ".join(values)} }}' for name, values in faces.items()]
    families = ", ".join(f'"{name}"' for name in faces)
    return "\n".join([*blocks, f":root {{ --serif: {families}, serif; }}", ""])


def main(folder: Path) -> None:
    """Write the fonts, the style sheet and the licence into this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    font = typeface()
    font.save(folder / "serif.ttf")
    font.flavor = "woff2"
    font.save(folder / "serif.woff2")
    published = PUBLISHED * average(font) / published_average()
    (folder / "serif.css").write_text(rules(font, published), encoding="utf-8")
    (folder / "serif.woff2.LICENSE.txt").write_bytes((files(PACKAGE) / LICENCE).read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
