-- Codes and logins are given one at a time, so that whoever is refused is told why.
SELECT pg_advisory_xact_lock(hashtextextended('staff codes of ' || $1::TEXT, 0))
