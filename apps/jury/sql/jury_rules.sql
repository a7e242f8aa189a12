-- Whether the lists of a rule have an entry for each of 1 to `most` stages, and a result can be computed from each:
-- a scale with two different ends, marks to leave out, and a weight above zero.
CREATE FUNCTION jury_stages_are_whole(distances jsonb, weights jsonb, stages jsonb, most integer) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(
        jsonb_typeof(distances) = 'array' AND jsonb_typeof(weights) = 'array' AND jsonb_typeof(stages) = 'array'
            AND jsonb_array_length(weights) BETWEEN 1 AND most
            AND jsonb_array_length(distances) = jsonb_array_length(weights)
            AND jsonb_array_length(stages) IN (0, jsonb_array_length(weights))
            AND NOT jsonb_path_exists(distances, '$[*] ? (!(@.double() >= 0))')
            AND NOT jsonb_path_exists(weights, 'strict $[*][*] ? (!(@.double() >= 0))')
            AND NOT jsonb_path_exists(weights, 'strict $[*] ? (!exists(@[*] ? (@.double() > 0)))')
            AND NOT jsonb_path_exists(stages, '$[*] ? (!(@.lowest.double() < @.highest.double()))')
            AND NOT jsonb_path_exists(stages, '$[*] ? (@.method == "trimmed" && !(@.left_out >= 1))'),
        false
    )
$$;

-- A stored rule is not changed: published sheets keep the rule that they were computed with.
CREATE FUNCTION jury_rule_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rule % is not changed: a changed rule is a new version', OLD.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'jury_rule_is_kept', TABLE = 'jury_rules';
END $$;
CREATE TRIGGER jury_rule_is_kept BEFORE UPDATE ON jury_rules FOR EACH ROW
WHEN (to_jsonb(NEW) - 'is_current' IS DISTINCT FROM to_jsonb(OLD) - 'is_current')
EXECUTE FUNCTION jury_rule_is_kept();
