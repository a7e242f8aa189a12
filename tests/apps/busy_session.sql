-- A great evening, late: 100,000 ratings of each kind, recommendations, comments, taps and audit entries, and what else a
-- year of running leaves behind. Nothing but the competition itself (stages, sessions, places, pieces) is of its real size.

INSERT INTO users (id, email, username, password, avatar_url, is_admin, is_active, created_at, updated_at)
SELECT n, 'listener' || n || '@example.org', 'listener' || n, '!', '', n <= 3, n NOT BETWEEN 31 AND 330,
    now() - n * interval '3 hours', now()
FROM generate_series(1, 20000) AS n; -- 300 accounts are closed, whose marks are among the newest

INSERT INTO auth_sessions (key, handle, user_id, data, created_at, seen_at, expire_date, remembered, agent)
SELECT 'key-' || n, gen_random_uuid(), 1 + n % 5000, '', now(), now(), now() + interval '1 day', false, ''
FROM generate_series(1, 10000) AS n;
UPDATE auth_sessions SET handle = '00000000-0000-0000-0000-000000000001' WHERE key = 'key-1';

INSERT INTO form_answers (id, user_id, form, data, created_at)
SELECT gen_random_uuid(), 1 + n % 5000, 'profile', '{}', now() FROM generate_series(1, 10000) AS n;

INSERT INTO default_avatar_urls (user_avatar_url, participant_avatar_url, created_at)
SELECT '/static/u' || n || '.webp', '/static/p' || n || '.webp', now() - n * interval '1 hour'
FROM generate_series(1, 1500) AS n;

INSERT INTO mfa_authenticator (user_id, type, data, created_at)
SELECT n, 'totp', '{}', now() FROM generate_series(1, 5000) AS n;

INSERT INTO stages (id, name, order_number) SELECT n, 'Stage ' || n, n FROM generate_series(1, 4) AS n;

INSERT INTO participants (
    id, first_name, second_name, name, name_folded, sort_folded, country, birth_year, biography, avatar_url, featured,
    created_at
)
SELECT n, 'Ada', 'Sol' || n, 'Ada Sol' || n, 'ada sol' || n, 'sol' || n || ' ada', 'Poland', 2000, 'Plays.', '',
    n <= 6, now()
FROM generate_series(1, 84) AS n;

INSERT INTO sessions (id, stage_id, title, starts_at, description, youtube_id, is_live, created_at)
SELECT n, 1 + n % 4, 'Session ' || n, now() - (n - 12) * interval '12 hours', '', '', n = 1, now()
FROM generate_series(1, 24) AS n;

-- Each participant plays twice in a stage.
INSERT INTO session_participants (id, session_id, participant_id, order_number, is_performing, is_repeated, created_at)
SELECT n, 1 + (n - 1) / 7, 1 + (n - 1) % 84, 1 + (n - 1) % 7, n = 1, n > 84, now() FROM generate_series(1, 168) AS n;

INSERT INTO performing_times (session_participant_id, began_at, ended_at)
SELECT n, now() - interval '1 hour', CASE WHEN n > 1 THEN now() END FROM generate_series(1, 168) AS n;

INSERT INTO pieces (id, name, category, composer, title, key, opus)
SELECT n, 'Piece ' || n, (ARRAY['etiuda_a', 'etiuda_b', 'nocturn', 'scherzo', 'mazurek'])[1 + n % 5], '', '', '', ''
FROM generate_series(1, 60) AS n;

INSERT INTO session_participant_pieces (session_participant_id, piece_id, order_number, slot, youtube_url)
SELECT place, 1 + (place * 5 + n) % 60, n, 'nocturn', '' FROM generate_series(1, 168) AS place, generate_series(1, 5) AS n;

-- The first place is the evening's: everybody rated it.
INSERT INTO piece_ratings (user_id, session_participant_id, piece_id, score, approved, created_at, updated_at)
SELECT listener, place, 1 + (place * 5 + n) % 60, 1 + (listener + n) % 25, (listener + place) % 5 > 0,
    now() - (place * 5000 + listener) * interval '100 ms' - n * interval '1 ms',
    now() - (place * 5000 + listener) * interval '100 ms' - n * interval '1 ms'
FROM generate_series(1, 168) AS place, generate_series(1, 5) AS n, generate_series(1, 5000) AS listener
WHERE place = 1 OR listener <= 90;

INSERT INTO performance_ratings (
    user_id, session_participant_id, score, comment, quick_rating, approved, created_at, updated_at
)
SELECT listener, place, 1 + listener % 5, 'Heard it ' || listener, '', (listener + place) % 5 > 0,
    now() - (place * 5000 + listener) * interval '100 ms', now() - (place * 5000 + listener) * interval '100 ms'
FROM generate_series(1, 168) AS place, generate_series(1, 5000) AS listener
WHERE place = 1 OR listener <= 570;

