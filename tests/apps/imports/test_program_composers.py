"""Test program lines of other composers: lines of known composers are unknown, lines of other names are ambiguous."""

from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.matching import Why
from tests.apps.imports.program_lines import AMBIGUOUS, CONTRADICTORY, EXPANDED, MATCHED, NOISE, UNKNOWN, one, short
from tests.offenders import check_each

# Composers of nocturnes, études, mazurkas and other piano music, as programmes write them.
COMPOSERS = """
    Isaac Albéniz;Charles-Valentin Alkan;Anton Arensky;Mily Balakirev;Samuel Barber;Béla Bartók;Amy Beach;
    Lennox Berkeley;Georges Bizet;Felix Blumenfeld;Léon Boëllmann;Mel Bonis;Alexander Borodin;Lili Boulanger;
    York Bowen;Frank Bridge;Ferruccio Busoni;Alfredo Casella;Emmanuel Chabrier;Cécile Chaminade;Ernest Chausson;
    Muzio Clementi;Johann Baptist Cramer;César Cui;Carl Czerny;Stephan Elmas;Frederick Delius;Ernő Dohnányi;
    Théodore Dubois;Jan Ladislav Dussek;Antonín Dvořák;Edward Elgar;George Enescu;Manuel de Falla;Zdeněk Fibich;
    César Franck;Niels Gade;George Gershwin;Alexander Glazunov;Reinhold Glière;Mikhail Glinka;Enrique Granados;
    Reynaldo Hahn;Stephen Heller;Adolf von Henselt;Johann Nepomuk Hummel;Jacques Ibert;Vincent d’Indy;John Ireland;
    Leoš Janáček;Friedrich Kalkbrenner;Sigfrid Karg-Elert;Nikolai Kapustin;Theodor Kirchner;Zoltán Kodály;
    Franciszek Lessel;György Ligeti;Sergei Lyapunov;Guillaume Lekeu;Bohuslav Martinů;Nikolai Medtner;Federico Mompou;
    Olivier Messiaen;Stanisław Moniuszko;Mieczysław Karłowicz;Juliusz Zarębski;Zygmunt Noskowski;Carl Nielsen;
    Vítězslav Novák;Selim Palmgren;Gabriel Pierné;Francis Poulenc;Max Reger;Ottorino Respighi;Gioachino Rossini;
    Albert Roussel;Camille Saint-Saëns;Erik Satie;Florent Schmitt;Déodat de Séverac;Jean Sibelius;Christian Sinding;
    Bedřich Smetana;Josef Suk;Germaine Tailleferre;Alexandre Tansman;Sergei Taneyev;Joaquín Turina;Fartein Valen;
    Heitor Villa-Lobos;Carl Maria von Weber;Mieczysław Weinberg;Grażyna Bacewicz;Witold Lutosławski;Clara Wieck;
    Ester Mägi;Vũ Nhật Tân;Seán Ó Riada;Hjálmar Ragnarsson;Franz Xaver Scharwenka;Agathe Backer Grøndahl;
    Антон Аренский;Сергей Ляпунов;Николай Метнер;Милий Балакирев;Микола Лисенко;פאול בן-חיים;وليد غلمية;
    滝廉太郎;三善晃;武満徹;贺绿汀;王建中;윤이상;진은숙
"""
NAMES = [name.strip() for name in COMPOSERS.replace("\n", " ").split(";")]


def texts_of(name):
    """Return the ways in which programmes write pieces of a composer."""
    surname = name.split()[-1]
    return (
        f"{name}: Nocturne in F minor",
        f"{surname}: Nocturne in F minor",
        f"{name.upper()}: Nocturne in F minor",
        f"{name.lower()}: nocturne in f minor",
        f"{name} – Nocturne in F minor",
        f"{surname} - Nocturne in F minor",
        f"{name}— Mazurka in A minor, Op. 17 No. 4",
        f"{name}: Etude Op. 10 No. 4",
        f"{name}: Nocturnes Op. 27",
        f"{name}: Scherzo Op. 20",
        f"1. {surname}: Nocturne f-moll (5:12)",
        f"{name}, Nocturne in F minor",
        f"{name} Nocturne in F minor",
        f"Nocturne in F minor ({name})",
        f"Nocturne in F minor – {name}",
        f"{name}\nNocturne in F minor",
        f"{name}:\nNocturne in F minor, Op. 55 No. 1",
        f"{name} (1880–1949)\n\nTwo Nocturnes, Op. 27",
        f"{name}: Nocturnes\nNo. 1 in F minor",
        f"{name}\nNocturnes, Op. 55\nNo. 1 in F minor",
        f"{name}\nMazurkas\nin A minor",
    )


