-- What is committed before a roster is read. What is committed while it is read counts as a change, and costs one more composition.
SELECT pg_current_snapshot()::TEXT AS seen WHERE $1::TEXT IS NOT NULL
