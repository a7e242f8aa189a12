-- Keep what calendars publish of sessions (participant_id is null) and of appearances. An entry outlives its session,
-- because a calendar shows a cancelled event as cancelled. Each change that a calendar shows raises `sequence`.
CREATE FUNCTION calendar_entry_keep(of_session bigint, of_participant bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO calendar_entries AS kept (
        session_id, participant_id, title, starts_at, planned_end, order_number, planned_start, sequence, changed_at
    )
    SELECT session.id, of_participant, session.title, session.starts_at, session.planned_end, appearance.order_number,
        appearance.planned_start, 0, now()
    FROM sessions AS session
    LEFT JOIN session_participants AS appearance
        ON (appearance.session_id, appearance.participant_id) = (session.id, of_participant)
    WHERE session.id = of_session
    ON CONFLICT (session_id, participant_id) DO UPDATE SET
        title = EXCLUDED.title, starts_at = EXCLUDED.starts_at, planned_end = EXCLUDED.planned_end,
        order_number = EXCLUDED.order_number, planned_start = EXCLUDED.planned_start,
        sequence = kept.sequence + 1, changed_at = now(), cancelled_at = NULL
    WHERE (kept.title, kept.starts_at, kept.planned_end, kept.order_number, kept.planned_start, kept.cancelled_at)
        IS DISTINCT FROM (EXCLUDED.title, EXCLUDED.starts_at, EXCLUDED.planned_end, EXCLUDED.order_number,
            EXCLUDED.planned_start, NULL)
$$;

CREATE FUNCTION calendar_session_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE calendar_entries SET cancelled_at = now(), changed_at = now(), sequence = sequence + 1
        WHERE session_id = OLD.id AND cancelled_at IS NULL;
    ELSE
        PERFORM calendar_entry_keep(NEW.id, NULL);
        PERFORM calendar_entry_keep(NEW.id, participant_id) FROM session_participants WHERE session_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER calendar_session_added AFTER INSERT OR DELETE ON sessions
FOR EACH ROW EXECUTE FUNCTION calendar_session_keep();
CREATE TRIGGER calendar_session_changed AFTER UPDATE OF title, starts_at, planned_end ON sessions
FOR EACH ROW WHEN ((OLD.title, OLD.starts_at, OLD.planned_end) IS DISTINCT FROM (NEW.title, NEW.starts_at, NEW.planned_end))
EXECUTE FUNCTION calendar_session_keep();

CREATE FUNCTION calendar_appearance_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE calendar_entries SET cancelled_at = now(), changed_at = now(), sequence = sequence + 1
        WHERE (session_id, participant_id) = (OLD.session_id, OLD.participant_id) AND cancelled_at IS NULL
            AND (TG_OP = 'DELETE' OR (OLD.session_id, OLD.participant_id) <> (NEW.session_id, NEW.participant_id));
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM calendar_entry_keep(NEW.session_id, NEW.participant_id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER calendar_appearance_added AFTER INSERT OR DELETE ON session_participants
FOR EACH ROW EXECUTE FUNCTION calendar_appearance_keep();
CREATE TRIGGER calendar_appearance_changed AFTER UPDATE OF session_id, participant_id, order_number, planned_start
ON session_participants
FOR EACH ROW WHEN (
    (OLD.session_id, OLD.participant_id, OLD.order_number, OLD.planned_start)
    IS DISTINCT FROM (NEW.session_id, NEW.participant_id, NEW.order_number, NEW.planned_start)
)
EXECUTE FUNCTION calendar_appearance_keep();

CREATE FUNCTION calendar_name_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE calendar_entries SET changed_at = now(), sequence = sequence + 1 WHERE participant_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER calendar_name_changed AFTER UPDATE OF name ON participants
FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION calendar_name_keep();

INSERT INTO calendar_entries (
    session_id, participant_id, title, starts_at, planned_end, order_number, planned_start, sequence, changed_at
)
SELECT id, NULL::bigint, title, starts_at, planned_end, NULL::smallint, NULL::timestamptz, 0, now() FROM sessions
UNION ALL
SELECT session.id, appearance.participant_id, session.title, session.starts_at, session.planned_end,
    appearance.order_number, appearance.planned_start, 0, now()
FROM session_participants AS appearance JOIN sessions AS session ON session.id = appearance.session_id;