INSERT INTO advance_recommendations (user_id, session_participant_id, recommendation, created_at, updated_at)
SELECT user_id, session_participant_id, CASE WHEN user_id % 3 = 0 THEN 'down' ELSE 'up' END, now(), now()
FROM performance_ratings;

INSERT INTO rating_decisions (id, user_id, approved, created_at)
SELECT n, 1, true, now() - (50 - n) * interval '1 minute' FROM generate_series(1, 50) AS n;
INSERT INTO decided_ratings (decision_id, user_id, kind, rating_id, changed_at)
SELECT 50, user_id, 'piece', id, updated_at FROM piece_ratings ORDER BY id LIMIT 20000;

-- Of the comments on the first session half are about its performers, the rest was written in intervals.
INSERT INTO session_comments (session_id, user_id, session_participant_id, content, created_at)
SELECT CASE WHEN n % 5 = 0 THEN 2 + n % 23 ELSE 1 END, 1 + n * 7 % 20000, CASE WHEN n % 5 IN (1, 2) THEN 1 + n % 7 END,
    'Comment ' || n, now()
FROM generate_series(1, 100000) AS n;

UPDATE session_comments SET is_hidden = true WHERE id % 100 = 50;

INSERT INTO session_reactions (session_id, user_id, type, timestamp, key, number)
SELECT 1, 1 + n * 7 % 20000, (ARRAY['heart', 'thumbsUp', 'thumbsDown'])[1 + n % 3],
    extract(epoch FROM now()) * 1000 - n * 1000, gen_random_uuid(), 0
FROM generate_series(1, 100000) AS n;
INSERT INTO session_reaction_moments (session_id, second, count, applause)
SELECT session_id, timestamp / 1000, count(*), count(*) FILTER (WHERE type <> 'thumbsDown') FROM session_reactions GROUP BY session_id, timestamp / 1000;
INSERT INTO session_reaction_totals (session_id, type, total)
SELECT session_id, type, count(*) FROM session_reactions GROUP BY session_id, type;

INSERT INTO blog_posts (title, excerpt, content, image_url, is_published, published_at, author_id, created_at)
SELECT 'Post ' || n, 'What happened.', 'All of it.', '', n % 15 > 0,
    CASE WHEN n % 15 > 0 THEN now() - n * interval '1 hour' END, 1 + n % 3, now() - n * interval '1 hour'
FROM generate_series(1, 1500) AS n;

-- Listener 5 posts most, every hundredth is hidden; the newest is the one that many comment on and all react to. Two of
-- three are about a performance, and the newest thousand about the last one are hidden.
INSERT INTO posts (id, user_id, session_participant_id, content, image_url, created_at, is_hidden)
SELECT n, CASE WHEN n % 100 = 0 THEN 5 ELSE 1 + n * 7 % 20000 END, CASE WHEN n % 3 > 0 THEN 1 + n % 167 END,
    'Post ' || n || ' to @listener' || n % 20000, '',
    now() - (100000 - n) * interval '10 minutes', n % 100 = 50
FROM generate_series(1, 100000) AS n;
INSERT INTO posts (id, user_id, session_participant_id, content, image_url, created_at, is_hidden)
SELECT -n, 1 + n, 168, 'Post ' || n, '', now() - n * interval '1 hour', n <= 1000 FROM generate_series(1, 1100) AS n;

INSERT INTO post_comments (post_id, user_id, content, created_at, is_hidden)
SELECT CASE WHEN n % 5 = 0 THEN 100000 ELSE n END, 1 + n * 7 % 20000, 'Comment ' || n || ' to @listener' || n % 20000,
    now() - (100000 - n) * interval '1 minute', n % 100 = 50
FROM generate_series(1, 100000) AS n;

INSERT INTO post_reactions (post_id, user_id, type)
SELECT 100000, n, CASE WHEN n % 5 = 0 THEN 'boo' ELSE 'applause' END FROM generate_series(1, 20000) AS n
UNION ALL
SELECT n, 7 + n % 4, CASE WHEN n % 5 = 0 THEN 'boo' ELSE 'applause' END FROM generate_series(1, 99999) AS n;

-- Every second text of some was reported by three, and a tenth of those waits.
INSERT INTO report_cases (id, kind, subject_id, state, is_hidden_by_audience, updated_at, decided_at)
SELECT n, (ARRAY['post', 'post_comment', 'session_comment', 'rating_comment'])[1 + n % 4],
    (ARRAY[
        0,
        (SELECT min(id) - 1 FROM post_comments), (SELECT min(id) - 1 FROM session_comments),
        (SELECT min(id) - 1 FROM performance_ratings)
    ])[1 + n % 4] + n,
    CASE WHEN n / 4 % 10 = 0 THEN 'open' WHEN n / 4 % 10 < 5 THEN 'hidden' ELSE 'dismissed' END, false,
    now() - n * interval '1 minute', CASE WHEN n / 4 % 10 > 0 THEN now() - n * interval '1 minute' END
