-- How far a live board that saw $2 last is behind: up to where it can be brought, whether the log still has what it saw,
-- and how many events of the tenant came since, counted up to one more than $3.
SELECT coalesce((SELECT max(log_offset) FROM bus.event_log WHERE tenant_id = $1), 0) AS newest,
       $2::BIGINT = 0 OR EXISTS (SELECT FROM bus.event_log WHERE tenant_id = $1 AND log_offset = $2) AS known,
       (SELECT count(*) FROM (
          SELECT FROM bus.event_log WHERE tenant_id = $1 AND log_offset > $2 ORDER BY log_offset LIMIT $3::BIGINT + 1) AS since) AS since
