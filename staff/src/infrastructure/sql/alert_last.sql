SELECT about, missing, told_at FROM staff.alert_debounce WHERE tenant_id = $1 AND alert = $2 AND about = ANY ($3::TEXT[])
