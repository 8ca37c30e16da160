-- What leaves for the archive, and after how long (data model, section 6). The terms stand in Rust too, where months are counted:
-- a test holds both against each other.
SELECT bus.archive_after('housekeeping', 'housekeeping_tasks', 'created_at', '18 months'),
       bus.archive_after('housekeeping', 'room_status_audit', 'flipped_at', '24 months'),
       bus.archive_after('housekeeping', 'inspections', 'performed_at', '24 months'),
       bus.archive_after('housekeeping', 'linen_movements', 'occurred_at', '12 months'),
       bus.archive_after('housekeeping', 'audit_events', 'occurred_at', '24 months'),
       bus.archive_after('housekeeping', 'room_blocks', 'cleared_at', '90 days');

-- Rows come in the order of their time: a coarse index finds the old ones and costs next to nothing.
CREATE INDEX rsa_flipped_brin ON housekeeping.room_status_audit USING brin (flipped_at);
CREATE INDEX ins_performed_brin ON housekeeping.inspections USING brin (performed_at);
CREATE INDEX lm_occurred_brin ON housekeeping.linen_movements USING brin (occurred_at);
CREATE INDEX ae_occurred_brin ON housekeeping.audit_events USING brin (occurred_at);

-- Drops a month of tasks if it still is what the archive has proven; says whether it was. Writers of that month wait meanwhile;
-- readers do not, but for the moment in which it is taken out.
CREATE FUNCTION housekeeping.drop_task_month(month DATE, expected_rows BIGINT, expected_sum NUMERIC) RETURNS BOOLEAN
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '5s' AS $$
DECLARE
  child  TEXT := 'housekeeping_tasks_' || to_char(month, 'YYYY_MM');
  begins TIMESTAMPTZ := (month::TEXT || ' 00:00:00+00')::TIMESTAMPTZ;
  ends   TIMESTAMPTZ := ((month + interval '1 month')::DATE::TEXT || ' 00:00:00+00')::TIMESTAMPTZ;
  found_rows BIGINT;
  found_sum  NUMERIC;
BEGIN
  IF ends IS NULL OR bus.purge_moment() IS NULL OR ends > bus.purge_moment() - interval '18 months' THEN
    RAISE EXCEPTION 'the tasks of % are not old enough to go', month;
  END IF;
  IF to_regclass('housekeeping.' || quote_ident(child)) IS NULL THEN
    RETURN expected_rows = 0;
  END IF;
  EXECUTE format('LOCK TABLE housekeeping.%I IN SHARE MODE', child);
  SELECT count(*), coalesce(sum(hash_record_extended(t, 0)::NUMERIC), 0) INTO found_rows, found_sum
  FROM housekeeping.housekeeping_tasks t WHERE t.created_at >= begins AND t.created_at < ends;
  IF found_rows <> expected_rows OR found_sum <> expected_sum THEN
    RETURN false;
  END IF;
  EXECUTE format('ALTER TABLE housekeeping.housekeeping_tasks DETACH PARTITION housekeeping.%I', child);
  EXECUTE format('DROP TABLE housekeeping.%I', child);
  RETURN true;
END
$$;

-- For tasks that come back.
CREATE FUNCTION housekeeping.make_task_month(month DATE) RETURNS VOID
LANGUAGE SQL SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT housekeeping.make_task_partitions(month, 1)
$$;

REVOKE ALL ON FUNCTION housekeeping.drop_task_month(DATE, BIGINT, NUMERIC), housekeeping.make_task_month(DATE) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.drop_task_month(DATE, BIGINT, NUMERIC), housekeeping.make_task_month(DATE)
  TO melmastoon_operator;
