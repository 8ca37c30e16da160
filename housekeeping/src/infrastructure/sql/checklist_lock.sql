-- One publication of a tenant's checklists at a time.
SELECT pg_advisory_xact_lock(hashtextextended('housekeeping checklists of ' || $1::TEXT, 0))
