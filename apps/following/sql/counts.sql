-- How many members follow each performer: a list of participants does not count the follows of all of them.
-- `rows_count` is in apps/core/sql/rows_count.sql.
CREATE TRIGGER follow_counts_insert AFTER INSERT ON follows
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count('follow_counts', 'participant_id', 'true');
CREATE TRIGGER follow_counts_update AFTER UPDATE ON follows
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count('follow_counts', 'participant_id', 'true');
CREATE TRIGGER follow_counts_delete AFTER DELETE ON follows
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count('follow_counts', 'participant_id', 'true');

INSERT INTO follow_counts (participant_id, count) SELECT participant_id, count(*) FROM follows GROUP BY participant_id;
