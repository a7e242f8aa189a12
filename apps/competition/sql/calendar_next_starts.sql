-- An appearance ends in calendars with the next planned start of its session (`next_start`), so that a change of the
-- next one raises the `sequence` of the one before. Replaces a function of calendar_entries.sql.
CREATE FUNCTION calendar_next_start(of_session bigint, after timestamptz) RETURNS timestamptz STABLE LANGUAGE sql AS $$
    SELECT min(planned_start) FROM session_participants WHERE session_id = of_session AND planned_start > after
$$;

CREATE OR REPLACE FUNCTION calendar_entry_keep(of_session bigint, of_participant bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO calendar_entries AS kept (
        session_id, participant_id, title, starts_at, planned_end, order_number, planned_start, next_start, sequence,
        changed_at
    )
    SELECT session.id, of_participant, session.title, session.starts_at, session.planned_end, appearance.order_number,
        appearance.planned_start, calendar_next_start(session.id, appearance.planned_start), 0, now()
    FROM sessions AS session
    LEFT JOIN session_participants AS appearance
        ON (appearance.session_id, appearance.participant_id) = (session.id, of_participant)
    WHERE session.id = of_session
    ON CONFLICT (session_id, participant_id) DO UPDATE SET
        title = EXCLUDED.title, starts_at = EXCLUDED.starts_at, planned_end = EXCLUDED.planned_end,
        order_number = EXCLUDED.order_number, planned_start = EXCLUDED.planned_start, next_start = EXCLUDED.next_start,
        sequence = kept.sequence + 1, changed_at = now(), cancelled_at = NULL
    WHERE (
        kept.title, kept.starts_at, kept.planned_end, kept.order_number, kept.planned_start, kept.next_start,
        kept.cancelled_at
    ) IS DISTINCT FROM (
        EXCLUDED.title, EXCLUDED.starts_at, EXCLUDED.planned_end, EXCLUDED.order_number, EXCLUDED.planned_start,
        EXCLUDED.next_start, NULL
    )
$$;

-- Once a statement: those that the statement did not change itself, and whose next start it changed.
CREATE FUNCTION calendar_next_starts_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN -- only then there is a table `before`
        IF NOT EXISTS (
            SELECT FROM changed JOIN before USING (id)
            WHERE (changed.session_id, changed.planned_start) IS DISTINCT FROM (before.session_id, before.planned_start)
        ) THEN
            RETURN NULL;
        END IF;
    END IF;
    UPDATE calendar_entries AS kept SET next_start = later.starts, sequence = kept.sequence + 1, changed_at = now()
    FROM (
        SELECT entry.id, calendar_next_start(entry.session_id, entry.planned_start) AS starts
        FROM calendar_entries AS entry
        WHERE entry.session_id IN (SELECT session_id FROM changed) AND entry.cancelled_at IS NULL
    ) AS later
    WHERE kept.id = later.id AND kept.next_start IS DISTINCT FROM later.starts;
    RETURN NULL;
END $$;
CREATE TRIGGER calendar_next_starts_added AFTER INSERT ON session_participants
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION calendar_next_starts_keep();
CREATE TRIGGER calendar_next_starts_changed AFTER UPDATE ON session_participants
REFERENCING NEW TABLE AS changed OLD TABLE AS before
FOR EACH STATEMENT EXECUTE FUNCTION calendar_next_starts_keep();
CREATE TRIGGER calendar_next_starts_removed AFTER DELETE ON session_participants
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION calendar_next_starts_keep();

UPDATE calendar_entries SET next_start = calendar_next_start(session_id, planned_start) WHERE planned_start IS NOT NULL;
