-- What is told of one reservation is taken in one message at a time: messages that belong together travel apart.
SELECT pg_advisory_xact_lock(hashtextextended('housekeeping stay of ' || $1::TEXT || ' ' || $2::TEXT, 0))
