-- The counts of this app (apps/core/database/paging.py).
CREATE TRIGGER piece_rating_counts_insert AFTER INSERT ON piece_ratings
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'piece_rating_counts', 'session_participant_id, piece_id, approved', 'true'
);
CREATE TRIGGER piece_rating_counts_update AFTER UPDATE ON piece_ratings
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'piece_rating_counts', 'session_participant_id, piece_id, approved', 'true'
);
CREATE TRIGGER piece_rating_counts_delete AFTER DELETE ON piece_ratings
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'piece_rating_counts', 'session_participant_id, piece_id, approved', 'true'
);
CREATE TRIGGER piece_mark_counts_insert AFTER INSERT ON piece_ratings
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'piece_mark_counts', 'session_participant_id, piece_id, score', 'approved AND is_author_active'
);
CREATE TRIGGER piece_mark_counts_update AFTER UPDATE ON piece_ratings
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'piece_mark_counts', 'session_participant_id, piece_id, score', 'approved AND is_author_active'
);
CREATE TRIGGER piece_mark_counts_delete AFTER DELETE ON piece_ratings
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'piece_mark_counts', 'session_participant_id, piece_id, score', 'approved AND is_author_active'
);
CREATE TRIGGER performance_rating_counts_insert AFTER INSERT ON performance_ratings
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'performance_rating_counts', 'session_participant_id, is_author_active, approved, score', 'true'
);
CREATE TRIGGER performance_rating_counts_update AFTER UPDATE ON performance_ratings
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'performance_rating_counts', 'session_participant_id, is_author_active, approved, score', 'true'
);
CREATE TRIGGER performance_rating_counts_delete AFTER DELETE ON performance_ratings
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'performance_rating_counts', 'session_participant_id, is_author_active, approved, score', 'true'
);
CREATE TRIGGER advance_recommendation_counts_insert AFTER INSERT ON advance_recommendations
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'advance_recommendation_counts', 'session_participant_id, is_author_active, recommendation', 'true'
);
CREATE TRIGGER advance_recommendation_counts_update AFTER UPDATE ON advance_recommendations
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'advance_recommendation_counts', 'session_participant_id, is_author_active, recommendation', 'true'
);
CREATE TRIGGER advance_recommendation_counts_delete AFTER DELETE ON advance_recommendations
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'advance_recommendation_counts', 'session_participant_id, is_author_active, recommendation', 'true'
);
CREATE TRIGGER rating_submission_counts_insert AFTER INSERT ON rating_submissions
REFERENCING NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'rating_submission_counts', 'session_participant_id, waiting_pieces, approved_pieces',
    'waiting_pieces + approved_pieces > 0'
);
CREATE TRIGGER rating_submission_counts_update AFTER UPDATE ON rating_submissions
REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'rating_submission_counts', 'session_participant_id, waiting_pieces, approved_pieces',
    'waiting_pieces + approved_pieces > 0'
);
CREATE TRIGGER rating_submission_counts_delete AFTER DELETE ON rating_submissions
REFERENCING OLD TABLE AS rows_before
FOR EACH STATEMENT EXECUTE FUNCTION rows_count(
    'rating_submission_counts', 'session_participant_id, waiting_pieces, approved_pieces',
    'waiting_pieces + approved_pieces > 0'
);
