"""A mark of a piece needs the piece in the program of its performance, whichever of the two is written.

A program is replaced and reordered by many statements and may name a piece twice, so this is no foreign key. The
services lock the program's entries before the marks (`program_locks.py`), so the triggers refuse only what bypasses them.
Marks whose piece has left the program are deleted: no page could explain them, and they counted all the same.
"""

from django.db import migrations

BESIDE_THE_VERSION_BEFORE = (
    "What the version before would leave without a piece is refused with an error; it shows the marks that go nowhere."
)

IN_PROGRAM = """
EXISTS (
    SELECT FROM session_participant_pieces AS entry
    WHERE entry.session_participant_id = {of}.session_participant_id AND entry.piece_id = {of}.piece_id
)
"""
REFUSAL = """
    RAISE foreign_key_violation USING
        MESSAGE = 'a mark of a piece needs the piece in the program', CONSTRAINT = 'piece_rating_in_program';
"""
MARKED = f"""
CREATE FUNCTION piece_ratings_in_program() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- the entries stay as they are until this transaction ends
    PERFORM FROM session_participant_pieces AS entry
    WHERE (entry.session_participant_id, entry.piece_id) IN (
        SELECT session_participant_id, piece_id FROM rows_after
    ) ORDER BY entry.id FOR SHARE;
    IF EXISTS (SELECT FROM rows_after AS mark WHERE NOT {IN_PROGRAM.format(of="mark")}) THEN {REFUSAL}
    END IF;
    RETURN NULL;
END
$$
"""
LEFT = f"""
CREATE FUNCTION program_entries_rated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM rows_before AS gone JOIN piece_ratings AS mark
            ON mark.session_participant_id = gone.session_participant_id AND mark.piece_id = gone.piece_id
        WHERE NOT {IN_PROGRAM.format(of="gone")}
    ) THEN {REFUSAL}
    END IF;
    RETURN NULL;
END
$$
"""
STAYS = """
CREATE FUNCTION piece_rating_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE foreign_key_violation USING
        MESSAGE = 'a mark stays with its piece and performance', CONSTRAINT = 'piece_rating_stays';
END
$$
"""
MARK_TRIGGER = """
CREATE TRIGGER piece_ratings_in_program AFTER INSERT ON piece_ratings REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION piece_ratings_in_program()
"""
STAYS_TRIGGER = """
CREATE TRIGGER piece_rating_stays BEFORE UPDATE OF session_participant_id, piece_id ON piece_ratings FOR EACH ROW
WHEN ((OLD.session_participant_id, OLD.piece_id) IS DISTINCT FROM (NEW.session_participant_id, NEW.piece_id))
EXECUTE FUNCTION piece_rating_stays()
"""
ENTRY_TRIGGER = """
CREATE TRIGGER program_entries_rated_{moment} AFTER {moment} ON session_participant_pieces
REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION program_entries_rated()
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0007_stages_archived'),
        ('ratings', '0014_author_lookups'),
    ]

    operations = [
        migrations.RunSQL(
            f"DELETE FROM piece_ratings AS mark WHERE NOT {IN_PROGRAM.format(of='mark')}", migrations.RunSQL.noop
        ),
        migrations.RunSQL(MARKED, "DROP FUNCTION piece_ratings_in_program()"),
        migrations.RunSQL(LEFT, "DROP FUNCTION program_entries_rated()"),
        migrations.RunSQL(STAYS, "DROP FUNCTION piece_rating_stays()"),
        migrations.RunSQL(MARK_TRIGGER, "DROP TRIGGER piece_ratings_in_program ON piece_ratings"),
        migrations.RunSQL(STAYS_TRIGGER, "DROP TRIGGER piece_rating_stays ON piece_ratings"),
        *(
            migrations.RunSQL(
                ENTRY_TRIGGER.format(moment=moment),
                f"DROP TRIGGER program_entries_rated_{moment} ON session_participant_pieces",
            )
            for moment in ("delete", "update")
        ),
    ]
