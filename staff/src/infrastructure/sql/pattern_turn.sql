-- One process at a time makes the shifts of a house.
SELECT pg_advisory_xact_lock(hashtextextended('staff shifts of ' || $1::TEXT || ' ' || $2::TEXT, 0))
