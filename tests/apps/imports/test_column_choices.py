"""Test columns that are matched by hand, and pieces that are chosen of several, in files of participants and jurors."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.competition.models import ImportedPerformance, Participant
from apps.competition.services.catalogue import catalogue_load
from apps.imports.enums import ImportState, RowProblem
from apps.imports.models import HeaderChoice, ParticipantImport
from apps.imports.participant_files.columns import ColumnsMissing
from apps.imports.participant_files.reading import reading_guess
from apps.imports.selectors.jury_files import jury_file_get, jury_file_preview
from apps.imports.selectors.participant_files import import_get, import_rows
from apps.imports.services.jury_files import jury_columns_choose, jury_file_store
from apps.imports.services.participant_files import (
    import_columns_choose,
    import_piece_choose,
    participant_file_keep,
    participant_file_store,
)
from apps.imports.services.participant_saving import import_save
from tests.apps.imports.jury_files import NAMES, WHOLE
from tests.apps.imports.participant_files import stored
from tests.apps.imports.workbooks import workbook_of
from tests.factories import ParticipantFactory, StageFactory

pytestmark = pytest.mark.django_db
TEXT = "Prénom;Nom;Pays;Année\nZofia;Nowak;Pologne;2001\nEwa;Lis;Pologne;2002\nJan;Kos;Pologne;\nAnna;Mak;Pologne;"
BY_HAND = {"prenom": "FirstName", "nom": "LastName", "pays": "Country", "annee": "BirthYear"}


def people_only(content):
    guess = reading_guess(content)
    return type(guess)(guess.kind, guess.encoding, guess.delimiter, is_people_only=True)


def refused(admin, content: bytes) -> ParticipantImport:
    """Keep a file that lacks its columns as the upload does, read as people only."""
    with pytest.raises(ColumnsMissing) as error:
        participant_file_store(actor=admin, file_name="gens.csv", content=content, reading=people_only(content))
    file = participant_file_keep(actor=admin, file_name="gens.csv", content=content, error=error.value)
    ParticipantImport.objects.filter(pk=file.pk).update(is_people_only=True, delimiter="semicolon")
    return file


def test_columns_of_a_refused_file_are_matched_and_the_choice_is_kept(admin, unprivileged):
    file = refused(admin, TEXT.encode())
    columns = import_get(import_id=file.pk).columns
    assert [(each.name, each.column, each.cells) for each in columns][:2] == [
        ("Prénom", "", ("Zofia", "Ewa", "Jan")),
        ("Nom", "", ("Nowak", "Lis", "Kos")),
    ]
    with pytest.raises(PermissionDenied):
        import_columns_choose(actor=unprivileged, import_id=file.pk, chosen=BY_HAND)
    for chosen, sentence in (
        ({"nom": "Password"}, "choose a column of the list"),
        ({"nom": "FirstName", "prenom": "FirstName"}, "Two columns are FirstName"),
    ):
        with pytest.raises(ValidationError, match=sentence):
            import_columns_choose(actor=admin, import_id=file.pk, chosen=chosen)
    assert not HeaderChoice.objects.exists()
    assert not import_columns_choose(actor=admin, import_id=file.pk, chosen={"nom": "LastName"})
    assert import_columns_choose(actor=admin, import_id=file.pk, chosen=BY_HAND)
    shown = import_get(import_id=file.pk)
    assert (shown.state, shown.counts.new, [each.is_chosen for each in shown.columns]) == (
        *(ImportState.PREVIEW, 4),
        [True] * 4,
    )
    import_save(actor=admin, import_id=file.pk)
    assert Participant.objects.get(second_name="Nowak").birth_year == 2001
    workbook = workbook_of([line.split(";") for line in TEXT.replace("Zofia", "Olga").splitlines()])
    for content in (TEXT.replace("Prénom", "PRENOM").replace("Zofia", "Maja").encode(), workbook):
        again = participant_file_store(actor=admin, file_name="b", content=content, reading=people_only(content))
        assert (import_get(import_id=again.pk).counts.new, import_get(import_id=again.pk).counts.existing) == (1, 3)


def test_columns_can_be_set_to_unused_and_back(admin):
    content = TEXT.replace("Prénom", "FirstName").replace("Nom", "Name").replace("Pays", "Country").encode()
    file = participant_file_store(actor=admin, file_name="a", content=content, reading=people_only(content))
    assert [each.name for each in import_get(import_id=file.pk).columns if not each.column] == ["Année"]
    for column, year in (("BirthYear", 2001), ("-", None), ("BirthYear", 2001), ("", None)):
        import_columns_choose(actor=admin, import_id=file.pk, chosen={"annee": column, "forged": "Program"})
        assert import_rows(import_id=file.pk)[0].birth_year == year
    assert HeaderChoice.objects.get().columns == {}


def test_columns_of_the_jury_are_matched_for_marks_and_matrices(admin):
    for number, (first, second) in enumerate(NAMES, start=1):
        ParticipantFactory(first_name=first, second_name=second, start_number=number)
    stage = StageFactory(name="Stage I")
    long = "\n".join(["Manche;Dossard;Nom;Juré;Note;x", *(line.replace(",", ";") for line in WHOLE)])
    matrix = "Dossard;Nom;Juror One;Juror Two;Chair\n1;Ada Alt;20;21;x\n2;Bo Bach;20;21;\n3;Cleo Ca;20;21;y"
    by_hand = {"dossard": "start_number", "nom": "participant"}
    for text, chosen in (
        (long, {**by_hand, "manche": "stage", "jure": "juror", "note": "score"}),
        (matrix, {**by_hand, "chair": "-"}),
    ):
        jury_file_store(actor=admin, stage_id=stage.pk, content=text.encode())
        before = jury_file_preview(jury_file_get(user_id=admin.id))
        assert (before.sheet, before.columns[0].name, before.columns[0].cells[0]) == (
            *(None, text.split(";")[0]),
            text.splitlines()[1].split(";")[0],
        )
        jury_columns_choose(actor=admin, chosen=chosen)
        after = jury_file_preview(jury_file_get(user_id=admin.id))
        assert (after.sheet.marks, after.can_be_saved) == (6, True)
        jury_file_store(actor=admin, stage_id=stage.pk, content=text.encode())
        assert jury_file_preview(jury_file_get(user_id=admin.id)).can_be_saved


def test_uncertain_piece_offers_its_candidates(admin):
    catalogue_load()
    file = stored(admin, "Zofia|Nowak|Poland|Nocturne Op. 27||||", "Ewa|Lis|Poland|Nocturne Op. 27||||")
    row = import_rows(import_id=file.pk)[0]
    assert (row.problem, len(row.candidates["Nocturne Op. 27"])) == (RowProblem.PIECE_SEVERAL, 2)
    name = row.candidates["Nocturne Op. 27"][1]
    for piece, chosen in (("Nocturne Op. 27", "Scherzo in B minor, Op. 20"), ("Nocturne", name)):
        with pytest.raises(ValidationError):
            import_piece_choose(actor=admin, import_id=file.pk, piece=piece, chosen=chosen)
    import_piece_choose(actor=admin, import_id=file.pk, piece="Nocturne Op. 27", chosen=name)
    assert import_get(import_id=file.pk).counts.new == 2
    import_save(actor=admin, import_id=file.pk)
    assert set(ImportedPerformance.objects.values_list("program", flat=True)) == {name}
