-- Every step of one decision, in order.
INSERT INTO housekeeping.room_status_audit
  (tenant_id, property_id, room_id, previous_status, status, cause, task_id, flipped_by, flipped_at, note)
SELECT $1, $2, $3, e.previous_status, e.status, e.cause, e.task_id, $4::JSONB, $5, e.note
FROM unnest($6::TEXT[], $7::TEXT[], $8::TEXT[], $9::TEXT[], $10::TEXT[])
  WITH ORDINALITY AS e (previous_status, status, cause, task_id, note, n)
ORDER BY e.n
