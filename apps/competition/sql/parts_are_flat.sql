-- A piece of a set has no parts of its own, and a piece with parts is in no set. The locks make two transactions wait
-- for each other, so that the second one sees what the first one stored.
CREATE FUNCTION parts_are_flat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM pieces WHERE id IN (NEW.piece_id, NEW.member_id) ORDER BY id FOR NO KEY UPDATE;
    IF NEW.member_id = NEW.piece_id
        OR EXISTS (SELECT FROM piece_parts WHERE piece_id = NEW.member_id)
        OR EXISTS (SELECT FROM piece_parts WHERE member_id = NEW.piece_id) THEN
        RAISE EXCEPTION 'piece % has or is a part already', NEW.piece_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'parts_are_flat', TABLE = 'piece_parts';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER parts_are_flat BEFORE INSERT OR UPDATE ON piece_parts
FOR EACH ROW EXECUTE FUNCTION parts_are_flat();
-- The time of a part belongs to an item whose piece has this part.
CREATE FUNCTION part_of_its_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM session_participant_pieces AS entry JOIN piece_parts AS part USING (piece_id)
        WHERE entry.id = NEW.entry_id AND part.id = NEW.part_id
    ) THEN
        RAISE EXCEPTION 'item % has no part %', NEW.entry_id, NEW.part_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'part_of_its_entry',
            TABLE = 'session_participant_piece_parts';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER part_of_its_entry BEFORE INSERT OR UPDATE ON session_participant_piece_parts
FOR EACH ROW EXECUTE FUNCTION part_of_its_entry();
-- An item with another piece has none of the former piece's parts.
CREATE FUNCTION parts_leave_with_piece() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM session_participant_piece_parts WHERE entry_id = NEW.id;
    RETURN NEW;
END $$;
CREATE TRIGGER parts_leave_with_piece AFTER UPDATE OF piece_id ON session_participant_pieces
FOR EACH ROW WHEN (NEW.piece_id <> OLD.piece_id) EXECUTE FUNCTION parts_leave_with_piece();
