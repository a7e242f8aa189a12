-- A recipient repeats list, kind and award of its prize, so that constraints can name them.
ALTER TABLE prize_recipients ADD CONSTRAINT recipient_as_its_prize
FOREIGN KEY (prize_id, list_id, kind, award) REFERENCES prizes (id, list_id, kind, award)
DEFERRABLE INITIALLY DEFERRED;

-- Only a performer of a stage receives a prize of it.
CREATE FUNCTION prize_of_performer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM session_participants AS plays JOIN prize_lists AS list USING (stage_id)
        WHERE list.id = NEW.list_id AND plays.participant_id = NEW.participant_id
    ) THEN
        RAISE EXCEPTION 'participant % does not play in the stage of prize list %', NEW.participant_id, NEW.list_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'prize_of_performer', TABLE = 'prize_recipients';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER prize_of_performer BEFORE INSERT OR UPDATE OF list_id, participant_id ON prize_recipients
FOR EACH ROW EXECUTE FUNCTION prize_of_performer();
