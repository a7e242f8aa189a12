"""Test the detection of a participant file's encoding, and the refusal of binary files."""

import io
import zipfile

import pytest
from django.core.exceptions import ValidationError

from apps.imports.enums import FileEncoding
from apps.imports.tables.encodings import NOT_UTF_8, EncodingGuess, encoding_guess, other_spellings, text_read
from tests.apps.imports.participant_files import ZOFIA, file_of, read
from tests.offenders import check_each


def test_file_is_read_alike_in_each_encoding():
    for encoding, expected in (
        *(("utf-8", FileEncoding.UTF_8), ("utf-8-sig", FileEncoding.UTF_8)),
        *((encoding, FileEncoding.UTF_16) for encoding in ("utf-16", "utf-16-le", "utf-16-be")),
        ("windows-1250", FileEncoding.WINDOWS_1250),
    ):
        content = file_of(ZOFIA, "Ondřej|Přibyslav|Czechia|||||", encoding=encoding)
        assert encoding_guess(content).encoding == expected, encoding
        names = [(row.first_name, row.last_name) for row in read(content)]
        assert names == [("Zofia", "Łęcka"), ("Ondřej", "Přibyslav")], encoding


def test_letters_of_names_decide_between_windows_encodings():
    files = (
        (FileEncoding.WINDOWS_1252, "Iñigo|Ibáñez|Spain"),
        (FileEncoding.WINDOWS_1252, "Hélène|Molière|France"),
        (FileEncoding.WINDOWS_1252, "João|Simões|Brazil"),
        (FileEncoding.WINDOWS_1252, "Søren|Kjærgaard|Denmark"),
        (FileEncoding.WINDOWS_1250, "Łukasz|Wróblewski-Gałczyński|Polska"),
        (FileEncoding.WINDOWS_1250, "Ivo|Kovačević|Croatia"),
        (FileEncoding.WINDOWS_1250, "Jiří|Dvořák|Czechia"),
        (FileEncoding.WINDOWS_1250, "Győző|Erdős|Hungary"),
    )

    def check(case):
        encoding, names = case
        assert encoding_guess(file_of(f"{names}|||||", encoding=encoding)).encoding == encoding

    check_each(files, check)


ROWS = {
    "pl": "Łukasz|Wróblewski|Polska;Małgorzata|Żółkiewska|Polska;Święta|Dąbrowska|Polska;Agnieszka|Ćwiklińska|Polska",
    "cs": "Jiří|Dvořák|Česko;Tomáš|Kučera|Česko;Zdeněk|Růžička|Česko;Žofie|Šťastná|Česko;Matěj|Hříbek|Česko",
    "de": "Jürgen|Müller|Österreich;Käthe|Größner|Deutschland;Günther|Weiß|Deutschland;Björn|Köhler|Deutschland",
    "fr": "Maëlle|Gauthier|France;François|Lefèvre|France;Hélène|Côté|Canada;Élodie|Grün|Suisse;Jérôme|Bésnard|France",
    "no": "Øystein|Åsheim|Norge;Bjørn|Sæther|Norge;Søren|Kjærgaard|Danmark;Åse|Bjørnstad|Norge",
    "ga": "Seán|O’Sheaghdha|Éire;Caoimhín|Ó Súilleabháin|Éire;Róisín|Ní Dhonnchadha|Éire",
    "ru": "Ольга|Щербакова|Россия;Евгений|Кисин|Россия;Юлианна|Авдеева|Россия;Даниил|Трифонов|Россия",
    "he": "יבגני|קיסין|ישראל;דניאל|לוי|ישראל;מיכל|כהן|ישראל",
    "ar": "عمر|حسن|مصر;ليلى|الخطيب|لبنان;محمد|القباني|سوريا",
    "zh": "云迪|李|中国;雨佳|王|中国;子瑜|张|中国;天遥|吕|中国;泽宇|孙|中国",
    "ko": "성진|조|대한민국;윤찬|임|대한민국;혁|이|대한민국;효|이|대한민국",
    "ja": "知治|牛田|日本;愛実|小林|日本;恭平|反田|日本;ひかる|桑原|日本;マリア|ガルシア|スペイン",
}


