-- The stage of an appearance is that of its session. The session is locked FOR SHARE against a concurrent move.
CREATE FUNCTION appearance_stage_set() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT stage_id INTO NEW.stage_id FROM sessions WHERE id = NEW.session_id FOR SHARE;
    RETURN NEW;
END $$;
CREATE TRIGGER appearance_stage_set BEFORE INSERT OR UPDATE OF session_id, stage_id ON session_participants
FOR EACH ROW EXECUTE FUNCTION appearance_stage_set();

-- The appearances follow their session into another stage.
CREATE FUNCTION session_appearances_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE session_participants SET stage_id = NEW.stage_id WHERE session_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER session_appearances_move AFTER UPDATE OF stage_id ON sessions
FOR EACH ROW WHEN (NEW.stage_id <> OLD.stage_id) EXECUTE FUNCTION session_appearances_move();
