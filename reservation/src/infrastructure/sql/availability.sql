-- What there is of each type, night by night, in one question: stays are counted by their first and last day, so that each is looked at
-- once however long it is. By the type of the room it lies in, else as it was sold; a room that is blocked twice is out of order once.
WITH types AS (
  SELECT t.id, t.name, t.max_occupancy, t.base_rate, t.overbooking FROM reservation.room_types t
  WHERE t.tenant_id = $1 AND t.property_id = $2 AND ($5::TEXT IS NULL OR t.id = $5)
    AND ($6::INTEGER IS NULL OR t.max_occupancy >= $6)
), nights AS (
  SELECT n::DATE AS night FROM generate_series($3::DATE, $4::DATE - 1, interval '1 day') n
), doors AS (
  SELECT r.room_type_id AS type_id, count(*)::INTEGER AS rooms FROM reservation.rooms r
  WHERE r.tenant_id = $1 AND r.property_id = $2 AND r.room_type_id IS NOT NULL AND NOT r.archived GROUP BY 1
), lying AS (
  SELECT coalesce(r.room_type_id, a.room_type_id) AS type_id, greatest(a.starts, $3) AS starts, a.ends
  FROM reservation.room_allocations a LEFT JOIN reservation.rooms r ON r.tenant_id = a.tenant_id AND r.id = a.room_id
  WHERE a.tenant_id = $1 AND a.property_id = $2 AND a.released_at IS NULL AND a.ends > $3 AND a.starts < $4
), steps AS (
  SELECT type_id, night, sum(step) AS step
  FROM (SELECT type_id, starts AS night, 1 AS step FROM lying UNION ALL SELECT type_id, ends, -1 FROM lying) AS one
  GROUP BY type_id, night
), blocked AS (
  SELECT r.room_type_id AS type_id, n::DATE AS night, count(DISTINCT b.room_id)::INTEGER AS rooms
  FROM reservation.room_blocks b JOIN reservation.rooms r ON r.tenant_id = b.tenant_id AND r.id = b.room_id
  CROSS JOIN LATERAL generate_series(greatest(b.starts, $3), least(coalesce(b.ends, $4), $4) - 1, interval '1 day') n
  WHERE b.tenant_id = $1 AND r.property_id = $2 AND NOT r.archived AND b.lifted_at IS NULL
  GROUP BY 1, 2
), counted AS (
  SELECT t.id, n.night, (sum(coalesce(s.step, 0)) OVER (PARTITION BY t.id ORDER BY n.night))::INTEGER AS taken,
         coalesce(b.rooms, 0) AS out_of_order, coalesce(tn.overbooking, t.overbooking) AS overbooking,
         coalesce(tn.rate, t.base_rate)::TEXT AS rate
  FROM types t CROSS JOIN nights n
  LEFT JOIN steps s ON s.type_id = t.id AND s.night = n.night
  LEFT JOIN blocked b ON b.type_id = t.id AND b.night = n.night
  LEFT JOIN reservation.type_nights tn ON tn.tenant_id = $1 AND tn.room_type_id = t.id AND tn.night = n.night
)
SELECT t.id, t.name, t.max_occupancy, coalesce(d.rooms, 0) AS rooms, c.taken, c.out_of_order, c.overbooking, c.rate
FROM types t
JOIN (SELECT id, array_agg(taken ORDER BY night) AS taken, array_agg(out_of_order ORDER BY night) AS out_of_order,
             array_agg(overbooking ORDER BY night) AS overbooking, array_agg(rate ORDER BY night) AS rate
      FROM counted GROUP BY id) c ON c.id = t.id
LEFT JOIN doors d ON d.type_id = t.id
ORDER BY t.id
