"""Test that every work of the catalogue is recognised when written in full in each style and language."""

from apps.competition.works import Work, works
from apps.imports.program_lines.catalogue import POSTHUMOUS
from tests.apps.imports.program_lines import MATCHED, one
from tests.offenders import check_each

# Opus and number of a work: in the languages of the table of works, and in English.
PLACES = {
    "pl": ("op. {}", " nr {}"),
    "de": ("op. {}", " Nr. {}"),
    "fr": ("opus {}", " n° {}"),
    "ja": ("作品{}", "-{}"),
    "zh": ("作品{}", "之{}"),
    "ko": ("작품번호 {}", " {}번"),
}


def styles(work: Work) -> list[str]:
    """Return a work of the catalogue, written in each style."""
    texts = [work.name, work.name.upper(), work.name.replace(",", ""), f"• {work.name} (3:05)"]
    if work.opus == POSTHUMOUS:
        return texts
    number = work.number or ""
    signed = work.key.replace("-sharp", "♯").replace("-flat", "♭")
    opus = f"Op.{work.opus}" if work.opus.isdecimal() else work.opus
    texts.append(f"Chopin: {work.title} in {signed} {opus}" + (f"/{number}" if number else ""))
    for language, (title, key) in work.translations.items():
        before, behind = PLACES[language]
        place = before.format(work.opus) if work.opus.isdecimal() else work.opus
        place += behind.format(number) if number else ""
        texts.append(f"{key} ({place})")
        if len(title) > 1:  # 春 alone is also an unknown word
            texts += [f"{title} {key} {place}", f"{key} {title}, {place}", f"{title} {place} {key}"]
    return texts


def test_every_work_in_every_style_is_matched(catalogue):
    def check(case):
        text, piece = case
        line = one(text, catalogue)
        assert (line.status, [match.piece.id for match in line.pieces]) == (MATCHED, [piece]), text

    cases = [(text, piece) for piece, work in enumerate(works(), start=1) for text in styles(work)]
    check_each(cases, check, at_least=5000)
