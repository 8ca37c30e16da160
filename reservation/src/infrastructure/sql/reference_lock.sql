-- One at a time asks for a partner's reference in order to use it: the second finds what the first has booked.
SELECT pg_advisory_xact_lock(hashtextextended(
  'reservation reference of ' || $1::TEXT || ' ' || coalesce($2::TEXT, '') || ' ' || $3::TEXT, 0))
