SELECT coalesce(max(log_offset), 0) AS head FROM bus.event_log
