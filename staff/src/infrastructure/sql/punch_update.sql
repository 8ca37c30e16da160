UPDATE staff.clock_entries SET
  version = $4, shift_id = $5, occurred_at = $6, needs_review = $7, reviewed_note = $8, reason = $9
WHERE tenant_id = $1 AND id = $2 AND version = $3
