-- Only a performer of a stage advances from it.
CREATE FUNCTION advancement_of_performer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM session_participants WHERE (stage_id, participant_id) = (NEW.stage_id, NEW.participant_id)
    ) THEN
        RAISE EXCEPTION 'participant % does not play in stage %', NEW.participant_id, NEW.stage_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'advancement_of_performer', TABLE = 'stage_advancements';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER advancement_of_performer BEFORE INSERT OR UPDATE OF stage_id, participant_id ON stage_advancements
FOR EACH ROW EXECUTE FUNCTION advancement_of_performer();