FROM generate_series(1, 40000) AS n;
INSERT INTO reports (case_id, user_id, reason, words, created_at)
SELECT n, 1 + (n * 3 + k) * 7 % 20000, (ARRAY['spam', 'insult', 'other'])[k], 'Not nice ' || n,
    now() - n * interval '1 minute' - k * interval '1 second'
FROM generate_series(1, 40000) AS n, generate_series(1, 3) AS k;
INSERT INTO report_decisions (user_id, is_hidden, count, created_at)
SELECT 1, true, 1, now() - (50 - n) * interval '1 minute' FROM generate_series(1, 50) AS n;

INSERT INTO audit_entries (user_id, action, subject, subject_id, details, created_at)
SELECT CASE WHEN n % 1000 = 0 THEN 2 ELSE 1 END,
    CASE WHEN n % 5000 = 0 THEN 'post.delete' WHEN n % 1000 = 0 THEN 'performer.set' ELSE 'ratings.approve' END,
    CASE WHEN n % 5000 = 0 THEN 'post' WHEN n % 1000 = 0 THEN 'performer' ELSE 'ratings' END, n / 1000, '{}',
    now() - (100000 - n) * interval '1 minute'
FROM generate_series(1, 100000) AS n;

INSERT INTO error_logs (message, user_id, page_url, user_agent, severity, created_at)
SELECT 'It broke', NULL, '/', '', CASE WHEN n % 2000 = 0 THEN 'critical' ELSE 'error' END, now() - (20000 - n) * interval '1 minute'
FROM generate_series(1, 20000) AS n;

-- Two runs of each stage with a row for each of 84 performances, the newest with a file of 100,000 marks.
INSERT INTO ranking_runs (
    id, stage_id, method, digest, made_at, raters, marks, waiting, partial, new, uniform, burst, few, file
)
SELECT n, 1 + n % 4, 1, repeat('0', 64), now(), 5000, 100000, 0, 0, 0, 0, 0, 0, convert_to(repeat('1,Ada Sol1,17.0', 50000), 'UTF8')
FROM generate_series(1, 8) AS n;
INSERT INTO ranking_rows (run_id, appearance_id, rank, lowest, highest, score, score_from, score_to, raters, mean)
SELECT run, place, place, greatest(1, place - 2), place + 2, 17, 16.5, 17.5, 90, 17
FROM generate_series(1, 8) AS run, generate_series(1, 84) AS place;
INSERT INTO ranking_decisions (user_id, stage_id, decided_by_id, reason, created_at)
SELECT n, 1 + n % 4, 1, 'I know them.', now() FROM generate_series(1, 400) AS n;

-- Each stage has prizes in all states, each for one performer of the stage, the first six of them places.
INSERT INTO prize_lists (id, stage_id, state, published_at)
SELECT n, 1 + n % 4, (ARRAY['draft', 'published', 'replaced'])[1 + n / 4], CASE WHEN n >= 4 THEN now() END
FROM generate_series(0, 11) AS n;
INSERT INTO prizes (id, list_id, order_number, name, kind, award)
SELECT list * 20 + n, list, n, 'Prize ' || n, CASE WHEN n <= 6 THEN 'place' ELSE 'special' END, 'single'
FROM generate_series(0, 11) AS list, generate_series(1, 20) AS n;
INSERT INTO prize_recipients (prize_id, list_id, participant_id, kind, award)
SELECT prize.id, list.id, (
    SELECT DISTINCT participant_id FROM session_participants WHERE stage_id = list.stage_id
    ORDER BY participant_id OFFSET prize.order_number LIMIT 1
), prize.kind, prize.award
FROM prizes AS prize JOIN prize_lists AS list ON list.id = prize.list_id;

-- Files of participants: 2000 that were saved, and one of 10,000 rows that is not.
INSERT INTO participant_imports (
    id, user_id, file_name, content, size, encoding, encoding_found, categories, state, created_at, saved_at,
    new_rows, existing_rows, undecided_rows, bad_rows, short_rows,
    new_participants, existing_participants, new_pieces, existing_pieces
)
SELECT n, 1 + n % 5, 'participants.csv', '', 0, 'utf-8', 'utf-8', '{}',
    CASE WHEN n > 2000 THEN 'preview' ELSE 'saved' END, now(), CASE WHEN n <= 2000 THEN now() - n * interval '1 hour' END,
    10000, 0, 0, 0, 0, 0, 0, 0, 0
FROM generate_series(1, 2001) AS n;
INSERT INTO participant_import_rows (
    participant_import_id, position, line, first_name, last_name, country, pieces, status, is_known, problem, detail
)
SELECT i, n, n + 1, 'Zofia' || n, 'Nowak', 'Poland', '[]', 'new', false, '', ''
FROM generate_series(1, 10000) AS n, unnest(ARRAY[1999, 2001]) AS i;
