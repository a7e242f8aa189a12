-- ROWS rows in each table that has a list, and what is bounded (stages, performers of a session) at its bound.

INSERT INTO users (id, email, username, password, avatar_url, is_admin, is_active, created_at, updated_at)
SELECT n, 'listener' || n || '@example.org', 'listener' || n, '!', '', false, true, now(), now()
FROM generate_series(1000001, 1000000 + ROWS) AS n;

INSERT INTO stages (id, name, order_number) SELECT n, 'Stage ' || n, n FROM generate_series(1, 30) AS n;

INSERT INTO participants (
    id, first_name, second_name, name, name_folded, sort_folded, country, birth_year, biography, avatar_url, featured,
    created_at
)
SELECT n, 'Ada', 'Sol' || n, 'Ada Sol' || n, 'ada sol' || n, 'sol' || n || ' ada', 'Country ' || n % 250, 2000,
    rtrim(repeat('Plays. ', 40)), '', n <= 6, now()
FROM generate_series(1, ROWS) AS n;

INSERT INTO sessions (id, stage_id, title, starts_at, description, youtube_id, is_live, created_at)
SELECT n, 1, 'Session ' || n, now() - (n - ROWS / 2) * interval '1 hour', rtrim(repeat('About. ', 20)), '', n = 1, now()
FROM generate_series(1, ROWS) AS n;

-- All are in one stage; the first session has as many as one may have, the first participant plays in fifty more.
INSERT INTO session_participants (id, session_id, participant_id, order_number, is_performing, is_repeated, created_at)
SELECT n, CASE WHEN n <= 100 THEN 1 ELSE n END, CASE WHEN n BETWEEN 101 AND 150 THEN 1 ELSE n END,
    CASE WHEN n <= 100 THEN n ELSE 1 END, n = 1, n BETWEEN 101 AND 150, now()
FROM generate_series(1, ROWS) AS n;

INSERT INTO prize_lists (id, stage_id, state, published_at) VALUES (1, 1, 'published', now());
INSERT INTO prizes (id, list_id, order_number, name, kind, award)
SELECT n, 1, n, 'Prize ' || n, 'special', 'single' FROM generate_series(1, 40) AS n;
INSERT INTO prize_recipients (prize_id, list_id, participant_id, kind, award)
SELECT n, 1, n, 'special', 'single' FROM generate_series(1, 40) AS n;

INSERT INTO performing_times (session_participant_id, began_at, ended_at)
SELECT n, now() - interval '1 hour', CASE WHEN n > 1 THEN now() END FROM generate_series(1, ROWS) AS n;

INSERT INTO pieces (id, name, category, composer, title, key, opus)
SELECT n, 'Piece ' || n, (ARRAY['etiuda_a', 'etiuda_b', 'nocturn', 'scherzo', 'mazurek'])[1 + n % 5], '', '', '', ''
FROM generate_series(1, ROWS) AS n;

INSERT INTO session_participant_pieces (session_participant_id, piece_id, order_number, slot, youtube_url)
SELECT place, 1 + (place * 5 + n) % ROWS, n, 'nocturn', ''
FROM generate_series(1, least(2000, ROWS)) AS place, generate_series(1, 5) AS n;

INSERT INTO piece_ratings (user_id, session_participant_id, piece_id, score, approved, created_at, updated_at)
SELECT n, 1, 7, 1 + n % 25, true, now(), now() FROM generate_series(1000001, 1000000 + ROWS) AS n;

INSERT INTO performance_ratings (
    user_id, session_participant_id, score, comment, quick_rating, approved, created_at, updated_at
)
SELECT n, 1, 1 + n % 5, rtrim(repeat('Heard it. ', 40)), '', n % 2 = 0, now(), now() FROM generate_series(1000001, 1000000 + ROWS) AS n;

INSERT INTO session_comments (session_id, user_id, content, created_at)
SELECT 1, n, rtrim(repeat('Well. ', 60)), now() FROM generate_series(1000001, 1000000 + ROWS) AS n;

INSERT INTO blog_posts (id, title, excerpt, content, image_url, is_published, published_at, author_id, created_at)
SELECT n, 'Post ' || n, rtrim(repeat('What. ', 150)), CASE WHEN n = 1 THEN repeat('*_', 50000) ELSE 'All.' END, '', true,
    now() - n * interval '1 minute', 1000001, now()
FROM generate_series(1, ROWS) AS n;

INSERT INTO posts (id, user_id, content, image_url, created_at, is_hidden)
SELECT n, n + 1000000, rtrim(repeat('<https://a.bc> ', 333)), '', now() - (ROWS - n) * interval '1 minute', false
FROM generate_series(1, ROWS) AS n;

INSERT INTO post_comments (post_id, user_id, content, created_at, is_hidden)
SELECT ROWS, n, rtrim(repeat('<https://a.bc> ', 133)), now(), false FROM generate_series(1000001, 1000000 + ROWS) AS n;

INSERT INTO report_cases (id, kind, subject_id, state, is_hidden_by_audience, updated_at, decided_at)
SELECT n, 'post', n, 'open', false, now(), NULL FROM generate_series(1, ROWS) AS n;
INSERT INTO reports (case_id, user_id, reason, words, created_at)
SELECT n, n + 1000000, 'spam', 'Not nice', now() FROM generate_series(1, ROWS) AS n;

INSERT INTO audit_entries (user_id, action, subject, subject_id, details, created_at)
SELECT 1000001, 'performer.set', 'performer', n, '{}', now() FROM generate_series(1, ROWS) AS n;

INSERT INTO ranking_runs (
    id, stage_id, method, digest, made_at, raters, marks, waiting, partial, new, uniform, burst, few, file
)
VALUES (1, 1, 1, repeat('0', 64), now(), 5000, 100000, 0, 0, 0, 0, 0, 0, '');
INSERT INTO ranking_rows (run_id, appearance_id, rank, lowest, highest, score, score_from, score_to, raters, mean)
SELECT 1, n, n, greatest(1, n - 2), n + 2, 17, 16.5, 17.5, 90, 17 FROM generate_series(1, ROWS) AS n;

ANALYZE users, participants, sessions, session_participants, pieces, session_participant_pieces, posts, post_comments;
