-- What is told of one login is handled one at a time. Before people, who come before codes.
SELECT pg_advisory_xact_lock(hashtextextended('staff login ' || $1::TEXT || ' ' || $2::TEXT, 0))
