-- In what the database's counts and rows differ from what marks and their authors' accounts give: nothing.
WITH pieces AS (
    SELECT mark.*, is_active FROM piece_ratings AS mark JOIN users AS author ON author.id = user_id
), wholes AS (
    SELECT mark.*, is_active FROM performance_ratings AS mark JOIN users AS author ON author.id = user_id
), advance AS (
    SELECT mark.*, is_active FROM advance_recommendations AS mark JOIN users AS author ON author.id = user_id
), marks AS (
    SELECT user_id, session_participant_id, created_at, updated_at, score, approved, is_active, true AS is_piece FROM pieces
    UNION ALL
    SELECT user_id, session_participant_id, created_at, updated_at, score, approved, is_active, false FROM wholes
), given AS (
    SELECT user_id, session_participant_id,
        count(*) FILTER (WHERE is_piece AND is_active AND NOT approved) AS waiting_pieces,
        coalesce(sum(score) FILTER (WHERE is_piece AND is_active AND NOT approved), 0) AS waiting_points,
        count(*) FILTER (WHERE is_piece AND is_active AND approved) AS approved_pieces,
        coalesce(sum(score) FILTER (WHERE is_piece AND is_active AND approved), 0) AS approved_points,
        max(created_at) AS given_at,
        max(created_at) FILTER (WHERE is_active AND approved) AS shown_at,
        max(updated_at) FILTER (WHERE is_piece AND is_active AND NOT approved) AS waiting_at
    FROM marks GROUP BY user_id, session_participant_id
), kept (place, what) AS (
    SELECT 'piece_ratings', (id, is_author_active)::text FROM piece_ratings
    UNION ALL SELECT 'performance_ratings', (id, is_author_active)::text FROM performance_ratings
    UNION ALL SELECT 'advance_recommendations', (id, is_author_active)::text FROM advance_recommendations
    UNION ALL
    SELECT 'rating_submissions', (
        user_id, session_participant_id, waiting_pieces, waiting_points, approved_pieces, approved_points,
        given_at, shown_at, waiting_at
    )::text FROM rating_submissions
    UNION ALL
    SELECT 'piece_rating_counts', (session_participant_id, piece_id, approved, sum(count))::text
    FROM piece_rating_counts GROUP BY session_participant_id, piece_id, approved HAVING sum(count) <> 0
    UNION ALL
    SELECT 'piece_mark_counts', (session_participant_id, piece_id, score, sum(count))::text
    FROM piece_mark_counts GROUP BY session_participant_id, piece_id, score HAVING sum(count) <> 0
    UNION ALL
    SELECT 'performance_rating_counts',
        (session_participant_id, is_author_active, approved, score, sum(count))::text
    FROM performance_rating_counts
    GROUP BY session_participant_id, is_author_active, approved, score HAVING sum(count) <> 0
    UNION ALL
    SELECT 'advance_recommendation_counts',
        (session_participant_id, is_author_active, recommendation, sum(count))::text
    FROM advance_recommendation_counts
    GROUP BY session_participant_id, is_author_active, recommendation HAVING sum(count) <> 0
    UNION ALL
    SELECT 'rating_submission_counts', (session_participant_id, waiting_pieces, approved_pieces, sum(count))::text
    FROM rating_submission_counts
    GROUP BY session_participant_id, waiting_pieces, approved_pieces HAVING sum(count) <> 0
), due (place, what) AS (
    SELECT 'piece_ratings', (id, is_active)::text FROM pieces
    UNION ALL SELECT 'performance_ratings', (id, is_active)::text FROM wholes
    UNION ALL SELECT 'advance_recommendations', (id, is_active)::text FROM advance
    UNION ALL SELECT 'rating_submissions', given::text FROM given
    UNION ALL
    SELECT 'piece_rating_counts', (session_participant_id, piece_id, approved, count(*))::text
    FROM pieces GROUP BY session_participant_id, piece_id, approved
    UNION ALL
    SELECT 'piece_mark_counts', (session_participant_id, piece_id, score, count(*))::text
    FROM pieces WHERE approved AND is_active GROUP BY session_participant_id, piece_id, score
    UNION ALL
    SELECT 'performance_rating_counts', (session_participant_id, is_active, approved, score, count(*))::text
    FROM wholes GROUP BY session_participant_id, is_active, approved, score
    UNION ALL
    SELECT 'advance_recommendation_counts', (session_participant_id, is_active, recommendation, count(*))::text
    FROM advance GROUP BY session_participant_id, is_active, recommendation
    UNION ALL
    SELECT 'rating_submission_counts', (session_participant_id, waiting_pieces, approved_pieces, count(*))::text
    FROM given WHERE waiting_pieces + approved_pieces > 0
    GROUP BY session_participant_id, waiting_pieces, approved_pieces
)
(SELECT 'is', * FROM (TABLE kept EXCEPT ALL TABLE due) AS more)
UNION ALL (SELECT 'should be', * FROM (TABLE due EXCEPT ALL TABLE kept) AS less)
