-- One announcement for each change that followers are notified of, in the transaction of the change. A further change of
-- the same subject before the announcement is taken puts it off, so that only what still holds is announced.
CREATE FUNCTION announcement_add(
    of_change text, of_stage bigint, of_session bigint, of_participant bigint, was jsonb
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO announcements (change, stage_id, session_id, participant_id, before, due_at)
    VALUES (of_change, of_stage, of_session, of_participant, was, clock_timestamp() + interval '10 seconds')
    ON CONFLICT (change, stage_id, session_id, participant_id) WHERE taken_until IS NULL AND finished_at IS NULL
    DO UPDATE SET due_at = EXCLUDED.due_at
$$;

CREATE FUNCTION announcement_of_stage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'sessions' THEN
        PERFORM announcement_add('stage', NULL, NEW.id, NULL, NULL);
    ELSE
        PERFORM announcement_add('stage', NULL, NEW.session_id, NULL, NULL);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER announcement_of_performer AFTER UPDATE OF is_performing ON session_participants
FOR EACH ROW WHEN (NEW.is_performing AND NOT OLD.is_performing) EXECUTE FUNCTION announcement_of_stage();
CREATE TRIGGER announcement_of_live AFTER UPDATE OF is_live ON sessions
FOR EACH ROW WHEN (NEW.is_live AND NOT OLD.is_live) EXECUTE FUNCTION announcement_of_stage();

-- Another order of playing of the live session, with appearances that were added or taken out, changes who comes next.
CREATE FUNCTION announcement_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announcement_add('stage', NULL, session.id, NULL, NULL) FROM sessions AS session
    WHERE session.is_live AND session.id IN (OLD.session_id, NEW.session_id);
    RETURN NULL;
END $$;
CREATE TRIGGER announcement_of_order AFTER INSERT OR DELETE OR UPDATE OF session_id, participant_id, order_number
ON session_participants FOR EACH ROW EXECUTE FUNCTION announcement_of_order();

-- `before` is what followers know of the appearance: whether it was planned, and for when. An appearance whose times are
-- long over moves for no follower, unless its session is live.
CREATE FUNCTION announcement_of_plan() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    session_stage bigint;
    session_live boolean;
BEGIN
    SELECT stage_id, is_live INTO session_stage, session_live FROM sessions WHERE id = NEW.session_id;
    IF session_live OR greatest(OLD.starts_at, OLD.planned_start, NEW.starts_at, NEW.planned_start)
        > now() - interval '1 day'
    THEN
        PERFORM announcement_add('moved', NULL, NEW.session_id, NEW.participant_id, jsonb_build_object(
            'starts_at', OLD.starts_at, 'planned_start', OLD.planned_start, 'stage_id', session_stage,
            'is_new', TG_OP = 'INSERT', 'is_planned', TG_OP = 'UPDATE' AND OLD.cancelled_at IS NULL
        ));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER announcement_of_new_plan AFTER INSERT ON calendar_entries
FOR EACH ROW WHEN (NEW.participant_id IS NOT NULL) EXECUTE FUNCTION announcement_of_plan();
CREATE TRIGGER announcement_of_plan AFTER UPDATE ON calendar_entries
FOR EACH ROW WHEN (
    NEW.participant_id IS NOT NULL
    AND (OLD.starts_at, OLD.planned_start, OLD.cancelled_at IS NULL)
        IS DISTINCT FROM (NEW.starts_at, NEW.planned_start, NEW.cancelled_at IS NULL)
)
EXECUTE FUNCTION announcement_of_plan();

CREATE FUNCTION announcement_of_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announcement_add('outcome', stage_id, NULL, NULL, NULL)
    FROM (SELECT DISTINCT stage_id FROM added ORDER BY stage_id) AS of_stage;
    RETURN NULL;
END $$;
CREATE TRIGGER announcement_of_outcome AFTER INSERT ON stage_advancements
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announcement_of_outcome();
