"""Test the first hit of queries that listeners type."""

import pytest

from tests.apps.search.places import first
from tests.offenders import check_each

QUERIES = {
    "piece Étude in C minor, op. 10 no. 12": [
        *("etude c minor", "Rewolucyjna", "rewol", "revolutionary etude", "etiuda rewolucyjna", "Rewolucjna"),
        *("Etiudę Rewolucyjną", "Revolutionsetüde", "혁명", "Etude no 12"),
    ],
    "participant Jan Kałduński": [
        *("kaldunski", "Kałduński", "Kałduński Jan", "jan kaldunski", "KAŁDUŃSKI, Jan", "Ka\u0142dun\u0301ski"),
        *("kaldu", "kald ja", "kaldunksi", "kaldunskki jan", "17", "nr 17"),
        *("Kałduńskiego", "Janem Kałduńskim", "Janowi Kałduńskiemu", "J. Kałduński", "Kałduński J."),
    ],
    "participant David Khrikuli": ["Khrikuli", "Khirkuli", "david khirkuli", "khirkul", "Khrikuly", "ხრიკული"],
    "participant Hyo-jin Lee": ["hyo jin lee", "Hyo-jin Lee", "hyojin", "Lee Hyo-jin", "이효진", "효진"],
    "participant Kai-Min Chang": ["kai-min zhang"],
    "participant Yuewen Zhang": ["zhang"],
    "participant Chun Lam Ng": ["chunlam ng"],
    "participant Kevin Chen": ["kevin c", "kevin chen", "chen"],
    "participant Zuzanna Wąsik-Müller": ["wasik", "Wąsik-Müller", "müller zuzanna", "muller", "mueller"],
    "participant Ærøskøbing Straßmeyer": ["strassmeyer", "Straßmeyer", "aeroskobing"],
    "participant Zofia Wróblewska-Łęcka": [
        *("wroblewska lecka", "Łęcka", "lecka zofia", "wroblewska-lecka", "Z. Wróblewska", "Z.Wróblewska", "z lecka"),
        *("Zofii Wróblewskiej", "Łęckiej", "Zofię Wróblewską-Łęcką", "Z. Wróblewskiej"),
    ],
    "participant Gülşen Yıldıztepe": ["yildiztepe", "GÜLŞEN"],
    "participant Þórdís Eldjárnsdóttir": ["eldjarnsdottir", "Thordis", "eldjarnsdotir", "iceland"],
    "participant Maëlle d’Hautecombe": ["hautecombe", "d'Hautecombe", "dhautecombe"],
    "participant Himuro Kanade": ["himuro", "Kanade Himuro"],
    "participant Đoàn Vĩnh Kha": ["doan", "vinh kha"],
    "participant Noh Byeol-ha": ["byeol ha"],
    "participant Ondřej Přibyslav": ["pribislav", "pribyslav"],
    "participant Solomiia Verbytska-Hrim": ["hrim"],
    "participant Ștefan Băltărețu": ["baltaretu"],
    "piece Étude in C♯ minor, op. 10 no. 4": [
        *("op 10/4", "op. 10 no. 4", "op10 no4", "op.10/4", "10/4", "opus 10 number 4", "op. 10 nr 4"),
        *("etiuda op 10 nr 4", "etude 10 4", "op. 10 n° 4", "op. 10 n.4", "op. 10 n. 4", "cis-moll", "cis moll etiuda"),
        *("c# minor", "C♯", "c sharp minor etude"),
        *("Csharp minor", "ut dièse mineur", "do diese mineur", "étude en ut dièse mineur"),
        *("嬰ハ短調", "練習曲 嬰ハ短調", "升c小调", "올림다단조 연습곡", "F. Chopin op. 10 n° 4"),
    ],
    "piece Étude in C major, op. 10 no. 1": ["lianxiqu", "chopin", "練習曲", "etudes", "F. Chopin"],
    "piece Étude in G♭ major, op. 10 no. 5": ["Black Keys", "keys black", "Ges-dur", "G flat major", "Gb major etude"],
    "piece Étude in A minor, op. 25 no. 11": ["Winter Wind", "木枯らし", "木"],
    "piece Étude in E major, op. 10 no. 3": ["tristesse"],
    "piece Étude in G♯ minor, op. 25 no. 6": ["tercjowa", "thirds"],
    "piece Nocturne in E♭ major, op. 9 no. 2": [
        "nokturn es-dur op. 9",
        "Nocturne in E flat op 9 no 2",
        "nocturne e♭ 9/2",
        "op 9 nr 2",
    ],
    "piece Nocturne in C♯ minor, op. posth.": [
        *("nocturne posthumous", "nokturn cis-moll op posth", "Nocturne no. 20", "BI 49"),
    ],
    "piece Nocturne in B♭ minor, op. 9 no. 1": ["F. Chopin Nocturne", "Nokturny Chopina"],
    "piece Scherzo in B♭ minor, op. 31": ["scherzo b-moll", "Scherzo no 2", "scherzo 31"],
    "piece Scherzo in B minor, op. 20": ["schezro op 20"],
    "piece Mazurka in A minor, op. 17 no. 4": ["mazurek a-moll op 17", "mazurka 17/4"],
    "piece Sonata in C minor, op. 4": ["op 4", "op. 4", "opus 4", "op4"],
    "piece Mazurkas, op. 24 nos. 1–4": ["mazurkas op 24"],
    "piece Mazurka in F♯ minor, op. 6 no. 1": ["mazurki"],
    "piece Mazurka in D major, BI 71": ["BI 71"],
    "stage Stage I": ["Stage 1", "first stage"],
    "stage Stage II": ["stage II", "stage two"],
    "stage Stage III": ["Etap 3", "round 3"],
    "stage Final": ["final", "finał"],
    "stage Preliminary Round": ["preliminary"],
    "session Preliminary Round, first day": ["first day"],
    "session Stage I, opening session": ["stage 1 opening"],
    "session Stage I, closing session": ["closing session"],
    "news How the order of playing was drawn": ["order of playing"],
    "news Four pianos wait behind the stage": ["four pianos"],
    "news A listener’s guide to the mazurkas": ["listener's guide"],
    "post Halfway through the live session and my programme has more exclamation marks…": ["exclamation marks"],
    "post It is four in the morning in Valparaíso.": ["valparaiso"],
    "post To all who want to follow with the notes: a friend has put an edition of the…": ["edition notes"],
}


@pytest.mark.usefixtures("places")
@pytest.mark.django_db
def test_intended_hit_comes_first():
    queries = [(typed, hit) for hit, typed_queries in QUERIES.items() for typed in typed_queries]
    check_each(queries, lambda query: first(query[0]) == query[1], at_least=100)
