"""Queries that a listener types, and the hit that comes first."""

import pytest
from django.db import transaction

from tests.apps.search.places import first, places_load

C4, C12 = "piece Étude in C♯ minor, op. 10 no. 4", "piece Étude in C minor, op. 10 no. 12"
G5, E11 = "piece Étude in G♭ major, op. 10 no. 5", "piece Étude in A minor, op. 25 no. 11"
JAN, DAVID = "participant Jan Kałduński", "participant David Khrikuli"
NOCTURNE = "piece Nocturne in E♭ major, op. 9 no. 2"
POSTHUMOUS = "piece Nocturne in C♯ minor, op. posth."
ZOFIA, YILDIZ = "participant Zofia Wróblewska-Łęcka", "participant Gülşen Yıldıztepe"
THORDIS, MAELLE = "participant Þórdís Eldjárnsdóttir", "participant Maëlle d’Hautecombe"
LEE, WASIK = "participant Hyo-jin Lee", "participant Zuzanna Wąsik-Müller"

QUERIES = {
    "etude c minor": C12,
    "kaldunski": JAN,
    "Kałduński": JAN,
    "Kałduński Jan": JAN,
    "jan kaldunski": JAN,
    "KAŁDUŃSKI, Jan": JAN,
    "Ka\u0142dun\u0301ski": JAN,
    "kaldu": JAN,
    "kald ja": JAN,
    "kaldunksi": JAN,
    "kaldunskki jan": JAN,
    "17": JAN,
    "nr 17": JAN,
    "Khrikuli": DAVID,
    "Khirkuli": DAVID,
    "david khirkuli": DAVID,
    "khirkul": DAVID,
    "Khrikuly": DAVID,
    "hyo jin lee": LEE,
    "Hyo-jin Lee": LEE,
    "hyojin": LEE,
    "Lee Hyo-jin": LEE,
    "kai-min zhang": "participant Kai-Min Chang",
    "zhang": "participant Yuewen Zhang",
    "chunlam ng": "participant Chun Lam Ng",
    "kevin c": "participant Kevin Chen",
    "wasik": WASIK,
    "Wąsik-Müller": WASIK,
    "müller zuzanna": WASIK,
    "muller": WASIK,
    "mueller": WASIK,
    "strassmeyer": "participant Ærøskøbing Straßmeyer",
    "Straßmeyer": "participant Ærøskøbing Straßmeyer",
    "aeroskobing": "participant Ærøskøbing Straßmeyer",
    "kevin chen": "participant Kevin Chen",
    "chen": "participant Kevin Chen",
    "wroblewska lecka": ZOFIA,
    "Łęcka": ZOFIA,
    "lecka zofia": ZOFIA,
    "wroblewska-lecka": ZOFIA,
    "yildiztepe": YILDIZ,
    "GÜLŞEN": YILDIZ,
    "eldjarnsdottir": THORDIS,
    "Thordis": THORDIS,
    "eldjarnsdotir": THORDIS,
    "hautecombe": MAELLE,
    "d'Hautecombe": MAELLE,
    "dhautecombe": MAELLE,
    "himuro": "participant Himuro Kanade",
    "Kanade Himuro": "participant Himuro Kanade",
    "doan": "participant Đoàn Vĩnh Kha",
    "vinh kha": "participant Đoàn Vĩnh Kha",
    "byeol ha": "participant Noh Byeol-ha",
    "pribislav": "participant Ondřej Přibyslav",
    "pribyslav": "participant Ondřej Přibyslav",
    "hrim": "participant Solomiia Verbytska-Hrim",
    "baltaretu": "participant Ștefan Băltărețu",
    "iceland": THORDIS,
    "op 10/4": C4,
    "op. 10 no. 4": C4,
    "op10 no4": C4,
    "op.10/4": C4,
    "10/4": C4,
    "opus 10 number 4": C4,
    "op. 10 nr 4": C4,
    "etiuda op 10 nr 4": C4,
    "etude 10 4": C4,
    "cis-moll": C4,
    "cis moll etiuda": C4,
    "c# minor": C4,
    "C♯": C4,
    "c sharp minor etude": C4,
    "Csharp minor": C4,
    "ut dièse mineur": C4,
    "do diese mineur": C4,
    "étude en ut dièse mineur": C4,
    "嬰ハ短調": C4,
    "lianxiqu": "piece Étude in C major, op. 10 no. 1",
    "chopin": "piece Étude in C major, op. 10 no. 1",
    "練習曲": "piece Étude in C major, op. 10 no. 1",
    "練習曲 嬰ハ短調": C4,
    "Rewolucyjna": C12,
    "rewol": C12,
    "revolutionary etude": C12,
    "etiuda rewolucyjna": C12,
    "Rewolucjna": C12,
    "Black Keys": G5,
    "keys black": G5,
    "Ges-dur": G5,
    "G flat major": G5,
    "Gb major etude": G5,
    "Winter Wind": E11,
    "木枯らし": E11,
    "木": E11,
    "tristesse": "piece Étude in E major, op. 10 no. 3",
    "tercjowa": "piece Étude in G♯ minor, op. 25 no. 6",
    "thirds": "piece Étude in G♯ minor, op. 25 no. 6",
    "nokturn es-dur op. 9": NOCTURNE,
    "Nocturne in E flat op 9 no 2": NOCTURNE,
    "nocturne e♭ 9/2": NOCTURNE,
    "op 9 nr 2": NOCTURNE,
    "nocturne posthumous": POSTHUMOUS,
    "nokturn cis-moll op posth": POSTHUMOUS,
    "scherzo b-moll": "piece Scherzo in B♭ minor, op. 31",
    "Scherzo no 2": "piece Scherzo in B♭ minor, op. 31",
    "scherzo 31": "piece Scherzo in B♭ minor, op. 31",
    "schezro op 20": "piece Scherzo in B minor, op. 20",
    "mazurek a-moll op 17": "piece Mazurka in A minor, op. 17 no. 4",
    "mazurka 17/4": "piece Mazurka in A minor, op. 17 no. 4",
    "mazurkas op 24": "piece Mazurka in G minor, op. 24 no. 1",
    "mazurki": "piece Mazurka in F♯ minor, op. 6 no. 1",
    "etudes": "piece Étude in C major, op. 10 no. 1",
    "BI 71": "piece Mazurka in D major, BI 71",
    "Stage 1": "stage Stage I",
    "stage II": "stage Stage II",
    "Etap 3": "stage Stage III",
    "first stage": "stage Stage I",
    "stage two": "stage Stage II",
    "round 3": "stage Stage III",
    "final": "stage Final",
    "finał": "stage Final",
    "preliminary": "stage Preliminary Round",
    "first day": "session Preliminary Round, first day",
    "stage 1 opening": "session Stage I, opening session",
    "closing session": "session Stage I, closing session",
    "order of playing": "news How the order of playing was drawn",
    "four pianos": "news Four pianos wait behind the stage",
    "listener's guide": "news A listener’s guide to the mazurkas",
    "exclamation marks": "post Halfway through the live session and my programme has more exclamation marks…",
    "valparaiso": "post It is four in the morning in Valparaíso.",
    "edition notes": "post Whoever wants to follow with the notes: a friend has put an edition of the…",
}


@pytest.fixture(scope="module")
def places(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        places_load()
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("places")
@pytest.mark.django_db
@pytest.mark.parametrize(("typed", "expected"), QUERIES.items())
def test_the_hit_that_was_meant_comes_first(typed, expected):
    assert first(typed) == expected


def test_there_are_a_hundred_queries():
    assert len(QUERIES) >= 100