def test_pieces_of_other_composers_do_not_match_the_catalogue(catalogue):
    def has_no_match(text):
        return not {line.status for line in program_read(text, catalogue)} & {MATCHED, EXPANDED}

    check_each([text for name in NAMES for text in texts_of(name)], has_no_match, at_least=87 * 21)


def test_line_of_another_composer_offers_the_similar_piece(catalogue):
    line = one("Karg-Elert: Nocturne in F minor", catalogue)
    assert (line.status, short(line.choices), line.why) == (AMBIGUOUS, ["55/1"], Why.OTHER_COMPOSER)


def test_known_composer_in_a_heading_applies_to_its_lines(catalogue):
    for text in ("Liszt: Etude in F minor, Op. 10 No. 9", "Liszt\nEtude in F minor", "LISZT: Études\nNo. 9 in F minor"):
        assert program_read(text, catalogue)[-1].status == UNKNOWN, text


def test_names_of_chopin_and_the_performer_end_the_heading(catalogue):
    for heading in (
        *("Chopin", "Fryderyk Chopin (1810–1849)", "CHOPIN:", "Шопен", "ショパン"),
        *("Stage II", "Zofia Nowak", "NOWAK Zofia, Poland"),
    ):
        text = f"Karg-Elert\nNocturne in F minor\n{heading}\nNocturne in F minor"
        lines = program_read(text, catalogue, names=["Zofia Nowak"])
        assert [line.status for line in lines[1:2] + lines[3:]] == [AMBIGUOUS, MATCHED], heading


def test_other_words_are_no_composer(catalogue):
    texts = (
        "Chopin: Nocturne in F minor",
        "F. Chopin – Nocturne in F minor",
        "Fryderyk Franciszek Chopin: Nokturn f-moll",
        "Шопен: Ноктюрн фа минор",
        "ショパン：ノクターン ヘ短調",
        "Encore: Nocturne in F minor, Op. 55 No. 1",
        "Zofia Nowak: Nocturne in F minor, Op. 55 No. 1",
        "Nocturne in F minor, Op. 55 No. 1 – encore",
        "Nocturne in F minor, Op. 55 No. 1: Andante",
        "Allegro maestoso\nNocturne in F minor",
        "The order of what follows may still change.\nNocturne in F minor",
    )

    def check(text):
        line = program_read(text, catalogue, names=["Zofia Nowak"])[-1]
        assert (line.status, short(line.pieces)) == (MATCHED, ["55/1"])

    check_each(texts, check)


def test_heading_of_other_works_applies_to_its_lines(catalogue):
    for text, statuses in (
        ("Waltzes, Op. 64\nNo. 2 in C-sharp minor", [NOISE, MATCHED]),
        ("Waltzes\nNo. 2 in C-sharp minor", [NOISE, CONTRADICTORY]),
        ("Three Waltzes, Op. 64 (excerpts):\nNo. 2 in C-sharp minor", [AMBIGUOUS, MATCHED]),
        ("Préludes op. 28\nNo. 4 in E minor\nNo. 15 in D-flat major", [NOISE, MATCHED, MATCHED]),
        ("Polonaises Op. 26\nNo. 1 in C-sharp minor", [NOISE, MATCHED]),
        ("Humoresques, Op. 27\nNo. 1 in C-sharp minor", [AMBIGUOUS, AMBIGUOUS]),
    ):
        assert [line.status for line in program_read(text, catalogue)] == statuses, text


def test_heading_with_an_opus_applies_to_its_lines(catalogue):
    lines = program_read("Mazurkas, Op. 24\nNo. 1 in G minor\nNo. 4\nNo. 2 in C-sharp minor", catalogue)
    assert [short(line.pieces) for line in lines] == [[], ["24/1"], ["24/4"], []]
