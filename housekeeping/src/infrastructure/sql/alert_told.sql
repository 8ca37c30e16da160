INSERT INTO housekeeping.alert_debounce (tenant_id, alert, about, told_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, alert, about) DO UPDATE SET told_at = excluded.told_at
