-- One process at a time opens a tenant.
SELECT pg_advisory_xact_lock(hashtextextended('staff positions of ' || $1::TEXT, 0))
