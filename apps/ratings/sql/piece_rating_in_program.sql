-- A mark of a piece needs the piece in the program of its performance, whichever of the two is written.
-- A program is replaced and reordered by many statements and may name a piece twice, so it is no foreign key. Services
-- lock the program's entries before the marks (apps/competition), so the triggers refuse only writes that bypass them.
CREATE FUNCTION piece_ratings_in_program() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- the entries stay as they are until this transaction ends
    PERFORM FROM session_participant_pieces AS entry
    WHERE (entry.session_participant_id, entry.piece_id) IN (
        SELECT session_participant_id, piece_id FROM rows_after
    ) ORDER BY entry.id FOR SHARE;
    IF EXISTS (SELECT FROM rows_after AS mark WHERE NOT EXISTS (
        SELECT FROM session_participant_pieces AS entry
        WHERE entry.session_participant_id = mark.session_participant_id AND entry.piece_id = mark.piece_id
    )) THEN
        RAISE foreign_key_violation USING
            MESSAGE = 'a mark of a piece needs the piece in the program', CONSTRAINT = 'piece_rating_in_program';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION program_entries_rated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM rows_before AS gone JOIN piece_ratings AS mark
            ON mark.session_participant_id = gone.session_participant_id AND mark.piece_id = gone.piece_id
        WHERE NOT EXISTS (
            SELECT FROM session_participant_pieces AS entry
            WHERE entry.session_participant_id = gone.session_participant_id AND entry.piece_id = gone.piece_id
        )
    ) THEN
        RAISE foreign_key_violation USING
            MESSAGE = 'a mark of a piece needs the piece in the program', CONSTRAINT = 'piece_rating_in_program';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION piece_rating_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE foreign_key_violation USING
        MESSAGE = 'a mark stays with its piece and performance', CONSTRAINT = 'piece_rating_stays';
END
$$;
CREATE TRIGGER piece_ratings_in_program AFTER INSERT ON piece_ratings REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION piece_ratings_in_program();
CREATE TRIGGER piece_rating_stays BEFORE UPDATE OF session_participant_id, piece_id ON piece_ratings FOR EACH ROW
WHEN ((OLD.session_participant_id, OLD.piece_id) IS DISTINCT FROM (NEW.session_participant_id, NEW.piece_id))
EXECUTE FUNCTION piece_rating_stays();
CREATE TRIGGER program_entries_rated_delete AFTER DELETE ON session_participant_pieces
REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION program_entries_rated();
CREATE TRIGGER program_entries_rated_update AFTER UPDATE ON session_participant_pieces
REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION program_entries_rated();
