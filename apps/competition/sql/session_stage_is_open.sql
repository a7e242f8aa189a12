-- A stage that is archived takes no further session.
CREATE FUNCTION session_stage_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE closed timestamptz;
BEGIN
    SELECT archived_at INTO closed FROM stages WHERE id = NEW.stage_id FOR SHARE;
    IF closed IS NOT NULL THEN
        RAISE EXCEPTION 'stage % is archived', NEW.stage_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'session_stage_is_open', TABLE = 'sessions';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER session_stage_is_open BEFORE INSERT ON sessions
FOR EACH ROW EXECUTE FUNCTION session_stage_is_open();
CREATE TRIGGER session_stage_stays_open BEFORE UPDATE OF stage_id ON sessions
FOR EACH ROW WHEN (NEW.stage_id <> OLD.stage_id) EXECUTE FUNCTION session_stage_is_open();
