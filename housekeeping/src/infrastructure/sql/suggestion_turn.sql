-- One new plan of a property at a time: each must see, and supersede, the one before it.
SELECT pg_advisory_xact_lock(hashtextextended('housekeeping routing of ' || $1::TEXT || ' ' || $2::TEXT, 0))
