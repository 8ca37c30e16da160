INSERT INTO staff.alert_debounce (tenant_id, alert, about, missing, told_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, alert, about) DO UPDATE SET missing = excluded.missing, told_at = excluded.told_at
