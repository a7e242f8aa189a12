-- Keep one row for each user's rating of a performance. Its figures leave out the marks of closed accounts; `given_at`
-- is of all marks, so the row stays. The function locks each changed rating's row before it reads the marks: of two
-- transactions that change marks of one rating, the later one reads what the earlier one wrote. It finds the marks by
-- pairs of user and place (one index), also while PostgreSQL has no statistics and would scan whole tables.
CREATE FUNCTION rating_submissions_keep() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO off AS $$
DECLARE
    users bigint[];
    places bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(user_id), array_agg(session_participant_id) INTO users, places
        FROM (SELECT DISTINCT user_id, session_participant_id FROM rows_after) AS changed;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(user_id), array_agg(session_participant_id) INTO users, places
        FROM (SELECT DISTINCT user_id, session_participant_id FROM rows_before) AS changed;
    ELSE
        SELECT array_agg(user_id), array_agg(session_participant_id) INTO users, places
        FROM (SELECT DISTINCT user_id, session_participant_id FROM (
            (
                SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active
                FROM rows_before
                EXCEPT
                SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active
                FROM rows_after
            )
            UNION ALL
            (
                SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active
                FROM rows_after
                EXCEPT
                SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active
                FROM rows_before
            )
        ) AS both_sides) AS changed;
    END IF;
    IF users IS NULL THEN
        RETURN NULL;
    END IF;
    -- takes the rows, in one order, before the marks are read; they are there where marks were
    IF TG_OP = 'INSERT' THEN
        INSERT INTO rating_submissions (user_id, session_participant_id)
        SELECT user_id, place FROM unnest(users, places) AS changed (user_id, place) ORDER BY user_id, place
        ON CONFLICT (user_id, session_participant_id)
        DO UPDATE SET session_participant_id = EXCLUDED.session_participant_id;
    ELSE
        PERFORM FROM rating_submissions AS kept, unnest(users, places) AS changed (user_id, place)
        WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
        ORDER BY kept.user_id, kept.session_participant_id FOR UPDATE OF kept;
    END IF;
    UPDATE rating_submissions AS kept SET
        waiting_pieces = found.waiting_pieces, waiting_points = found.waiting_points,
        approved_pieces = found.approved_pieces, approved_points = found.approved_points,
        given_at = found.given_at, shown_at = found.shown_at, waiting_at = found.waiting_at
    FROM unnest(users, places) AS changed (user_id, place), LATERAL (
        SELECT
            count(*) FILTER (WHERE is_author_active AND of_piece AND NOT approved) AS waiting_pieces,
            coalesce(sum(score) FILTER (WHERE is_author_active AND of_piece AND NOT approved), 0) AS waiting_points,
            count(*) FILTER (WHERE is_author_active AND of_piece AND approved) AS approved_pieces,
            coalesce(sum(score) FILTER (WHERE is_author_active AND of_piece AND approved), 0) AS approved_points,
            max(created_at) AS given_at,
            max(created_at) FILTER (WHERE is_author_active AND approved) AS shown_at,
            max(updated_at) FILTER (WHERE is_author_active AND of_piece AND NOT approved) AS waiting_at
        FROM (
            SELECT true AS of_piece, user_id, session_participant_id, score, approved,
                created_at, updated_at, is_author_active
            FROM piece_ratings
            UNION ALL
            SELECT false, user_id, session_participant_id, score, approved,
                created_at, updated_at, is_author_active
            FROM performance_ratings
        ) AS marks
        WHERE (marks.user_id, marks.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
    ) AS found
    WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place) AND found.given_at IS NOT NULL;
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM rating_submissions AS kept USING unnest(users, places) AS changed (user_id, place)
        WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place) AND NOT EXISTS (
            SELECT FROM (
                SELECT true AS of_piece, user_id, session_participant_id, score, approved,
                    created_at, updated_at, is_author_active
                FROM piece_ratings
                UNION ALL
                SELECT false, user_id, session_participant_id, score, approved,
                    created_at, updated_at, is_author_active
                FROM performance_ratings
            ) AS marks
            WHERE (marks.user_id, marks.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
        );
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER piece_ratings_submissions_insert AFTER INSERT ON piece_ratings
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rating_submissions_keep();
CREATE TRIGGER piece_ratings_submissions_update AFTER UPDATE ON piece_ratings
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rating_submissions_keep();
CREATE TRIGGER piece_ratings_submissions_delete AFTER DELETE ON piece_ratings
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rating_submissions_keep();
CREATE TRIGGER performance_ratings_submissions_insert AFTER INSERT ON performance_ratings
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rating_submissions_keep();
CREATE TRIGGER performance_ratings_submissions_update AFTER UPDATE ON performance_ratings
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rating_submissions_keep();
CREATE TRIGGER performance_ratings_submissions_delete AFTER DELETE ON performance_ratings
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rating_submissions_keep();
