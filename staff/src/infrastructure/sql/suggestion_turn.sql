-- One new plan of a house at a time: each must see, and supersede, the one before it.
SELECT pg_advisory_xact_lock(hashtextextended('staff suggestions of ' || $1::TEXT || ' ' || $2::TEXT, 0))
