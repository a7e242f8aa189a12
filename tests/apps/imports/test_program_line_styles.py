"""Test that every piece of the catalogue is recognised when written in full in each style and language."""

from apps.imports.program_lines.catalogue import CataloguePiece
from tests.apps.imports.program_lines import MATCHED, one

GERMAN_TITLE = {"etude": "Etüde", "nocturne": "Nocturne", "scherzo": "Scherzo", "mazurka": "Mazurka"}
POLISH_TITLE = {"etude": "Etiuda", "nocturne": "Nokturn", "scherzo": "Scherzo", "mazurka": "Mazurek"}
JAPANESE_TITLE = {"etude": "練習曲", "nocturne": "ノクターン", "scherzo": "スケルツォ", "mazurka": "マズルカ"}
KOREAN_TITLE = {"etude": "연습곡", "nocturne": "녹턴", "scherzo": "스케르초", "mazurka": "마주르카"}


def german_key(key: str, minor: str, major: str) -> str:
    """Return the key in German: B minor is h-moll, B-flat minor b-moll, E-flat major Es-Dur."""
    name, mode = key.split()
    letter, _, sign = name.partition("-")
    if sign == "flat":
        stem = {"B": "B", "E": "Es", "A": "As"}.get(letter, f"{letter}es")
    else:
        stem = {"B": "H"}.get(letter, letter) + ("is" if sign else "")
    return f"{stem.lower()}-{minor}" if mode == "minor" else f"{stem}-{major}"


def japanese_key(key: str) -> str:
    name, mode = key.split()
    letter, _, sign = name.partition("-")
    kana = dict(zip("CDEFGAB", "ハニホヘトイロ", strict=True))[letter]
    return {"sharp": "嬰", "flat": "変", "": ""}[sign] + kana + ("短調" if mode == "minor" else "長調")


def korean_key(key: str) -> str:
    name, mode = key.split()
    letter, _, sign = name.partition("-")
    hangul = dict(zip("CDEFGAB", "다라마바사가나", strict=True))[letter]
    return {"sharp": "올림", "flat": "내림", "": ""}[sign] + hangul + ("단조" if mode == "minor" else "장조")


def styles(piece: CataloguePiece) -> list[str]:
    """Return a piece of the catalogue, written in each style."""
    texts = [piece.name, piece.name.upper(), piece.name.replace(",", ""), f"• {piece.name} (3:05)"]
    if not piece.opus.isdecimal():
        return texts
    signed = piece.key.replace("-sharp", "♯").replace("-flat", "♭")
    with_number = (lambda text: text.format(piece.number)) if piece.number else (lambda _: "")
    for title, key, opus in (
        (GERMAN_TITLE[piece.title], german_key(piece.key, "Moll", "Dur"), f"op. {piece.opus}" + with_number(" Nr. {}")),
        (POLISH_TITLE[piece.title], german_key(piece.key, "moll", "dur"), f"op. {piece.opus}" + with_number(" nr {}")),
        (f"Chopin: {piece.title}", f"in {signed}", f"Op.{piece.opus}" + with_number("/{}")),
        (JAPANESE_TITLE[piece.title], japanese_key(piece.key), f"作品{piece.opus}" + with_number("-{}")),
        (KOREAN_TITLE[piece.title], korean_key(piece.key), f"작품번호 {piece.opus}" + with_number(" {}번")),
    ):
        texts += [f"{title} {key} {opus}", f"{key} {title}, {opus}", f"{title} {opus} {key}", f"{key} ({opus})"]
    return texts


def test_every_piece_in_every_style_is_matched(catalogue):
    count = 0
    for piece in catalogue.pieces:
        for text in styles(piece):
            line = one(text, catalogue)
            assert (line.status, [match.piece.id for match in line.pieces]) == (MATCHED, [piece.id]), text
            count += 1
    assert count > 2000
