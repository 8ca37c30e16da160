-- Whoever was in the house on a day or came, left or did not come on it.
SELECT r.id FROM reservation.reservations r
WHERE r.tenant_id = $1 AND r.property_id = $2
  AND (r.status IN ('checked_in', 'checkout_started')
    OR (r.status = 'checked_out' AND r.updated_at >= $3 AND r.starts <= $5)
    OR (r.status = 'no_show' AND r.updated_at >= $3 AND (r.body #>> '{cancellation,at}')::TIMESTAMPTZ >= $3
      AND (r.body #>> '{cancellation,at}')::TIMESTAMPTZ < $4))
ORDER BY r.id
