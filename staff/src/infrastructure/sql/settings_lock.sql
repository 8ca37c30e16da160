-- One change of a tenant's settings at a time. The row may not be there yet, so the lock is one of its own.
SELECT pg_advisory_xact_lock(hashtextextended('staff settings of ' || $1::TEXT, 0))
