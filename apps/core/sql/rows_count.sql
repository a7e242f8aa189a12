-- The trigger function of apps/core/database/paging.py.
-- Its arguments are the table of counts, the columns of the key and the condition. SKIP LOCKED keeps writers from
-- waiting for each other, and so from deadlocks: a row that another transaction has locked stays as it is.
CREATE FUNCTION rows_count() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;
