SELECT about, told_at FROM housekeeping.alert_debounce WHERE tenant_id = $1 AND alert = $2 AND about = ANY ($3)