def rows_in(language: str) -> list[str]:
    return [f"{row}|||||" for row in ROWS[language].split(";")]


def test_encodings_other_than_unicode_are_guessed_but_never_sure():
    for encoding, languages in (
        (FileEncoding.WINDOWS_1250, ["pl", "cs"]),
        (FileEncoding.ISO_8859_2, ["pl", "cs"]),
        (FileEncoding.WINDOWS_1252, ["de", "fr", "no", "ga"]),
        (FileEncoding.WINDOWS_1251, ["ru"]),
        (FileEncoding.GB18030, ["zh"]),
        (FileEncoding.EUC_KR, ["ko"]),
        (FileEncoding.SHIFT_JIS, ["ja"]),
    ):
        for language in languages:
            rows = rows_in(language)
            content, text = file_of(*rows, encoding=codec(encoding)), file_of(*rows).decode()
            assert encoding_guess(content).is_sure is False, encoding
            assert text_read(content, encoding) == text, (encoding, language)
            assert text_read(content, encoding_guess(content).encoding) == text, (encoding, language)
            assert encoding_guess(file_of(*rows)) == EncodingGuess(FileEncoding.UTF_8, is_sure=True), language


def test_file_in_an_encoding_that_is_not_offered_is_refused():
    cases = (("mac-roman", "fr"), ("koi8-r", "ru"), ("windows-1255", "he"), ("windows-1256", "ar"), ("euc-jp", "ja"))

    def check(case):
        encoding, language = case
        with pytest.raises(ValidationError) as refused:
            read(file_of(*rows_in(language), encoding=encoding))
        assert refused.value.messages == [NOT_UTF_8]

    check_each(cases, check)


def test_word_is_spelled_in_each_encoding_that_fits_it():
    central, western, cyrillic = FileEncoding.WINDOWS_1250, FileEncoding.WINDOWS_1252, FileEncoding.WINDOWS_1251
    for text, encoding, others in (
        ("Zofia Łęcka, Ivo Kovačević", central, {central: "Kovačević", western: "Kovaèeviæ"}),
        ("Ольга", cyrillic, {cyrillic: "Ольга", central: "Îëüăŕ", western: "Îëüãà"}),
        ("Łęcka Nowak", central, {}),
        ("Nowak", central, {}),
    ):
        assert other_spellings(text, encoding) == others, text


def codec(encoding: FileEncoding) -> str:
    return {"euc-kr": "cp949", "shift_jis": "cp932", "macintosh": "mac-roman"}.get(encoding, encoding)


def test_every_offered_encoding_is_read():
    for encoding in FileEncoding:
        assert "Zofia" in text_read(file_of("Zofia|Nowak|Poland|||||", encoding=codec(encoding)), encoding), encoding


def test_another_encoding_may_be_chosen():
    assert "Łęcka" in text_read(file_of(ZOFIA, encoding="windows-1250"), FileEncoding.WINDOWS_1250)
    assert "£êcka" in text_read(file_of(ZOFIA, encoding="windows-1250"), FileEncoding.WINDOWS_1252)


def zipped() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("participants.csv", file_of(ZOFIA))
    return written.getvalue()


def test_binary_and_empty_files_are_refused():
    for content in (
        b"",
        b" \r\n \n",
        b"\xef\xbb\xbf",
        zipped(),
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\xff\xd8\xff\xe0\x10JFIF\x01",
        file_of("Zo\x00fia|Nowak|Poland|||||"),
        file_of("Zo\x1bfia|Nowak|Poland|||||"),
        b"\xff\xfeA",
    ):
        with pytest.raises(ValidationError, match="Error reading file"):
            read(content)
