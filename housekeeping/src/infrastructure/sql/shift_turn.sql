-- What is told of a tenant's people is taken in one message at a time: two that are taken in at once would each miss the other.
SELECT pg_advisory_xact_lock(hashtextextended('housekeeping presence of ' || $1::TEXT, 0))
