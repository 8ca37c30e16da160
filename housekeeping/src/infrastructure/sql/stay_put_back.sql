-- $7: since when turnovers from before are of another departure. An end from before they were brought back is none.
INSERT INTO housekeeping.expected_stays AS known
  (tenant_id, reservation_id, property_id, came_back_at, undone_at, brought_back_at, came_back_heard_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, reservation_id) DO UPDATE SET
  property_id = coalesce(known.property_id, excluded.property_id),
  came_back_at = greatest(known.came_back_at, excluded.came_back_at),
  undone_at = greatest(known.undone_at, excluded.undone_at),
  brought_back_at = greatest(known.brought_back_at, excluded.brought_back_at),
  came_back_heard_at = coalesce(excluded.came_back_heard_at, known.came_back_heard_at),
  over_items = CASE WHEN known.over_at <= excluded.brought_back_at THEN NULL ELSE known.over_items END,
  over_at = CASE WHEN known.over_at <= excluded.brought_back_at THEN NULL ELSE known.over_at END
