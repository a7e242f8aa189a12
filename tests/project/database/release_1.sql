CREATE FUNCTION public.audit_prune() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    old CONSTANT timestamptz := statement_timestamp() - interval '90 days';
    subjects bigint;
    people bigint;
BEGIN
    UPDATE public.audit_entries SET details = '{}'
    WHERE created_at < old AND details ?| ARRAY['before', 'after'];
    UPDATE public.audit_entries SET user_id = NULL, subject_id = NULL
    WHERE created_at < old AND subject = 'account' AND subject_id IS NOT NULL;
    GET DIAGNOSTICS subjects = ROW_COUNT;
    UPDATE public.audit_entries SET user_id = NULL
    WHERE created_at < old AND user_id IS NOT NULL;
    GET DIAGNOSTICS people = ROW_COUNT;
    RETURN subjects + people;
END
$$;
REVOKE ALL ON FUNCTION public.audit_prune() FROM PUBLIC;
CREATE FUNCTION public.author_active() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.is_author_active := coalesce((SELECT is_active FROM users WHERE id = NEW.user_id FOR SHARE), true);
    RETURN NEW;
END
$$;
CREATE FUNCTION public.marks_follow_author() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM FROM rating_submissions WHERE user_id = NEW.id ORDER BY session_participant_id FOR UPDATE;
    PERFORM FROM performance_ratings WHERE user_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM advance_recommendations WHERE user_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
    UPDATE piece_ratings SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    UPDATE performance_ratings SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    UPDATE advance_recommendations SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.rating_submissions_keep() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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
    (SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM rows_before EXCEPT SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM rows_after)
    UNION ALL
    (SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM rows_after EXCEPT SELECT id, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM rows_before)
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
 FROM (SELECT true AS of_piece, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM piece_ratings UNION ALL SELECT false, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM performance_ratings) AS marks
        WHERE (marks.user_id, marks.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
    ) AS found
    WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place) AND found.given_at IS NOT NULL;
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM rating_submissions AS kept USING unnest(users, places) AS changed (user_id, place)
        WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place) AND NOT EXISTS (
            SELECT FROM (SELECT true AS of_piece, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM piece_ratings UNION ALL SELECT false, user_id, session_participant_id, score, approved, created_at, updated_at, is_author_active FROM performance_ratings) AS marks
            WHERE (marks.user_id, marks.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
        );
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.report_cases_end(subject_kind text, ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.reported_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM report_cases_end(TG_ARGV[0], ARRAY(SELECT id FROM rows_before));
    RETURN NULL;
END
$$;
CREATE FUNCTION public.reported_rewritten() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM report_cases_end(TG_ARGV[0], ARRAY[NEW.id]);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.rows_count() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE
    counts text := TG_ARGV[0];
    keys text := TG_ARGV[1];
    rows_changed text := concat_ws(' UNION ALL ',
        CASE WHEN TG_OP <> 'INSERT' THEN format('SELECT %s, -1 AS count FROM rows_before WHERE %s', keys, TG_ARGV[2]) END,
        CASE WHEN TG_OP <> 'DELETE' THEN format('SELECT %s, 1 AS count FROM rows_after WHERE %s', keys, TG_ARGV[2]) END
    );
BEGIN
    EXECUTE format(
        'WITH changed AS MATERIALIZED (
            SELECT %1$s, sum(count) AS count FROM (%2$s) AS both_sides GROUP BY %1$s HAVING sum(count) <> 0
        ), free AS MATERIALIZED (
            SELECT stored.id FROM %3$I AS stored JOIN changed USING (%1$s) FOR UPDATE OF stored SKIP LOCKED
        ), taken AS (
            DELETE FROM %3$I AS stored USING free WHERE stored.id = free.id RETURNING stored.*
        )
        INSERT INTO %3$I (%1$s, count)
        SELECT %1$s, sum(count) FROM (
            SELECT %1$s, count FROM changed UNION ALL SELECT %1$s, count FROM taken
        ) AS together GROUP BY %1$s HAVING sum(count) <> 0',
        keys, rows_changed, counts
    );
    RETURN NULL;
END
$_$;
CREATE FUNCTION public.session_stage_is_open() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE closed timestamptz;
BEGIN
    SELECT archived_at INTO closed FROM stages WHERE id = NEW.stage_id FOR SHARE;
    IF closed IS NOT NULL THEN
        RAISE EXCEPTION 'stage % is archived', NEW.stage_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'session_stage_is_open', TABLE = 'sessions';
    END IF;
    RETURN NEW;
END $$;
CREATE TABLE public.account_emailaddress (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    verified boolean NOT NULL,
    "primary" boolean NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.account_emailaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_emailconfirmation (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    sent timestamp with time zone,
    key character varying(64) NOT NULL,
    email_address_id integer NOT NULL
);
ALTER TABLE public.account_emailconfirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailconfirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.acts (
    id bigint NOT NULL,
    key uuid NOT NULL,
    name character varying(100) NOT NULL,
    answer jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.acts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.acts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.advance_recommendation_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    recommendation character varying(4) NOT NULL,
    session_participant_id bigint NOT NULL,
    is_author_active boolean DEFAULT true NOT NULL
);
ALTER TABLE public.advance_recommendation_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.advance_recommendation_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.advance_recommendations (
    id bigint NOT NULL,
    recommendation character varying(4) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    session_participant_id bigint NOT NULL,
    user_id bigint NOT NULL,
    is_author_active boolean DEFAULT true NOT NULL,
    CONSTRAINT recommendation_known CHECK ((recommendation IN ('up', 'down')))
);
ALTER TABLE public.advance_recommendations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.advance_recommendations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_entries (
    id bigint NOT NULL,
    user_id bigint,
    action character varying(60) NOT NULL,
    subject character varying(60) NOT NULL,
    subject_id bigint,
    details jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
ALTER TABLE public.audit_entries ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.audit_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);
ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);
ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_sessions (
    key character varying(40) NOT NULL,
    handle uuid NOT NULL,
    data text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    seen_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    expire_date timestamp with time zone NOT NULL,
    remembered boolean NOT NULL,
    agent character varying(60) NOT NULL,
    user_id bigint,
    second_factor boolean DEFAULT false NOT NULL
);
CREATE TABLE public.blog_posts (
    id bigint NOT NULL,
    title character varying(200) NOT NULL,
    content text NOT NULL,
    excerpt character varying(1000) NOT NULL,
    image_url character varying(2048) NOT NULL,
    is_published boolean NOT NULL,
    published_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    author_id bigint,
    CONSTRAINT post_content_length CHECK ((length(content) <= 100000)),
    CONSTRAINT post_content_written CHECK ((content ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT post_excerpt_written CHECK (((excerpt)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT post_image_is_picture CHECK ((((image_url)::text = ''::text) OR ((image_url)::text ~ '(^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#][^\s"<>\\\u0001-\u001f\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'::text))),
    CONSTRAINT post_published_with_time CHECK (((is_published AND (published_at IS NOT NULL)) OR ((NOT is_published) AND (published_at IS NULL)))),
    CONSTRAINT post_title_written CHECK (((title)::text ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.blog_posts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.blog_posts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.counters (
    key character varying(250) NOT NULL,
    value jsonb NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.decided_rating_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    decision_id bigint NOT NULL
);
ALTER TABLE public.decided_rating_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decided_rating_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decided_ratings (
    id bigint NOT NULL,
    kind character varying(11) NOT NULL,
    rating_id bigint NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    "row" jsonb,
    user_id bigint NOT NULL,
    decision_id bigint NOT NULL,
    CONSTRAINT decided_kind_known CHECK ((kind IN ('performance', 'piece')))
);
ALTER TABLE public.decided_ratings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decided_ratings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decided_report_cases (
    id bigint NOT NULL,
    state character varying(9) NOT NULL,
    is_hidden_by_audience boolean NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    decided_by_id bigint,
    case_id bigint NOT NULL,
    decision_id bigint NOT NULL
);
ALTER TABLE public.decided_report_cases ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decided_report_cases_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.default_avatar_urls (
    id bigint NOT NULL,
    user_avatar_url character varying(2048) NOT NULL,
    participant_avatar_url character varying(2048) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_by_id bigint,
    CONSTRAINT default_avatars_both CHECK (((NOT ((user_avatar_url)::text = ''::text)) AND (NOT ((participant_avatar_url)::text = ''::text)))),
    CONSTRAINT default_participant_avatar_is_picture CHECK ((((participant_avatar_url)::text = ''::text) OR ((participant_avatar_url)::text ~ '(^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#][^\s"<>\\\u0001-\u001f\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'::text))),
    CONSTRAINT default_user_avatar_is_picture CHECK ((((user_avatar_url)::text = ''::text) OR ((user_avatar_url)::text ~ '(^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#][^\s"<>\\\u0001-\u001f\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'::text)))
);
ALTER TABLE public.default_avatar_urls ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.default_avatar_urls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);
ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);
ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.error_logs (
    id bigint NOT NULL,
    message character varying(2000) NOT NULL,
    error_details text,
    user_id bigint,
    page_url character varying(2048) NOT NULL,
    user_agent character varying(500) NOT NULL,
    severity character varying(8) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT error_severity_known CHECK ((severity IN ('info', 'warn', 'error', 'critical')))
);
ALTER TABLE public.error_logs ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.error_logs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.form_answers (
    id uuid NOT NULL,
    form character varying(40) NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint NOT NULL
);
CREATE TABLE public.loaded_demos (
    id bigint NOT NULL,
    present_at timestamp with time zone NOT NULL,
    last_ids jsonb NOT NULL,
    CONSTRAINT one_loaded_demo CHECK ((id = 1))
);
ALTER TABLE public.loaded_demos ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.loaded_demos_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mails (
    id bigint NOT NULL,
    name character varying(40) NOT NULL,
    recipient character varying(254) NOT NULL,
    language character varying(16) NOT NULL,
    context jsonb NOT NULL,
    tries smallint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT mails_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.mails ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mails_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mfa_authenticator (
    id bigint NOT NULL,
    type character varying(20) NOT NULL,
    data jsonb NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);
ALTER TABLE public.mfa_authenticator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mfa_authenticator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.one_time_links (
    digest character varying(64) NOT NULL,
    purpose character varying(40) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    user_id bigint NOT NULL,
    next_path character varying(2048) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT link_leads_to_this_site CHECK ((((next_path)::text = ''::text) OR ((next_path)::text ~ '^/([^/\\]|$)'::text)))
);
CREATE TABLE public.participant_import_creations (
    id bigint NOT NULL,
    kind character varying(11) NOT NULL,
    created_id bigint NOT NULL,
    version character varying(400) NOT NULL,
    participant_import_id bigint NOT NULL,
    CONSTRAINT participant_import_creation_kind CHECK ((kind IN ('participant', 'piece')))
);
ALTER TABLE public.participant_import_creations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.participant_import_creations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.participant_import_rows (
    id bigint NOT NULL,
    "position" integer NOT NULL,
    line integer NOT NULL,
    first_name character varying(100) NOT NULL,
    last_name character varying(100) NOT NULL,
    country character varying(100) NOT NULL,
    pieces jsonb NOT NULL,
    status character varying(9) NOT NULL,
    is_known boolean NOT NULL,
    problem character varying(15) NOT NULL,
    detail character varying(250) NOT NULL,
    participant_import_id bigint NOT NULL,
    CONSTRAINT participant_import_row_position CHECK ((("position" >= 1) AND ("position" <= 10000))),
    CONSTRAINT participant_import_row_says_why CHECK (((NOT (status IN ('bad', 'short'))) OR (NOT ((problem)::text = ''::text)))),
    CONSTRAINT participant_import_row_status CHECK ((status IN ('new', 'existing', 'undecided', 'bad', 'short'))),
    CONSTRAINT participant_import_rows_line_check CHECK ((line >= 0)),
    CONSTRAINT participant_import_rows_position_check CHECK (("position" >= 0))
);
ALTER TABLE public.participant_import_rows ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.participant_import_rows_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.participant_imports (
    id bigint NOT NULL,
    file_name character varying(200) NOT NULL,
    content bytea NOT NULL,
    size integer NOT NULL,
    encoding character varying(12) NOT NULL,
    encoding_found character varying(12) NOT NULL,
    categories jsonb NOT NULL,
    state character varying(7) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    saved_at timestamp with time zone,
    new_rows integer NOT NULL,
    existing_rows integer NOT NULL,
    undecided_rows integer NOT NULL,
    bad_rows integer NOT NULL,
    short_rows integer NOT NULL,
    new_participants integer NOT NULL,
    existing_participants integer NOT NULL,
    new_pieces integer NOT NULL,
    existing_pieces integer NOT NULL,
    user_id bigint,
    CONSTRAINT participant_import_encoding_known CHECK (((encoding IN ('utf-8', 'utf-16', 'windows-1250', 'windows-1252')) AND (encoding_found IN ('utf-8', 'utf-16', 'windows-1250', 'windows-1252')))),
    CONSTRAINT participant_import_saved_when CHECK ((((saved_at IS NULL) AND ((state)::text = 'preview'::text)) OR ((saved_at IS NOT NULL) AND (state IN ('saved', 'undone'))))),
    CONSTRAINT participant_import_size CHECK ((size <= 5242880)),
    CONSTRAINT participant_imports_bad_rows_check CHECK ((bad_rows >= 0)),
    CONSTRAINT participant_imports_existing_participants_check CHECK ((existing_participants >= 0)),
    CONSTRAINT participant_imports_existing_pieces_check CHECK ((existing_pieces >= 0)),
    CONSTRAINT participant_imports_existing_rows_check CHECK ((existing_rows >= 0)),
    CONSTRAINT participant_imports_new_participants_check CHECK ((new_participants >= 0)),
    CONSTRAINT participant_imports_new_pieces_check CHECK ((new_pieces >= 0)),
    CONSTRAINT participant_imports_new_rows_check CHECK ((new_rows >= 0)),
    CONSTRAINT participant_imports_short_rows_check CHECK ((short_rows >= 0)),
    CONSTRAINT participant_imports_size_check CHECK ((size >= 0)),
    CONSTRAINT participant_imports_undecided_rows_check CHECK ((undecided_rows >= 0))
);
ALTER TABLE public.participant_imports ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.participant_imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.participants (
    id bigint NOT NULL,
    first_name character varying(100) NOT NULL,
    second_name character varying(100) NOT NULL,
    name character varying(201) NOT NULL,
    name_folded character varying(1000) NOT NULL,
    sort_folded character varying(1000) NOT NULL,
    country character varying(100) NOT NULL,
    birth_year smallint,
    biography text NOT NULL,
    avatar_url character varying(2048) NOT NULL,
    featured boolean NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT participant_avatar_is_picture CHECK ((((avatar_url)::text = ''::text) OR ((avatar_url)::text ~ '(^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#][^\s"<>\\\u0001-\u001f\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'::text))),
    CONSTRAINT participant_biography_length CHECK ((length(biography) <= 100000)),
    CONSTRAINT participant_birth_year_possible CHECK (((birth_year IS NULL) OR ((birth_year >= 1900) AND (birth_year <= 2100)))),
    CONSTRAINT participant_country_written CHECK (((country)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT participant_first_name_written CHECK (((first_name)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT participant_name_folded_written CHECK (((name_folded)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT participant_name_written CHECK (((name)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT participant_second_name_written CHECK (((second_name)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT participant_sort_folded_written CHECK (((sort_folded)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT participants_birth_year_check CHECK ((birth_year >= 0))
);
ALTER TABLE public.participants ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.participants_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.performance_rating_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    approved boolean NOT NULL,
    score smallint NOT NULL,
    session_participant_id bigint NOT NULL,
    is_author_active boolean DEFAULT true NOT NULL,
    CONSTRAINT performance_rating_counts_score_check CHECK ((score >= 0))
);
ALTER TABLE public.performance_rating_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.performance_rating_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.performance_ratings (
    id bigint NOT NULL,
    score smallint NOT NULL,
    approved boolean NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    comment text NOT NULL,
    quick_rating character varying(17) NOT NULL,
    session_participant_id bigint NOT NULL,
    user_id bigint NOT NULL,
    is_comment_hidden boolean DEFAULT false NOT NULL,
    is_author_active boolean DEFAULT true NOT NULL,
    CONSTRAINT performance_ratings_score_check CHECK ((score >= 0)),
    CONSTRAINT performance_score_in_range CHECK (((score >= 1) AND (score <= 5))),
    CONSTRAINT quick_rating_known CHECK ((quick_rating IN ('', 'outstanding', 'great_performance', 'other'))),
    CONSTRAINT rating_comment_length CHECK ((length(comment) <= 2000)),
    CONSTRAINT rating_comment_written CHECK ((comment ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.performance_ratings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.performance_ratings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.performances (
    id bigint NOT NULL,
    stage character varying(100) NOT NULL,
    performance_date date NOT NULL,
    program text NOT NULL,
    participant_id bigint NOT NULL,
    CONSTRAINT performance_program_length CHECK ((length(program) <= 5000)),
    CONSTRAINT performance_stage_written CHECK (((stage)::text ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.performances ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.performances_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.performing_times (
    id bigint NOT NULL,
    began_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    session_participant_id bigint NOT NULL,
    CONSTRAINT performing_time_ends_after_begin CHECK ((ended_at >= began_at))
);
ALTER TABLE public.performing_times ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.performing_times_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.piece_mark_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    piece_id bigint NOT NULL,
    score smallint NOT NULL,
    session_participant_id bigint NOT NULL,
    CONSTRAINT piece_mark_counts_score_check CHECK ((score >= 0))
);
ALTER TABLE public.piece_mark_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.piece_mark_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.piece_rating_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    piece_id bigint NOT NULL,
    approved boolean NOT NULL,
    session_participant_id bigint NOT NULL
);
ALTER TABLE public.piece_rating_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.piece_rating_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.piece_ratings (
    id bigint NOT NULL,
    score smallint NOT NULL,
    approved boolean NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    piece_id bigint NOT NULL,
    session_participant_id bigint NOT NULL,
    user_id bigint NOT NULL,
    is_author_active boolean DEFAULT true NOT NULL,
    CONSTRAINT piece_ratings_score_check CHECK ((score >= 0)),
    CONSTRAINT piece_score_in_range CHECK (((score >= 1) AND (score <= 25)))
);
ALTER TABLE public.piece_ratings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.piece_ratings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.pieces (
    id bigint NOT NULL,
    name character varying(200) NOT NULL,
    category character varying(8) NOT NULL,
    composer character varying(100) NOT NULL,
    title character varying(100) NOT NULL,
    key character varying(30) NOT NULL,
    opus character varying(20) NOT NULL,
    number smallint,
    CONSTRAINT piece_category_known CHECK ((category IN ('etiuda_a', 'etiuda_b', 'nocturn', 'scherzo', 'mazurek'))),
    CONSTRAINT piece_name_written CHECK (((name)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT pieces_number_check CHECK ((number >= 0))
);
ALTER TABLE public.pieces ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.pieces_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.post_comment_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    post_id bigint NOT NULL
);
ALTER TABLE public.post_comment_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.post_comment_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.post_comments (
    id bigint NOT NULL,
    content text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    is_hidden boolean DEFAULT false NOT NULL,
    post_id bigint NOT NULL,
    user_id bigint,
    CONSTRAINT post_comment_length CHECK ((length(content) <= 2000)),
    CONSTRAINT post_comment_written CHECK ((content ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.post_comments ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.post_comments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.post_reaction_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    type character varying(10) NOT NULL,
    post_id bigint NOT NULL
);
ALTER TABLE public.post_reaction_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.post_reaction_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.post_reactions (
    id bigint NOT NULL,
    type character varying(10) NOT NULL,
    post_id bigint NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT post_reaction_type_known CHECK ((type IN ('applause', 'boo')))
);
ALTER TABLE public.post_reactions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.post_reactions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.posts (
    id bigint NOT NULL,
    content text NOT NULL,
    image_url character varying(2048) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    is_hidden boolean DEFAULT false NOT NULL,
    user_id bigint,
    CONSTRAINT community_post_image_is_picture CHECK ((((image_url)::text = ''::text) OR ((image_url)::text ~ '^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#][^\s"<>\\\u0001-\u001f\u007f]*)?$'::text))),
    CONSTRAINT community_post_length CHECK ((length(content) <= 5000)),
    CONSTRAINT community_post_written CHECK ((content ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.posts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.posts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.program_texts (
    id bigint NOT NULL,
    text text NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT program_text_length CHECK ((length(text) <= 20000)),
    CONSTRAINT program_text_written CHECK ((text ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.program_texts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.program_texts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ranking_releases (
    id bigint NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    released_by_id bigint,
    stage_id bigint NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT release_reason_length CHECK ((length(reason) <= 300)),
    CONSTRAINT release_reason_written CHECK ((reason ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.ranking_releases ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ranking_releases_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ranking_rows (
    id bigint NOT NULL,
    rank smallint,
    lowest smallint,
    highest smallint,
    score numeric(4,2),
    score_from numeric(4,2),
    score_to numeric(4,2),
    raters integer NOT NULL,
    mean numeric(4,2) NOT NULL,
    appearance_id bigint NOT NULL,
    run_id bigint NOT NULL,
    CONSTRAINT ranking_row_in_interval CHECK ((((highest IS NULL) AND (lowest IS NULL)) OR ((highest IS NOT NULL) AND (lowest IS NOT NULL) AND (highest >= rank) AND (lowest >= 1) AND (lowest <= rank)))),
    CONSTRAINT ranking_row_in_scale CHECK ((mean BETWEEN (1)::numeric AND (25)::numeric) AND (raters >= 1)),
    CONSTRAINT ranking_row_score_interval CHECK ((((score_from IS NULL) AND (score_to IS NULL)) OR ((score_from IS NOT NULL) AND (score_to IS NOT NULL) AND (score_from <= score_to) AND ((score_from >= (1)::numeric) AND (score_from <= (25)::numeric)) AND ((score_to >= (1)::numeric) AND (score_to <= (25)::numeric))))),
    CONSTRAINT ranking_row_whole CHECK ((((lowest IS NULL) AND (rank IS NULL) AND (score IS NULL) AND (score_from IS NULL)) OR ((rank >= 1) AND (rank IS NOT NULL) AND (score IS NOT NULL) AND ((score >= (1)::numeric) AND (score <= (25)::numeric))))),
    CONSTRAINT ranking_rows_highest_check CHECK ((highest >= 0)),
    CONSTRAINT ranking_rows_lowest_check CHECK ((lowest >= 0)),
    CONSTRAINT ranking_rows_rank_check CHECK ((rank >= 0)),
    CONSTRAINT ranking_rows_raters_check CHECK ((raters >= 0))
);
ALTER TABLE public.ranking_rows ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ranking_rows_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ranking_runs (
    id bigint NOT NULL,
    method smallint NOT NULL,
    digest character varying(64) NOT NULL,
    made_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    is_final boolean DEFAULT false NOT NULL,
    final_at timestamp with time zone,
    failed_at timestamp with time zone,
    raters integer NOT NULL,
    marks integer NOT NULL,
    waiting integer NOT NULL,
    partial integer NOT NULL,
    new integer NOT NULL,
    uniform integer NOT NULL,
    burst integer NOT NULL,
    few integer NOT NULL,
    file bytea NOT NULL,
    stage_id bigint NOT NULL,
    CONSTRAINT ranking_digest_well_formed CHECK (((digest)::text ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT ranking_final_dated CHECK ((is_final = (final_at IS NOT NULL))),
    CONSTRAINT ranking_method_known CHECK ((method >= 1)),
    CONSTRAINT ranking_runs_burst_check CHECK ((burst >= 0)),
    CONSTRAINT ranking_runs_few_check CHECK ((few >= 0)),
    CONSTRAINT ranking_runs_marks_check CHECK ((marks >= 0)),
    CONSTRAINT ranking_runs_method_check CHECK ((method >= 0)),
    CONSTRAINT ranking_runs_new_check CHECK ((new >= 0)),
    CONSTRAINT ranking_runs_partial_check CHECK ((partial >= 0)),
    CONSTRAINT ranking_runs_raters_check CHECK ((raters >= 0)),
    CONSTRAINT ranking_runs_uniform_check CHECK ((uniform >= 0)),
    CONSTRAINT ranking_runs_waiting_check CHECK ((waiting >= 0))
);
ALTER TABLE public.ranking_runs ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ranking_runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rate_limits (
    subject character varying(60) NOT NULL,
    name character varying(60) NOT NULL,
    back_at timestamp with time zone[] NOT NULL,
    allowed boolean NOT NULL
);
CREATE TABLE public.rating_decisions (
    id bigint NOT NULL,
    approved boolean NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint,
    submissions integer DEFAULT 1 NOT NULL,
    CONSTRAINT rating_decisions_submissions_check CHECK ((submissions >= 0))
);
ALTER TABLE public.rating_decisions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.rating_decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rating_submission_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    waiting_pieces smallint NOT NULL,
    approved_pieces smallint NOT NULL,
    session_participant_id bigint NOT NULL,
    CONSTRAINT rating_submission_counts_approved_pieces_check CHECK ((approved_pieces >= 0)),
    CONSTRAINT rating_submission_counts_waiting_pieces_check CHECK ((waiting_pieces >= 0))
);
ALTER TABLE public.rating_submission_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.rating_submission_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rating_submissions (
    id bigint NOT NULL,
    waiting_pieces smallint DEFAULT 0 NOT NULL,
    waiting_points smallint DEFAULT 0 NOT NULL,
    approved_pieces smallint DEFAULT 0 NOT NULL,
    approved_points smallint DEFAULT 0 NOT NULL,
    given_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    shown_at timestamp with time zone,
    waiting_at timestamp with time zone,
    session_participant_id bigint NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT rating_submissions_approved_pieces_check CHECK ((approved_pieces >= 0)),
    CONSTRAINT rating_submissions_approved_points_check CHECK ((approved_points >= 0)),
    CONSTRAINT rating_submissions_waiting_pieces_check CHECK ((waiting_pieces >= 0)),
    CONSTRAINT rating_submissions_waiting_points_check CHECK ((waiting_points >= 0)),
    CONSTRAINT submission_shown CHECK ((((approved_pieces = 0) AND (approved_points = 0)) OR ((approved_pieces > 0) AND (shown_at IS NOT NULL)))),
    CONSTRAINT submission_waiting CHECK ((((waiting_at IS NULL) AND (waiting_pieces = 0) AND (waiting_points = 0)) OR ((waiting_at IS NOT NULL) AND (waiting_pieces > 0))))
);
ALTER TABLE public.rating_submissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.rating_submissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rating_turns (
    id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.rating_turns ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.rating_turns_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.report_case_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    state character varying(9) NOT NULL,
    kind character varying(15) NOT NULL
);
ALTER TABLE public.report_case_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.report_case_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.report_cases (
    id bigint NOT NULL,
    kind character varying(15) NOT NULL,
    subject_id bigint NOT NULL,
    state character varying(9) NOT NULL,
    is_hidden_by_audience boolean NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    decided_at timestamp with time zone,
    decided_by_id bigint,
    CONSTRAINT report_case_decided CHECK ((((state)::text = 'open'::text) OR ((decided_at IS NOT NULL) AND (NOT is_hidden_by_audience)))),
    CONSTRAINT report_kind_known CHECK ((kind IN ('post', 'post_comment', 'session_comment', 'rating_comment'))),
    CONSTRAINT report_state_known CHECK ((state IN ('open', 'hidden', 'dismissed')))
);
ALTER TABLE public.report_cases ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.report_cases_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.report_decisions (
    id bigint NOT NULL,
    is_hidden boolean NOT NULL,
    count integer NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint,
    CONSTRAINT report_decisions_count_check CHECK ((count >= 0))
);
ALTER TABLE public.report_decisions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.report_decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reports (
    id bigint NOT NULL,
    reason character varying(9) NOT NULL,
    words text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint NOT NULL,
    case_id bigint NOT NULL,
    CONSTRAINT report_reason_known CHECK ((reason IN ('spam', 'insult', 'off_topic', 'other'))),
    CONSTRAINT report_words_length CHECK ((length(words) <= 500)),
    CONSTRAINT report_words_written CHECK ((NOT (((reason)::text = 'other'::text) AND (words = ''::text))))
);
ALTER TABLE public.reports ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.reports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session_comment_allowances (
    user_id bigint NOT NULL,
    remaining double precision NOT NULL,
    counted_at timestamp with time zone NOT NULL
);
CREATE TABLE public.session_comment_counts (
    id bigint NOT NULL,
    count bigint NOT NULL,
    session_id bigint NOT NULL,
    is_hidden boolean NOT NULL
);
ALTER TABLE public.session_comment_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_comment_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session_comments (
    id bigint NOT NULL,
    content character varying(500) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    session_id bigint NOT NULL,
    user_id bigint NOT NULL,
    is_hidden boolean DEFAULT false NOT NULL,
    CONSTRAINT session_comment_length CHECK ((length((content)::text) <= 500)),
    CONSTRAINT session_comment_written CHECK (((content)::text ~ '^\S(.*\S)?$'::text))
);
ALTER TABLE public.session_comments ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_comments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session_participant_pieces (
    id bigint NOT NULL,
    order_number smallint NOT NULL,
    slot character varying(8) NOT NULL,
    "timestamp" integer,
    youtube_url character varying(2048) NOT NULL,
    piece_id bigint NOT NULL,
    session_participant_id bigint NOT NULL,
    CONSTRAINT entry_link_is_https CHECK ((((youtube_url)::text = ''::text) OR ((youtube_url)::text ~ '^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#][^\s"<>\\\u0001-\u001f\u007f]*)?$'::text))),
    CONSTRAINT entry_order_from_one CHECK ((order_number >= 1)),
    CONSTRAINT entry_slot_known CHECK ((slot IN ('etiuda_a', 'etiuda_b', 'nocturn', 'scherzo', 'mazurek'))),
    CONSTRAINT session_participant_pieces_order_number_check CHECK ((order_number >= 0)),
    CONSTRAINT session_participant_pieces_timestamp_check CHECK (("timestamp" >= 0))
);
ALTER TABLE public.session_participant_pieces ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_participant_pieces_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session_participants (
    id bigint NOT NULL,
    order_number smallint NOT NULL,
    is_performing boolean NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    participant_id bigint NOT NULL,
    session_id bigint NOT NULL,
    CONSTRAINT place_order_from_one CHECK ((order_number >= 1)),
    CONSTRAINT session_participants_order_number_check CHECK ((order_number >= 0))
);
ALTER TABLE public.session_participants ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_participants_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session_reaction_moments (
    id bigint NOT NULL,
    second bigint NOT NULL,
    count integer NOT NULL,
    session_id bigint NOT NULL,
    CONSTRAINT session_reaction_moments_count_check CHECK ((count >= 0))
);
ALTER TABLE public.session_reaction_moments ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_reaction_moments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session_reaction_totals (
    id bigint NOT NULL,
    type character varying(10) NOT NULL,
    total integer NOT NULL,
    session_id bigint NOT NULL,
    CONSTRAINT reaction_total_type_known CHECK ((type IN ('heart', 'thumbsUp', 'thumbsDown'))),
    CONSTRAINT session_reaction_totals_total_check CHECK ((total >= 0))
);
ALTER TABLE public.session_reaction_totals ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_reaction_totals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session_reactions (
    id bigint NOT NULL,
    type character varying(10) NOT NULL,
    "timestamp" bigint NOT NULL,
    key uuid NOT NULL,
    number smallint NOT NULL,
    session_id bigint NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT reaction_type_known CHECK ((type IN ('heart', 'thumbsUp', 'thumbsDown'))),
    CONSTRAINT session_reactions_number_check CHECK ((number >= 0))
);
ALTER TABLE public.session_reactions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_reactions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.sessions (
    id bigint NOT NULL,
    title character varying(200) NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    description text NOT NULL,
    youtube_id character varying(11) NOT NULL,
    is_live boolean NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    stage_id bigint NOT NULL,
    CONSTRAINT session_description_length CHECK ((length(description) <= 5000)),
    CONSTRAINT session_title_written CHECK (((title)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT session_video_well_formed CHECK ((((youtube_id)::text = ''::text) OR ((youtube_id)::text ~ '^[A-Za-z0-9_-]{11}$'::text)))
);
ALTER TABLE public.sessions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialaccount (
    id integer NOT NULL,
    provider character varying(200) NOT NULL,
    uid character varying(191) NOT NULL,
    last_login timestamp with time zone NOT NULL,
    date_joined timestamp with time zone NOT NULL,
    extra_data jsonb NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.socialaccount_socialaccount ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialaccount_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialapp (
    id integer NOT NULL,
    provider character varying(30) NOT NULL,
    name character varying(40) NOT NULL,
    client_id character varying(191) NOT NULL,
    secret character varying(191) NOT NULL,
    key character varying(191) NOT NULL,
    provider_id character varying(200) NOT NULL,
    settings jsonb NOT NULL
);
ALTER TABLE public.socialaccount_socialapp ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialapp_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialtoken (
    id integer NOT NULL,
    token text NOT NULL,
    token_secret text NOT NULL,
    expires_at timestamp with time zone,
    account_id integer NOT NULL,
    app_id integer
);
ALTER TABLE public.socialaccount_socialtoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialtoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.stages (
    id bigint NOT NULL,
    name character varying(100) NOT NULL,
    order_number smallint NOT NULL,
    field_drawn_at timestamp with time zone,
    archived_at timestamp with time zone,
    CONSTRAINT stage_name_written CHECK (((name)::text ~ '^\S(.*\S)?$'::text)),
    CONSTRAINT stage_order_from_one CHECK ((order_number >= 1)),
    CONSTRAINT stages_order_number_check CHECK ((order_number >= 0))
);
ALTER TABLE public.stages ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.stages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.users (
    id bigint NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    email character varying(254) NOT NULL,
    username character varying(20) NOT NULL,
    avatar_url character varying(2048) NOT NULL,
    is_admin boolean NOT NULL,
    is_active boolean NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    username_grandfathered boolean DEFAULT false NOT NULL,
    CONSTRAINT email_well_formed CHECK (((email)::text ~ '^[^@\s]+@[^@\s]+$'::text)),
    CONSTRAINT user_avatar_is_picture CHECK ((((avatar_url)::text = ''::text) OR ((avatar_url)::text ~ '(^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#][^\s"<>\\\u0001-\u001f\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'::text))),
    CONSTRAINT username_not_reserved CHECK ((username_grandfathered OR (NOT (replace(replace(translate(lower((username)::text), '01i-_'::text, 'oll'::text), 'rn'::text, 'm'::text), 'vv'::text, 'w'::text) = ANY (ARRAY['admln'::text, 'admlnlstrator'::text, 'anonymous'::text, 'everybody'::text, 'formermember'::text, 'guest'::text, 'help'::text, 'jury'::text, 'mall'::text, 'moderator'::text, 'nobody'::text, 'parterre'::text, 'postmaster'::text, 'press'::text, 'root'::text, 'securlty'::text, 'staff'::text, 'support'::text, 'system'::text, 'webmaster'::text]))))),
    CONSTRAINT username_well_formed CHECK (((username)::text ~ '^[A-Za-z][A-Za-z0-9_-]{2,19}$'::text))
);
ALTER TABLE public.users ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_email_987c8728_uniq UNIQUE (user_id, email);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_key_key UNIQUE (key);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT act_once_per_person_and_key UNIQUE (user_id, key);
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT acts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.advance_recommendation_counts
    ADD CONSTRAINT advance_recommendation_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.advance_recommendations
    ADD CONSTRAINT advance_recommendations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_sessions
    ADD CONSTRAINT auth_sessions_handle_key UNIQUE (handle);
ALTER TABLE ONLY public.auth_sessions
    ADD CONSTRAINT auth_sessions_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.blog_posts
    ADD CONSTRAINT blog_posts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.decided_rating_counts
    ADD CONSTRAINT decided_rating_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decided_ratings
    ADD CONSTRAINT decided_ratings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decided_report_cases
    ADD CONSTRAINT decided_report_cases_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.default_avatar_urls
    ADD CONSTRAINT default_avatar_urls_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_participant_pieces
    ADD CONSTRAINT entry_order_once_per_place UNIQUE (session_participant_id, order_number) DEFERRABLE;
ALTER TABLE ONLY public.error_logs
    ADD CONSTRAINT error_logs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.form_answers
    ADD CONSTRAINT form_answers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.loaded_demos
    ADD CONSTRAINT loaded_demos_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.participant_import_creations
    ADD CONSTRAINT participant_import_creation_once UNIQUE (participant_import_id, kind, created_id);
ALTER TABLE ONLY public.participant_import_creations
    ADD CONSTRAINT participant_import_creations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.participant_import_rows
    ADD CONSTRAINT participant_import_row_once UNIQUE (participant_import_id, "position");
ALTER TABLE ONLY public.participant_import_rows
    ADD CONSTRAINT participant_import_rows_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.participant_imports
    ADD CONSTRAINT participant_imports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_participants
    ADD CONSTRAINT participant_once_per_session UNIQUE (session_id, participant_id);
ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.performance_ratings
    ADD CONSTRAINT performance_rated_once UNIQUE (user_id, session_participant_id);
ALTER TABLE ONLY public.performance_rating_counts
    ADD CONSTRAINT performance_rating_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.performance_ratings
    ADD CONSTRAINT performance_ratings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.performances
    ADD CONSTRAINT performances_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.performing_times
    ADD CONSTRAINT performing_times_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.piece_mark_counts
    ADD CONSTRAINT piece_mark_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pieces
    ADD CONSTRAINT piece_once_per_category UNIQUE (category, name);
ALTER TABLE ONLY public.piece_ratings
    ADD CONSTRAINT piece_rated_once UNIQUE (user_id, session_participant_id, piece_id);
ALTER TABLE ONLY public.piece_rating_counts
    ADD CONSTRAINT piece_rating_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.piece_ratings
    ADD CONSTRAINT piece_ratings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pieces
    ADD CONSTRAINT pieces_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_participants
    ADD CONSTRAINT place_order_once_per_session UNIQUE (session_id, order_number) DEFERRABLE;
ALTER TABLE ONLY public.post_comment_counts
    ADD CONSTRAINT post_comment_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.post_comments
    ADD CONSTRAINT post_comments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.post_reaction_counts
    ADD CONSTRAINT post_reaction_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.post_reactions
    ADD CONSTRAINT post_reaction_once UNIQUE (user_id, post_id);
ALTER TABLE ONLY public.post_reactions
    ADD CONSTRAINT post_reactions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.program_texts
    ADD CONSTRAINT program_texts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.program_texts
    ADD CONSTRAINT program_texts_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.ranking_rows
    ADD CONSTRAINT ranked_once UNIQUE (run_id, appearance_id);
ALTER TABLE ONLY public.ranking_releases
    ADD CONSTRAINT ranking_releases_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ranking_rows
    ADD CONSTRAINT ranking_rows_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ranking_runs
    ADD CONSTRAINT ranking_runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (subject, name);
ALTER TABLE ONLY public.rating_decisions
    ADD CONSTRAINT rating_decisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rating_submission_counts
    ADD CONSTRAINT rating_submission_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rating_submissions
    ADD CONSTRAINT rating_submissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rating_turns
    ADD CONSTRAINT rating_turns_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_reaction_moments
    ADD CONSTRAINT reaction_moment_once UNIQUE (session_id, second);
ALTER TABLE ONLY public.session_reactions
    ADD CONSTRAINT reaction_once UNIQUE (user_id, key, number);
ALTER TABLE ONLY public.session_reaction_totals
    ADD CONSTRAINT reaction_total_once UNIQUE (session_id, type);
ALTER TABLE ONLY public.advance_recommendations
    ADD CONSTRAINT recommended_once UNIQUE (user_id, session_participant_id);
ALTER TABLE ONLY public.ranking_releases
    ADD CONSTRAINT released_once UNIQUE (user_id, stage_id);
ALTER TABLE ONLY public.report_case_counts
    ADD CONSTRAINT report_case_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.report_cases
    ADD CONSTRAINT report_case_once UNIQUE (kind, subject_id);
ALTER TABLE ONLY public.report_cases
    ADD CONSTRAINT report_cases_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.report_decisions
    ADD CONSTRAINT report_decisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reported_once UNIQUE (case_id, user_id);
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_comment_allowances
    ADD CONSTRAINT session_comment_allowances_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.session_comment_counts
    ADD CONSTRAINT session_comment_counts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_comments
    ADD CONSTRAINT session_comments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_participant_pieces
    ADD CONSTRAINT session_participant_pieces_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_participants
    ADD CONSTRAINT session_participants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_reaction_moments
    ADD CONSTRAINT session_reaction_moments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_reaction_totals
    ADD CONSTRAINT session_reaction_totals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_reactions
    ADD CONSTRAINT session_reactions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_provider_uid_fc810c6e_uniq UNIQUE (provider, uid);
ALTER TABLE ONLY public.socialaccount_socialapp
    ADD CONSTRAINT socialaccount_socialapp_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_socialtoken_app_id_account_id_fca4e0ac_uniq UNIQUE (app_id, account_id);
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_socialtoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.stages
    ADD CONSTRAINT stage_order_once UNIQUE (order_number) DEFERRABLE;
ALTER TABLE ONLY public.stages
    ADD CONSTRAINT stages_name_key UNIQUE (name);
ALTER TABLE ONLY public.stages
    ADD CONSTRAINT stages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rating_submissions
    ADD CONSTRAINT submitted_once UNIQUE (user_id, session_participant_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX account_emailaddress_email_03be32b2 ON public.account_emailaddress USING btree (email);
CREATE INDEX account_emailaddress_email_03be32b2_like ON public.account_emailaddress USING btree (email varchar_pattern_ops);
CREATE INDEX account_emailaddress_user_id_2c513194 ON public.account_emailaddress USING btree (user_id);
CREATE INDEX account_emailconfirmation_email_address_id_5b7f8c58 ON public.account_emailconfirmation USING btree (email_address_id);
CREATE INDEX account_emailconfirmation_key_f43612bd_like ON public.account_emailconfirmation USING btree (key varchar_pattern_ops);
CREATE INDEX acts_created_at_44644883 ON public.acts USING btree (created_at);
CREATE INDEX advance_recommendations_session_participant_id_6ccca042 ON public.advance_recommendations USING btree (session_participant_id);
CREATE INDEX audit_by_subject ON public.audit_entries USING btree (subject, subject_id);
CREATE INDEX audit_entries_created_at_35a8642a ON public.audit_entries USING btree (created_at);
CREATE INDEX audit_of_action ON public.audit_entries USING btree (action, created_at DESC, id DESC);
CREATE INDEX audit_of_deleted ON public.audit_entries USING btree (subject, subject_id) WHERE ((action)::text ~~ '%.delete'::text);
CREATE INDEX audit_of_subject ON public.audit_entries USING btree (subject, created_at DESC, id DESC);
CREATE INDEX audit_of_user_id ON public.audit_entries USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);
CREATE INDEX auth_sessions_expire_date_c122b0a3 ON public.auth_sessions USING btree (expire_date);
CREATE INDEX auth_sessions_key_158cf3db_like ON public.auth_sessions USING btree (key varchar_pattern_ops);
CREATE INDEX auth_sessions_user_id_0d95a12e ON public.auth_sessions USING btree (user_id);
CREATE INDEX blog_posts_author_id_6f561d00 ON public.blog_posts USING btree (author_id);
CREATE INDEX comment_count_of_session ON public.session_comment_counts USING btree (session_id, is_hidden);
CREATE INDEX community_post_hidden ON public.posts USING btree (user_id) WHERE is_hidden;
CREATE INDEX community_post_newest ON public.posts USING btree (created_at DESC, id DESC) WHERE (NOT is_hidden);
CREATE INDEX community_post_of_user ON public.posts USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX counters_expires_at_a4bba890 ON public.counters USING btree (expires_at);
CREATE INDEX counters_key_b3b45210_like ON public.counters USING btree (key varchar_pattern_ops);
CREATE INDEX decided_rating_count ON public.decided_rating_counts USING btree (decision_id);
CREATE INDEX decided_ratings_decision_id_c0a44af1 ON public.decided_ratings USING btree (decision_id);
CREATE INDEX decided_ratings_user_id_97133962 ON public.decided_ratings USING btree (user_id);
CREATE INDEX decided_report_cases_case_id_61a000fe ON public.decided_report_cases USING btree (case_id);
CREATE INDEX decided_report_cases_decision_id_68d199ed ON public.decided_report_cases USING btree (decision_id);
CREATE INDEX default_avatar_urls_updated_by_id_06a15b35 ON public.default_avatar_urls USING btree (updated_by_id);
CREATE INDEX default_avatars_newest ON public.default_avatar_urls USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX email_once_in_any_case ON public.users USING btree (lower((email)::text));
CREATE INDEX error_by_severity ON public.error_logs USING btree (severity, id DESC);
CREATE INDEX error_logs_created_at_9f44b3a9 ON public.error_logs USING btree (created_at);
CREATE INDEX form_answers_created_at_11f15d30 ON public.form_answers USING btree (created_at);
CREATE INDEX form_answers_user_id_b4c4ad98 ON public.form_answers USING btree (user_id);
CREATE INDEX mails_due ON public.mails USING btree (due_at, id);
CREATE INDEX mfa_authenticator_user_id_0c3a50c0 ON public.mfa_authenticator USING btree (user_id);
CREATE UNIQUE INDEX one_live_session ON public.sessions USING btree (is_live) WHERE is_live;
CREATE UNIQUE INDEX one_performer_per_session ON public.session_participants USING btree (session_id) WHERE is_performing;
CREATE UNIQUE INDEX one_performing_time_lasts ON public.performing_times USING btree (session_participant_id) WHERE (ended_at IS NULL);
CREATE INDEX one_time_links_digest_6b393ebe_like ON public.one_time_links USING btree (digest varchar_pattern_ops);
CREATE INDEX one_time_links_expires_at_f72929d0 ON public.one_time_links USING btree (expires_at);
CREATE INDEX one_time_links_user_id_5ed66344 ON public.one_time_links USING btree (user_id);
CREATE INDEX participant_import_preview ON public.participant_imports USING btree (user_id, id DESC) WHERE ((state)::text = 'preview'::text);
CREATE INDEX participant_import_saved ON public.participant_imports USING btree (saved_at DESC, id DESC) WHERE (saved_at IS NOT NULL);
CREATE INDEX participant_imports_created_at_4422320c ON public.participant_imports USING btree (created_at);
CREATE INDEX participant_imports_user_id_671a28ef ON public.participant_imports USING btree (user_id);
CREATE INDEX participants_sort_folded_b1b91a75 ON public.participants USING btree (sort_folded);
CREATE INDEX participants_sort_folded_b1b91a75_like ON public.participants USING btree (sort_folded varchar_pattern_ops);
CREATE INDEX performance_comment_hidden ON public.performance_ratings USING btree (user_id) WHERE is_comment_hidden;
CREATE INDEX performance_rating_counted ON public.performance_rating_counts USING btree (session_participant_id, approved, score);
CREATE INDEX performancerating_all_new ON public.performance_ratings USING btree (created_at DESC, id DESC);
CREATE INDEX performancerating_place_all ON public.performance_ratings USING btree (session_participant_id, created_at DESC, id DESC);
CREATE INDEX performancerating_place_shown ON public.performance_ratings USING btree (session_participant_id, created_at DESC, id DESC) WHERE (approved AND is_author_active);
CREATE INDEX performancerating_place_waits ON public.performance_ratings USING btree (session_participant_id, updated_at DESC, id DESC) WHERE ((NOT approved) AND is_author_active);
CREATE INDEX performancerating_shown ON public.performance_ratings USING btree (created_at DESC, id DESC) WHERE (approved AND is_author_active);
CREATE INDEX performancerating_waits ON public.performance_ratings USING btree (updated_at DESC, id DESC) WHERE ((NOT approved) AND is_author_active);
CREATE INDEX performances_participant_id_73d23e9d ON public.performances USING btree (participant_id);
CREATE INDEX performing_times_session_participant_id_6706ab63 ON public.performing_times USING btree (session_participant_id);
CREATE INDEX piece_mark_counted ON public.piece_mark_counts USING btree (session_participant_id, piece_id, score);
CREATE INDEX piece_rating_counted ON public.piece_rating_counts USING btree (session_participant_id, piece_id, approved);
CREATE INDEX piece_ratings_piece_id_45740638 ON public.piece_ratings USING btree (piece_id);
CREATE INDEX piecerating_place_all ON public.piece_ratings USING btree (session_participant_id, created_at DESC, id DESC);
CREATE INDEX post_comment_count_of_post ON public.post_comment_counts USING btree (post_id);
CREATE INDEX post_comment_hidden ON public.post_comments USING btree (user_id) WHERE is_hidden;
CREATE INDEX post_comment_newest ON public.post_comments USING btree (post_id, id DESC);
CREATE INDEX post_comments_user_id_540f5634 ON public.post_comments USING btree (user_id);
CREATE INDEX post_newest ON public.blog_posts USING btree (published_at DESC, id DESC) WHERE is_published;
CREATE INDEX post_reaction_count_of_post ON public.post_reaction_counts USING btree (post_id, type);
CREATE INDEX post_reactions_post_id_31c1e1da ON public.post_reactions USING btree (post_id);
CREATE UNIQUE INDEX ranking_final_once ON public.ranking_runs USING btree (stage_id) WHERE is_final;
CREATE INDEX ranking_releases_released_by_id_c5c2a8b7 ON public.ranking_releases USING btree (released_by_id);
CREATE INDEX ranking_releases_stage_id_82f445e9 ON public.ranking_releases USING btree (stage_id);
CREATE INDEX ranking_rows_appearance_id_f6014dcc ON public.ranking_rows USING btree (appearance_id);
CREATE INDEX ranking_run_newest ON public.ranking_runs USING btree (stage_id, id DESC);
CREATE INDEX rating_decisions_created_at_7d99f6e9 ON public.rating_decisions USING btree (created_at);
CREATE INDEX rating_decisions_user_id_3c0cc69f ON public.rating_decisions USING btree (user_id);
CREATE INDEX reaction_lately ON public.session_reactions USING btree (session_id, "timestamp");
CREATE INDEX recommendation_counted ON public.advance_recommendation_counts USING btree (session_participant_id, recommendation);
CREATE INDEX report_case_counted ON public.report_case_counts USING btree (state, kind);
CREATE INDEX report_case_newest ON public.report_cases USING btree (state, updated_at DESC, id DESC);
CREATE INDEX report_case_of_kind ON public.report_cases USING btree (state, kind, updated_at DESC, id DESC);
CREATE INDEX report_decisions_created_at_b5847638 ON public.report_decisions USING btree (created_at);
CREATE INDEX report_decisions_user_id_9fb11951 ON public.report_decisions USING btree (user_id);
CREATE INDEX reports_user_id_ada757e6 ON public.reports USING btree (user_id);
CREATE INDEX session_comment_hidden ON public.session_comments USING btree (user_id) WHERE is_hidden;
CREATE INDEX session_comment_newest ON public.session_comments USING btree (session_id, id DESC);
CREATE INDEX session_comment_of_user ON public.session_comments USING btree (user_id, created_at DESC);
CREATE INDEX session_comments_session_id_592660c1 ON public.session_comments USING btree (session_id);
CREATE INDEX session_comments_user_id_b6a79eee ON public.session_comments USING btree (user_id);
CREATE INDEX session_participant_pieces_piece_id_81fadcfd ON public.session_participant_pieces USING btree (piece_id);
CREATE INDEX session_participant_pieces_session_participant_id_272efaaa ON public.session_participant_pieces USING btree (session_participant_id);
CREATE INDEX session_participants_participant_id_3ee007d3 ON public.session_participants USING btree (participant_id);
CREATE INDEX session_participants_session_id_12edbd63 ON public.session_participants USING btree (session_id);
CREATE INDEX session_reaction_totals_session_id_f6724706 ON public.session_reaction_totals USING btree (session_id);
CREATE INDEX session_reactions_session_id_c50164c3 ON public.session_reactions USING btree (session_id);
CREATE INDEX session_reactions_user_id_b19875fa ON public.session_reactions USING btree (user_id);
CREATE INDEX sessions_stage_id_cb2d22a3 ON public.sessions USING btree (stage_id);
CREATE INDEX sessions_starts_at_d45cbe71 ON public.sessions USING btree (starts_at);
CREATE INDEX socialaccount_socialaccount_user_id_8146e70c ON public.socialaccount_socialaccount USING btree (user_id);
CREATE INDEX socialaccount_socialtoken_account_id_951f210e ON public.socialaccount_socialtoken USING btree (account_id);
CREATE INDEX socialaccount_socialtoken_app_id_636a42d7 ON public.socialaccount_socialtoken USING btree (app_id);
CREATE INDEX stages_name_84e90184_like ON public.stages USING btree (name varchar_pattern_ops);
CREATE INDEX submission_counted ON public.rating_submission_counts USING btree (session_participant_id, waiting_pieces, approved_pieces);
CREATE INDEX submission_given ON public.rating_submissions USING btree (given_at DESC, id DESC);
CREATE INDEX submission_of_user ON public.rating_submissions USING btree (user_id, given_at DESC, id DESC);
CREATE INDEX submission_place_given ON public.rating_submissions USING btree (session_participant_id, given_at DESC, id DESC);
CREATE INDEX submission_place_shown ON public.rating_submissions USING btree (session_participant_id, shown_at DESC, id DESC) WHERE (shown_at IS NOT NULL);
CREATE INDEX submission_place_waiting ON public.rating_submissions USING btree (session_participant_id, waiting_at DESC, id DESC) WHERE (waiting_at IS NOT NULL);
CREATE INDEX submission_shown ON public.rating_submissions USING btree (shown_at DESC, id DESC) WHERE (shown_at IS NOT NULL);
CREATE INDEX submission_waiting ON public.rating_submissions USING btree (waiting_at DESC, id DESC) WHERE (waiting_at IS NOT NULL);
CREATE INDEX turn_of_user ON public.rating_turns USING btree (user_id, created_at);
CREATE UNIQUE INDEX unique_authenticator_type ON public.mfa_authenticator USING btree (user_id, type) WHERE (type IN ('totp', 'recovery_codes'));
CREATE UNIQUE INDEX unique_primary_email ON public.account_emailaddress USING btree (user_id, "primary") WHERE "primary";
CREATE UNIQUE INDEX unique_verified_email ON public.account_emailaddress USING btree (email) WHERE verified;
CREATE INDEX user_administrators ON public.users USING btree (username) WHERE is_admin;
CREATE INDEX user_by_email ON public.users USING btree (upper((email)::text));
CREATE INDEX user_by_username ON public.users USING btree (upper((username)::text));
CREATE INDEX user_closed ON public.users USING btree (created_at DESC, id DESC) WHERE (NOT is_active);
CREATE INDEX user_newest ON public.users USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX username_once_among_lookalikes ON public.users USING btree (replace(replace(translate(lower((username)::text), '01i-_'::text, 'oll'::text), 'rn'::text, 'm'::text), 'vv'::text, 'w'::text)) WHERE (NOT username_grandfathered);
CREATE UNIQUE INDEX username_once_in_any_case ON public.users USING btree (lower((username)::text));
CREATE INDEX users_email_0ea73cca_like ON public.users USING btree (email varchar_pattern_ops);
CREATE TRIGGER advance_recommendation_counts_delete AFTER DELETE ON public.advance_recommendations REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('advance_recommendation_counts', 'session_participant_id, is_author_active, recommendation', 'true');
CREATE TRIGGER advance_recommendation_counts_insert AFTER INSERT ON public.advance_recommendations REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('advance_recommendation_counts', 'session_participant_id, is_author_active, recommendation', 'true');
CREATE TRIGGER advance_recommendation_counts_update AFTER UPDATE ON public.advance_recommendations REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('advance_recommendation_counts', 'session_participant_id, is_author_active, recommendation', 'true');
CREATE TRIGGER advance_recommendations_author BEFORE INSERT ON public.advance_recommendations FOR EACH ROW EXECUTE FUNCTION public.author_active();
CREATE TRIGGER decided_rating_counts_delete AFTER DELETE ON public.decided_ratings REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('decided_rating_counts', 'decision_id', 'true');
CREATE TRIGGER decided_rating_counts_insert AFTER INSERT ON public.decided_ratings REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('decided_rating_counts', 'decision_id', 'true');
CREATE TRIGGER decided_rating_counts_update AFTER UPDATE ON public.decided_ratings REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('decided_rating_counts', 'decision_id', 'true');
CREATE TRIGGER marks_follow_author AFTER UPDATE OF is_active ON public.users FOR EACH ROW WHEN ((old.is_active IS DISTINCT FROM new.is_active)) EXECUTE FUNCTION public.marks_follow_author();
CREATE TRIGGER performance_rating_counts_delete AFTER DELETE ON public.performance_ratings REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('performance_rating_counts', 'session_participant_id, is_author_active, approved, score', 'true');
CREATE TRIGGER performance_rating_counts_insert AFTER INSERT ON public.performance_ratings REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('performance_rating_counts', 'session_participant_id, is_author_active, approved, score', 'true');
CREATE TRIGGER performance_rating_counts_update AFTER UPDATE ON public.performance_ratings REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('performance_rating_counts', 'session_participant_id, is_author_active, approved, score', 'true');
CREATE TRIGGER performance_ratings_author BEFORE INSERT ON public.performance_ratings FOR EACH ROW EXECUTE FUNCTION public.author_active();
CREATE TRIGGER performance_ratings_submissions_delete AFTER DELETE ON public.performance_ratings REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rating_submissions_keep();
CREATE TRIGGER performance_ratings_submissions_insert AFTER INSERT ON public.performance_ratings REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rating_submissions_keep();
CREATE TRIGGER performance_ratings_submissions_update AFTER UPDATE ON public.performance_ratings REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rating_submissions_keep();
CREATE TRIGGER piece_mark_counts_delete AFTER DELETE ON public.piece_ratings REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('piece_mark_counts', 'session_participant_id, piece_id, score', 'approved AND is_author_active');
CREATE TRIGGER piece_mark_counts_insert AFTER INSERT ON public.piece_ratings REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('piece_mark_counts', 'session_participant_id, piece_id, score', 'approved AND is_author_active');
CREATE TRIGGER piece_mark_counts_update AFTER UPDATE ON public.piece_ratings REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('piece_mark_counts', 'session_participant_id, piece_id, score', 'approved AND is_author_active');
CREATE TRIGGER piece_rating_counts_delete AFTER DELETE ON public.piece_ratings REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('piece_rating_counts', 'session_participant_id, piece_id, approved', 'true');
CREATE TRIGGER piece_rating_counts_insert AFTER INSERT ON public.piece_ratings REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('piece_rating_counts', 'session_participant_id, piece_id, approved', 'true');
CREATE TRIGGER piece_rating_counts_update AFTER UPDATE ON public.piece_ratings REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('piece_rating_counts', 'session_participant_id, piece_id, approved', 'true');
CREATE TRIGGER piece_ratings_author BEFORE INSERT ON public.piece_ratings FOR EACH ROW EXECUTE FUNCTION public.author_active();
CREATE TRIGGER piece_ratings_submissions_delete AFTER DELETE ON public.piece_ratings REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rating_submissions_keep();
CREATE TRIGGER piece_ratings_submissions_insert AFTER INSERT ON public.piece_ratings REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rating_submissions_keep();
CREATE TRIGGER piece_ratings_submissions_update AFTER UPDATE ON public.piece_ratings REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rating_submissions_keep();
CREATE TRIGGER post_comment_counts_delete AFTER DELETE ON public.post_comments REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('post_comment_counts', 'post_id', 'NOT is_hidden');
CREATE TRIGGER post_comment_counts_insert AFTER INSERT ON public.post_comments REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('post_comment_counts', 'post_id', 'NOT is_hidden');
CREATE TRIGGER post_comment_counts_update AFTER UPDATE ON public.post_comments REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('post_comment_counts', 'post_id', 'NOT is_hidden');
CREATE TRIGGER post_reaction_counts_delete AFTER DELETE ON public.post_reactions REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('post_reaction_counts', 'post_id, type', 'true');
CREATE TRIGGER post_reaction_counts_insert AFTER INSERT ON public.post_reactions REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('post_reaction_counts', 'post_id, type', 'true');
CREATE TRIGGER post_reaction_counts_update AFTER UPDATE ON public.post_reactions REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('post_reaction_counts', 'post_id, type', 'true');
CREATE TRIGGER rating_submission_counts_delete AFTER DELETE ON public.rating_submissions REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('rating_submission_counts', 'session_participant_id, waiting_pieces, approved_pieces', 'waiting_pieces + approved_pieces > 0');
CREATE TRIGGER rating_submission_counts_insert AFTER INSERT ON public.rating_submissions REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('rating_submission_counts', 'session_participant_id, waiting_pieces, approved_pieces', 'waiting_pieces + approved_pieces > 0');
CREATE TRIGGER rating_submission_counts_update AFTER UPDATE ON public.rating_submissions REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('rating_submission_counts', 'session_participant_id, waiting_pieces, approved_pieces', 'waiting_pieces + approved_pieces > 0');
CREATE TRIGGER report_case_counts_delete AFTER DELETE ON public.report_cases REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('report_case_counts', 'state, kind', 'true');
CREATE TRIGGER report_case_counts_insert AFTER INSERT ON public.report_cases REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('report_case_counts', 'state, kind', 'true');
CREATE TRIGGER report_case_counts_update AFTER UPDATE ON public.report_cases REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('report_case_counts', 'state, kind', 'true');
CREATE TRIGGER reported_deleted AFTER DELETE ON public.performance_ratings REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.reported_deleted('rating_comment');
CREATE TRIGGER reported_deleted AFTER DELETE ON public.post_comments REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.reported_deleted('post_comment');
CREATE TRIGGER reported_deleted AFTER DELETE ON public.posts REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.reported_deleted('post');
CREATE TRIGGER reported_deleted AFTER DELETE ON public.session_comments REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.reported_deleted('session_comment');
CREATE TRIGGER reported_rewritten AFTER UPDATE OF comment ON public.performance_ratings FOR EACH ROW WHEN ((old.comment IS DISTINCT FROM new.comment)) EXECUTE FUNCTION public.reported_rewritten('rating_comment');
CREATE TRIGGER session_comment_counts_delete AFTER DELETE ON public.session_comments REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('session_comment_counts', 'session_id, is_hidden', 'true');
CREATE TRIGGER session_comment_counts_insert AFTER INSERT ON public.session_comments REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('session_comment_counts', 'session_id, is_hidden', 'true');
CREATE TRIGGER session_comment_counts_update AFTER UPDATE ON public.session_comments REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION public.rows_count('session_comment_counts', 'session_id, is_hidden', 'true');
CREATE TRIGGER session_stage_is_open BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.session_stage_is_open();
CREATE TRIGGER session_stage_stays_open BEFORE UPDATE OF stage_id ON public.sessions FOR EACH ROW WHEN ((new.stage_id <> old.stage_id)) EXECUTE FUNCTION public.session_stage_is_open();
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_2c513194_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirm_email_address_id_5b7f8c58_fk_account_e FOREIGN KEY (email_address_id) REFERENCES public.account_emailaddress(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.acts
    ADD CONSTRAINT acts_user_id_f65a4b22_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.advance_recommendations
    ADD CONSTRAINT advance_recommendati_session_participant__6ccca042_fk_session_p FOREIGN KEY (session_participant_id) REFERENCES public.session_participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.advance_recommendations
    ADD CONSTRAINT advance_recommendations_user_id_ac46405f_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_sessions
    ADD CONSTRAINT auth_sessions_user_id_0d95a12e_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.blog_posts
    ADD CONSTRAINT blog_posts_author_id_6f561d00_fk_users_id FOREIGN KEY (author_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decided_ratings
    ADD CONSTRAINT decided_ratings_decision_id_c0a44af1_fk_rating_decisions_id FOREIGN KEY (decision_id) REFERENCES public.rating_decisions(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decided_ratings
    ADD CONSTRAINT decided_ratings_user_id_97133962_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decided_report_cases
    ADD CONSTRAINT decided_report_cases_case_id_61a000fe_fk_report_cases_id FOREIGN KEY (case_id) REFERENCES public.report_cases(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decided_report_cases
    ADD CONSTRAINT decided_report_cases_decided_by_id_af37b55c_fk_users_id FOREIGN KEY (decided_by_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decided_report_cases
    ADD CONSTRAINT decided_report_cases_decision_id_68d199ed_fk_report_de FOREIGN KEY (decision_id) REFERENCES public.report_decisions(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.default_avatar_urls
    ADD CONSTRAINT default_avatar_urls_updated_by_id_06a15b35_fk_users_id FOREIGN KEY (updated_by_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.form_answers
    ADD CONSTRAINT form_answers_user_id_b4c4ad98_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_user_id_0c3a50c0_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_user_id_5ed66344_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.participant_import_creations
    ADD CONSTRAINT participant_import_c_participant_import_i_b24da340_fk_participa FOREIGN KEY (participant_import_id) REFERENCES public.participant_imports(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.participant_import_rows
    ADD CONSTRAINT participant_import_r_participant_import_i_4503f4f7_fk_participa FOREIGN KEY (participant_import_id) REFERENCES public.participant_imports(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.participant_imports
    ADD CONSTRAINT participant_imports_user_id_671a28ef_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.performance_ratings
    ADD CONSTRAINT performance_ratings_session_participant__fcedc439_fk_session_p FOREIGN KEY (session_participant_id) REFERENCES public.session_participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.performance_ratings
    ADD CONSTRAINT performance_ratings_user_id_d16c0282_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.performances
    ADD CONSTRAINT performances_participant_id_73d23e9d_fk_participants_id FOREIGN KEY (participant_id) REFERENCES public.participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.performing_times
    ADD CONSTRAINT performing_times_session_participant__6706ab63_fk_session_p FOREIGN KEY (session_participant_id) REFERENCES public.session_participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.piece_ratings
    ADD CONSTRAINT piece_ratings_piece_id_45740638_fk_pieces_id FOREIGN KEY (piece_id) REFERENCES public.pieces(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.piece_ratings
    ADD CONSTRAINT piece_ratings_session_participant__3c9ba814_fk_session_p FOREIGN KEY (session_participant_id) REFERENCES public.session_participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.piece_ratings
    ADD CONSTRAINT piece_ratings_user_id_25d5143f_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.post_comments
    ADD CONSTRAINT post_comments_post_id_e17f8125_fk_posts_id FOREIGN KEY (post_id) REFERENCES public.posts(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.post_comments
    ADD CONSTRAINT post_comments_user_id_540f5634_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.post_reactions
    ADD CONSTRAINT post_reactions_post_id_31c1e1da_fk_posts_id FOREIGN KEY (post_id) REFERENCES public.posts(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.post_reactions
    ADD CONSTRAINT post_reactions_user_id_a5d827c4_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_user_id_4291758d_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.program_texts
    ADD CONSTRAINT program_texts_user_id_e13a1536_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ranking_releases
    ADD CONSTRAINT ranking_releases_released_by_id_c5c2a8b7_fk_users_id FOREIGN KEY (released_by_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ranking_releases
    ADD CONSTRAINT ranking_releases_stage_id_82f445e9_fk_stages_id FOREIGN KEY (stage_id) REFERENCES public.stages(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ranking_releases
    ADD CONSTRAINT ranking_releases_user_id_816f3950_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ranking_rows
    ADD CONSTRAINT ranking_rows_appearance_id_f6014dcc_fk_session_participants_id FOREIGN KEY (appearance_id) REFERENCES public.session_participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ranking_rows
    ADD CONSTRAINT ranking_rows_run_id_635516ae_fk_ranking_runs_id FOREIGN KEY (run_id) REFERENCES public.ranking_runs(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ranking_runs
    ADD CONSTRAINT ranking_runs_stage_id_74acbde9_fk_stages_id FOREIGN KEY (stage_id) REFERENCES public.stages(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.rating_decisions
    ADD CONSTRAINT rating_decisions_user_id_3c0cc69f_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.rating_submissions
    ADD CONSTRAINT rating_submissions_session_participant__39768d4e_fk_session_p FOREIGN KEY (session_participant_id) REFERENCES public.session_participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.rating_submissions
    ADD CONSTRAINT rating_submissions_user_id_bb49d2db_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.report_cases
    ADD CONSTRAINT report_cases_decided_by_id_557bed7f_fk_users_id FOREIGN KEY (decided_by_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.report_decisions
    ADD CONSTRAINT report_decisions_user_id_9fb11951_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_case_id_203ed236_fk_report_cases_id FOREIGN KEY (case_id) REFERENCES public.report_cases(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_user_id_ada757e6_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_comments
    ADD CONSTRAINT session_comments_session_id_592660c1_fk_sessions_id FOREIGN KEY (session_id) REFERENCES public.sessions(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_comments
    ADD CONSTRAINT session_comments_user_id_b6a79eee_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_participant_pieces
    ADD CONSTRAINT session_participant__session_participant__272efaaa_fk_session_p FOREIGN KEY (session_participant_id) REFERENCES public.session_participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_participant_pieces
    ADD CONSTRAINT session_participant_pieces_piece_id_81fadcfd_fk_pieces_id FOREIGN KEY (piece_id) REFERENCES public.pieces(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_participants
    ADD CONSTRAINT session_participants_participant_id_3ee007d3_fk_participants_id FOREIGN KEY (participant_id) REFERENCES public.participants(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_participants
    ADD CONSTRAINT session_participants_session_id_12edbd63_fk_sessions_id FOREIGN KEY (session_id) REFERENCES public.sessions(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_reaction_moments
    ADD CONSTRAINT session_reaction_moments_session_id_673859b3_fk_sessions_id FOREIGN KEY (session_id) REFERENCES public.sessions(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_reaction_totals
    ADD CONSTRAINT session_reaction_totals_session_id_f6724706_fk_sessions_id FOREIGN KEY (session_id) REFERENCES public.sessions(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_reactions
    ADD CONSTRAINT session_reactions_session_id_c50164c3_fk_sessions_id FOREIGN KEY (session_id) REFERENCES public.sessions(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.session_reactions
    ADD CONSTRAINT session_reactions_user_id_b19875fa_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_stage_id_cb2d22a3_fk_stages_id FOREIGN KEY (stage_id) REFERENCES public.stages(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_social_account_id_951f210e_fk_socialacc FOREIGN KEY (account_id) REFERENCES public.socialaccount_socialaccount(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_social_app_id_636a42d7_fk_socialacc FOREIGN KEY (app_id) REFERENCES public.socialaccount_socialapp(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_user_id_8146e70c_fk_users_id FOREIGN KEY (user_id) REFERENCES public.users(id) DEFERRABLE INITIALLY DEFERRED;
INSERT INTO public.django_migrations VALUES (1, 'accounts', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (2, 'account', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (3, 'account', '0002_email_max_length', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (4, 'account', '0003_alter_emailaddress_create_unique_verified_email', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (5, 'account', '0004_alter_emailaddress_drop_unique_email', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (6, 'account', '0005_emailaddress_idx_upper_email', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (7, 'account', '0006_emailaddress_lower', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (8, 'account', '0007_emailaddress_idx_email', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (9, 'account', '0008_emailaddress_unique_primary_email_fixup', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (10, 'account', '0009_emailaddress_unique_primary_email', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (11, 'accounts', '0002_sessions_answers_avatars', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (12, 'accounts', '0003_addresses_without_nul', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (13, 'accounts', '0004_mails', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (14, 'accounts', '0005_one_time_links', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (15, 'accounts', '0006_session_second_factor', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (16, 'accounts', '0007_pictures_of_our_own', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (17, 'accounts', '0008_usernames_among_lookalikes', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (18, 'accounts', '0009_lookups', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (19, 'accounts', '0010_dated_by_the_database', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (20, 'accounts', '0011_link_next_path', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (21, 'accounts', '0012_people', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (22, 'contenttypes', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (23, 'contenttypes', '0002_remove_content_type_name', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (24, 'auth', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (25, 'auth', '0002_alter_permission_name_max_length', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (26, 'auth', '0003_alter_user_email_max_length', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (27, 'auth', '0004_alter_user_username_opts', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (28, 'auth', '0005_alter_user_last_login_null', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (29, 'auth', '0006_require_contenttypes_0002', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (30, 'auth', '0007_alter_validators_add_error_messages', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (31, 'auth', '0008_alter_user_username_max_length', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (32, 'auth', '0009_alter_user_last_name_max_length', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (33, 'auth', '0010_alter_group_name_max_length', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (34, 'auth', '0011_update_proxy_permissions', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (35, 'auth', '0012_alter_user_first_name_max_length', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (36, 'competition', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (37, 'ratings', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (38, 'ratings', '0002_decisions', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (39, 'core', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (40, 'core', '0002_acts', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (41, 'core', '0003_counters', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (42, 'core', '0004_audit', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (43, 'core', '0005_audit_by_subject', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (44, 'core', '0006_audit_prune', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (45, 'core', '0007_rows_count', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (46, 'competition', '0002_addresses_without_nul', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (47, 'ratings', '0003_counts', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (48, 'ratings', '0004_piece_rating_lookups', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (49, 'ratings', '0005_performance_rating_lookups', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (50, 'ratings', '0006_place_lookups', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (51, 'ratings', '0007_dated_by_the_database', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (52, 'core', '0008_lookups', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (53, 'core', '0009_dated_by_the_database', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (54, 'core', '0010_command_answer', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (55, 'core', '0011_rate_limits', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (56, 'ratings', '0008_rate_limits', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (57, 'competition', '0003_pictures_of_our_own', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (58, 'competition', '0004_dated_by_the_database', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (59, 'competition', '0005_appearances', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (60, 'ratings', '0009_hidden_comments', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (61, 'live', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (62, 'live', '0002_comment_counts', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (63, 'live', '0003_dated_by_the_database', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (64, 'live', '0004_rate_limits', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (65, 'live', '0005_hidden_comments', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (66, 'community', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (67, 'community', '0002_reports', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (68, 'competition', '0006_performing_times', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (69, 'competition', '0007_stages_archived', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (70, 'demo', '0001_loaded_demos', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (71, 'imports', '0001_program_texts', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (72, 'imports', '0002_participant_files', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (73, 'live', '0006_reaction_moments', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (74, 'mfa', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (75, 'mfa', '0002_authenticator_timestamps', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (76, 'mfa', '0003_authenticator_type_uniq', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (77, 'news', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (78, 'news', '0002_former_members', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (79, 'news', '0003_addresses_without_nul', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (80, 'news', '0004_pictures_of_our_own', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (81, 'news', '0005_dated_by_the_database', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (82, 'ranking', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (83, 'ratings', '0010_submissions', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (84, 'ratings', '0011_unused_lookups', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (85, 'ratings', '0012_author_active', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (86, 'ratings', '0013_authors', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (87, 'ratings', '0014_author_lookups', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (88, 'socialaccount', '0001_initial', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (89, 'socialaccount', '0002_token_max_lengths', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (90, 'socialaccount', '0003_extra_data_default_dict', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (91, 'socialaccount', '0004_app_provider_id_settings', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (92, 'socialaccount', '0005_socialtoken_nullable_app', '2026-11-24 12:00:00+00');
INSERT INTO public.django_migrations VALUES (93, 'socialaccount', '0006_alter_socialaccount_extra_data', '2026-11-24 12:00:00+00');
SELECT pg_catalog.setval('public.django_migrations_id_seq', 93, true);
