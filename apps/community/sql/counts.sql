-- The counts of this app (apps/core/database/paging.py).
CREATE TRIGGER post_reaction_counts_insert AFTER INSERT ON post_reactions
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'post_reaction_counts', 'post_id, type', 'true'
);
CREATE TRIGGER post_reaction_counts_update AFTER UPDATE ON post_reactions
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'post_reaction_counts', 'post_id, type', 'true'
);
CREATE TRIGGER post_reaction_counts_delete AFTER DELETE ON post_reactions
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'post_reaction_counts', 'post_id, type', 'true'
);
CREATE TRIGGER post_comment_counts_insert AFTER INSERT ON post_comments
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'post_comment_counts', 'post_id', 'NOT is_hidden'
);
CREATE TRIGGER post_comment_counts_update AFTER UPDATE ON post_comments
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'post_comment_counts', 'post_id', 'NOT is_hidden'
);
CREATE TRIGGER post_comment_counts_delete AFTER DELETE ON post_comments
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'post_comment_counts', 'post_id', 'NOT is_hidden'
);
CREATE TRIGGER report_case_counts_insert AFTER INSERT ON report_cases
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'report_case_counts', 'state, kind', 'true'
);
CREATE TRIGGER report_case_counts_update AFTER UPDATE ON report_cases
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'report_case_counts', 'state, kind', 'true'
);
CREATE TRIGGER report_case_counts_delete AFTER DELETE ON report_cases
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'report_case_counts', 'state, kind', 'true'
);
