-- One at a time looks whether a device's number is known in order to use it: the second finds what the first has punched. Numbers share a few
-- turns of their device, so that a device that sends hundreds takes few locks, in their order.
SELECT pg_advisory_xact_lock(turn.key)
FROM (
  SELECT DISTINCT hashtextextended('clock entry of ' || $1::TEXT || ' ' || $2::TEXT || ' ' || (hashtext(number) & 31), 0) AS key
  FROM unnest($3::TEXT[]) AS number
  ORDER BY key
) AS turn
