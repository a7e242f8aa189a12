-- The counts of this app (apps/core/database/paging.py).
CREATE TRIGGER session_comment_counts_insert AFTER INSERT ON session_comments
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'session_comment_counts', 'session_id, is_hidden', 'true'
);
CREATE TRIGGER session_comment_counts_update AFTER UPDATE ON session_comments
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'session_comment_counts', 'session_id, is_hidden', 'true'
);
CREATE TRIGGER session_comment_counts_delete AFTER DELETE ON session_comments
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'session_comment_counts', 'session_id, is_hidden', 'true'
);
