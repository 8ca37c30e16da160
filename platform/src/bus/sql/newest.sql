SELECT coalesce(max(log_offset), 0) AS newest FROM bus.event_log WHERE tenant_id = $1
