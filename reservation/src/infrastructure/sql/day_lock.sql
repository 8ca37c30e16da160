-- One close of a day at a time: of two at the same moment the second finds it closed.
SELECT pg_advisory_xact_lock(hashtextextended('reservation day of ' || $1::TEXT || ' ' || $2::TEXT || ' ' || $3::TEXT, 0))
