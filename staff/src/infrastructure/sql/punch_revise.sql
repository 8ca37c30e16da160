INSERT INTO staff.clock_entry_revisions (tenant_id, entry_id, version, occurred_at, reason, revised_by, revised_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
