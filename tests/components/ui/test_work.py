"""Names of pieces as markup and as text, for every piece of the catalogue."""

import csv
import re
from types import SimpleNamespace

from apps.competition.works import WORKS
from components.ui.pieces import HARD, work, work_text
from tests.components.seen import classes, every, one, text, tree


def piece(title="Etude", key="C-sharp minor", opus=10, number=4, name="stored", *, numbers=""):
    parts = {"title": title, "key": key, "opus": opus, "number": number, "numbers": numbers}
    return SimpleNamespace(name=name, composer="", **parts)


def catalogue():
    with WORKS.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            opus = int(row["opus"]) if row["opus"].isdecimal() else row["opus"]
            yield piece(row["title"], row["key"], opus, int(row["number"]) if row["number"] else None)


def test_work_shows_title_key_and_opus_without_a_break():
    shown = tree(work(piece(), language="en"))
    assert text(shown) == "Étude in C♯ minor op. 10 no. 4"
    assert text(one(shown, "b")) == "Étude"
    assert text(one(shown, look="work__key")) == "in C♯ minor"
    assert text(one(shown, look="acc")) == "♯"
    assert one(shown, look="opus")["children"] == [f"op.{HARD}10 no.{HARD}4"]
    shown = tree(work(piece(opus="BI 16"), language="en"))
    assert one(shown, look="work__key")["children"][-1] == f"{HARD}minor"
    assert one(shown, look="opus")["children"] == [f"BI{HARD}16 no.{HARD}4"]


def test_set_has_its_numbers_in_place_of_a_key():
    whole = piece("Etudes", "", 25, None, "Etudes, Op. 25", numbers="1–12")
    assert text(tree(work(whole, language="en"))) == "Études op. 25 nos. 1–12"
    assert work_text(whole, language="en") == "Études, op. 25 nos. 1–12"


def test_work_text_has_title_key_and_number():
    names = {
        ("Mazurka", "B-flat minor", 24, 4): "Mazurka in B♭ minor, op. 24 no. 4",
        ("Scherzo", "E major", 54, None): "Scherzo in E major, op. 54",
        ("Nocturne", "C-sharp minor", "posth.", None): "Nocturne in C♯ minor, op. posth.",
        ("Mazurka", "B-flat major", "BI 16", 2): "Mazurka in B♭ major, BI 16 no. 2",
        ("Mazurka", "A minor", "BI 134", None): "Mazurka in A minor, BI 134",
        ("Waltz", "A minor", None, None): "Waltz in A minor",
    }
    assert {columns: work_text(piece(*columns), language="en") for columns in names} == names
    shown = [text(tree(work(piece(*columns), language="en"))) for columns in names]
    assert shown == [name.replace(",", "") for name in names.values()]


def test_work_shows_every_piece_of_the_catalogue():
    pieces = list(catalogue())
    assert len(pieces) == 214
    for each in pieces:
        words = text(tree(work(each, language="en")))
        letter, accidental, mode = re.fullmatch(r"(\w)(-sharp|-flat)? (\w+)", each.key).groups()
        sign = {"-sharp": "♯", "-flat": "♭", None: ""}[accidental]
        assert f" in {letter}{sign} {mode}" in words
        assert not re.search(r"flat|sharp|Etude|None|stored", words)


def test_work_falls_back_to_the_stored_name():
    for columns in ({"title": ""}, {"key": ""}, {"key": "H-Dur"}, {"title": None, "key": None}):
        unknown = piece(**columns, name="Something by hand")
        shown = tree(work(unknown, language="en"))
        assert text(shown) == work_text(unknown, language="en") == "Something by hand", columns
        assert classes(shown) == ["work"]
        assert not every(shown, look="opus")


def test_category_is_in_english_outside_administration():
    english = {
        "Etiuda op. 10 nr 4": "Étude op. 10 nr 4",
        "Nokturn op. 9": "Nocturne op. 9",
        "Mazurek": "Mazurka",
        "Scherzo": "Scherzo",
        "Nokturny": "Nokturny",
    }
    for stored, shown in english.items():
        nameless = piece(title="", key="", name=stored)
        assert text(tree(work(nameless, language="en"))) == work_text(nameless, language="en") == shown
        assert text(tree(work(nameless, language="en", as_stored=True))) == stored
        assert work_text(nameless, language="en", as_stored=True) == stored
        named = piece(title=stored.split()[0], key="A minor", opus=None, number=None)
        assert work_text(named, language="en") == f"{shown.split()[0]} in A minor"
