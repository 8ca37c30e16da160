-- Found things leave for the archive by the tenant's own term; the marks of rows take the place of sums over all their values.

-- Since when a found thing is nobody's business any more: given away, or back with its owner.
CREATE FUNCTION housekeeping.thing_over_since(status TEXT, disposed_at TIMESTAMPTZ, matched_at TIMESTAMPTZ) RETURNS TIMESTAMPTZ
LANGUAGE SQL IMMUTABLE AS $$
  SELECT coalesce(disposed_at, CASE WHEN status = 'returned' THEN matched_at END)
$$;

-- For how long the tenant keeps the record of a thing that is over: twelve months where nothing else was set. Inside it the user is
-- the owner while the session's role is still the operator, which is what the policy of the settings lets see.
CREATE FUNCTION housekeeping.things_kept_for(tenant TEXT) RETURNS INTERVAL
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT make_interval(months => coalesce(
    (SELECT (s.settings ->> 'lostFoundRecordMonths')::INTEGER FROM housekeeping.tenant_settings s WHERE s.tenant_id = tenant), 12))
$$;
REVOKE ALL ON FUNCTION housekeeping.things_kept_for(TEXT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.things_kept_for(TEXT) TO melmastoon_operator;

-- A month is seen when all of it is over for its tenant, so that it leaves whole. They are not deleted any more: without an archive
-- they stay, and only who claimed them is forgotten.
DROP POLICY laf_retention ON housekeeping.lost_and_found;
CREATE POLICY archive_after ON housekeeping.lost_and_found TO melmastoon_operator
  USING (housekeeping.thing_over_since(status, disposed_at, matched_at) <
    date_trunc('month', ((SELECT bus.purge_moment()) - housekeeping.things_kept_for(tenant_id)) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
  WITH CHECK (housekeeping.thing_over_since(status, disposed_at, matched_at) <
    date_trunc('month', ((SELECT bus.purge_moment()) - housekeeping.things_kept_for(tenant_id)) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
GRANT INSERT, UPDATE (claimant_name, claimant_phone) ON housekeeping.lost_and_found TO melmastoon_operator;

-- The same terms, asked once a statement and not once a row.
SELECT bus.archive_after('housekeeping', 'housekeeping_tasks', 'created_at', '18 months'),
       bus.archive_after('housekeeping', 'room_status_audit', 'flipped_at', '24 months'),
       bus.archive_after('housekeeping', 'inspections', 'performed_at', '24 months'),
       bus.archive_after('housekeeping', 'linen_movements', 'occurred_at', '12 months'),
       bus.archive_after('housekeeping', 'audit_events', 'occurred_at', '24 months'),
       bus.archive_after('housekeeping', 'room_blocks', 'cleared_at', '90 days');

-- Drops a month of tasks if it still is what the archive has proven, row by row as they lie there; says whether it was.
CREATE OR REPLACE FUNCTION housekeeping.drop_task_month(month DATE, expected_rows BIGINT, expected_sum NUMERIC) RETURNS BOOLEAN
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
  SELECT count(*), coalesce(sum(bus.row_mark(t.ctid, t.xmin)), 0) INTO found_rows, found_sum
  FROM housekeeping.housekeeping_tasks t WHERE t.created_at >= begins AND t.created_at < ends;
  IF found_rows <> expected_rows OR found_sum <> expected_sum THEN
    RETURN false;
  END IF;
  EXECUTE format('ALTER TABLE housekeeping.housekeeping_tasks DETACH PARTITION housekeeping.%I', child);
  EXECUTE format('DROP TABLE housekeeping.%I', child);
  RETURN true;
END
$$;
