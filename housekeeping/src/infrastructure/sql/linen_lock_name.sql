-- One opening of a line at a time. The row may not be there yet, so the lock is one of its own.
SELECT pg_advisory_xact_lock(hashtextextended('linen of ' || $1::TEXT || $2::TEXT || $3::TEXT, 0))
