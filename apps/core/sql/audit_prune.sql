-- The serving role may add to the audit and read it; old entries are changed by this function alone.
-- It runs with the rights of the owner, so its search path is fixed: a caller cannot change what its names mean.
CREATE FUNCTION public.audit_prune() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
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
