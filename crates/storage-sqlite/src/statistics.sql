-- What the planner of SQLite is to expect of this schema, instead of what it finds or guesses: without figures it takes an index of which one
-- column fits for as good as one of which three fit, and reads a whole workspace to find the children of one page. Figures that ANALYZE takes
-- would differ from server to server, and so would the plans.
--
-- Assumed are ten million rows a table, ten thousand of them for each owner, fewer with each further column, and a thousand for each owner in
-- an index of some rows only. That there are so many rows also keeps the planner from reading an owner's rows ahead into a filter.

ANALYZE __diesel_schema_migrations;
DELETE FROM sqlite_stat1;

INSERT INTO sqlite_stat1 (tbl, idx, stat)
WITH shape (columns, many, one) AS (VALUES
    (1, '10000', '1'),
    (2, '10000 20', '10000 1'),
    (3, '10000 20 4', '10000 20 1'),
    (4, '10000 20 4 2', '10000 20 4 1'),
    (5, '10000 20 4 2 1', '10000 20 4 2 1'),
    (6, '10000 20 4 2 1 1', '10000 20 4 2 1 1')),
indexes (tbl, idx, is_unique, is_partial, columns) AS (
    SELECT m.name,
        -- The primary key of such a table is the table.
        CASE WHEN i.origin = 'pk' AND m.sql LIKE '%WITHOUT ROWID%' THEN m.name ELSE i.name END,
        i."unique",
        i.partial,
        (SELECT COUNT(*) FROM pragma_index_info(i.name))
    FROM sqlite_master AS m JOIN pragma_index_list(m.name) AS i
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%')
SELECT tbl, idx, CASE
    WHEN is_unique THEN '10000000 ' || one
    WHEN is_partial THEN '1000000 ' || REPLACE(many, '10000', '1000')
    ELSE '10000000 ' || many END
FROM indexes JOIN shape ON shape.columns = MIN(indexes.columns, 6);

-- A database has many records, a relation many links, and one record can be the target of many. Otherwise the planner would read all of them to find
-- those of a few records.
UPDATE sqlite_stat1 SET stat = REPLACE(stat, ' 10000 20', ' 1000000 100000') WHERE idx IN ('records_in_order', 'records_by_id', 'record_links');
UPDATE sqlite_stat1 SET stat = REPLACE(stat, ' 10000 20 4', ' 1000000 100000 1000') WHERE idx = 'record_links_to';
UPDATE sqlite_stat1 SET stat = REPLACE(stat, ' 10000 20 4', ' 1000000 1000 1000') WHERE idx = 'record_links_of_target';
