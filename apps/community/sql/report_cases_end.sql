-- A report's case is deleted with its text, and when an author rewrites the comment of a rating. Triggers do it, so
-- that no service and no cascade can forget it; they publish the topic on the channel of apps/core/bus. A service that
-- deletes locks the text, then its case.
CREATE FUNCTION report_cases_end(subject_kind text, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ended bigint[] := ARRAY(
        SELECT id FROM report_cases WHERE kind = subject_kind AND subject_id = ANY (ids) ORDER BY id FOR UPDATE
    );
BEGIN
    IF cardinality(ended) > 0 THEN
        DELETE FROM decided_report_cases WHERE case_id = ANY (ended);
        DELETE FROM reports WHERE case_id = ANY (ended);
        DELETE FROM report_cases WHERE id = ANY (ended);
        PERFORM pg_notify('parterre', 'reports');
    END IF;
END
$$;
CREATE FUNCTION reported_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_cases_end(TG_ARGV[0], ARRAY(SELECT id FROM rows_before));
    RETURN NULL;
END
$$;
CREATE FUNCTION reported_rewritten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_cases_end(TG_ARGV[0], ARRAY[NEW.id]);
    RETURN NULL;
END
$$;
CREATE TRIGGER reported_rewritten AFTER UPDATE OF comment ON performance_ratings
    FOR EACH ROW WHEN (OLD.comment IS DISTINCT FROM NEW.comment)
    EXECUTE FUNCTION reported_rewritten('rating_comment');
CREATE TRIGGER reported_deleted AFTER DELETE ON posts REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION reported_deleted('post');
CREATE TRIGGER reported_deleted AFTER DELETE ON post_comments REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION reported_deleted('post_comment');
CREATE TRIGGER reported_deleted AFTER DELETE ON session_comments REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION reported_deleted('session_comment');
CREATE TRIGGER reported_deleted AFTER DELETE ON performance_ratings REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION reported_deleted('rating_comment');
