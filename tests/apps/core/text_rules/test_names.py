"""Test folding and shortening of names."""

from hypothesis import given
from hypothesis import strategies as st

from apps.core.text_rules import fold, initials, name_key, search_texts

FOLDED = {
    "Kałduński": "kaldunski",
    "Kałdun\u0301ski": "kaldunski",
    "  Wróblewska-Łęcka \n Zofia ": "wroblewska-lecka zofia",
    "Þórdís": "thordis",
    "d’Hautecombe": "d'hautecombe",
    "": "",
    "\x00": "",
}
SEARCHED = {
    "云迪 李": ["李云迪", "liyundi", "yundi li"],
    "Seong-jin Cho": ["seong-jin cho", "seongjincho", "choseongjin"],
    "Jürgen Müller": ["jurgen muller", "mullerjurgen"],
}
SPELLINGS = (
    ["Seong-jin", "Seongjin", "Seong Jin", "SEONG\u2010JIN", "Seong\u200bjin"],
    ["O’Sheaghdha", "O'Sheaghdha", "OSheaghdha", "Ó Sheaghdha", "O\u02bcSheaghdha"],
    ["Müller", "Mueller", "Mu\u0308ller", "Muller", "ＭÜLLER"],
    ["Øystein Åsheim", "Oeystein Aasheim", "Oystein A\u030asheim"],
    ["Юлия Йовкова", "Юлия И\u0306овкова"],
    ["조성진", "\u110c\u1169성진", "조 성진"],
    ["יֶבְגֶנִי", "יבגני"],
    ["عُمَر", "عمر", "عمـر"],
    ["ガルシア", "ｶﾞﾙｼｱ", "カ\u3099ルシア"],
)
INITIALS = {
    "Zofia Wróblewska-Łęcka": "ZW",
    "Tomás Villaseñor Ibáñez": "TV",
    "Maëlle d’Hautecombe": "MH",
    "Ludwig van Anderen": "LA",
    "una_corda": "U",
    "_4": "4",
    "김민준": "김",
    "": "",
}


def test_fold_uses_plain_letters():
    assert {text: fold(text) for text in FOLDED} == FOLDED


def test_search_texts_contain_the_keys_of_a_name_in_either_order():
    queries = [(name, query) for name, typed in SEARCHED.items() for query in typed]
    assert not [(name, query) for name, query in queries if query not in search_texts(name)]


def test_spellings_of_one_name_have_one_key():
    assert not [names for names in SPELLINGS if len({name_key(fold(name)) for name in names}) != 1]


@given(st.text())
def test_fold_is_idempotent_lower_case_ascii(text):
    folded = fold(text)
    assert folded.isascii()
    assert folded == folded.lower() == " ".join(folded.split())
    assert fold(folded) == folded


@given(st.text(), st.text())
def test_fold_of_a_name_contains_the_fold_of_its_words(first, second):
    assert all(word in fold(f"{first} {second}") for word in fold(first).split())


def test_initials_are_one_or_two_capitals():
    assert {name: initials(name) for name in INITIALS} == INITIALS


@given(st.text())
def test_initials_never_exceed_two_letters(name):
    assert len(initials(name)) <= 2
