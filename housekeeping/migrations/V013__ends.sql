-- What ends by itself: blocks whose time is over, things that were given away long ago, linen that moved long ago.

CREATE INDEX rb_until_idx ON housekeeping.room_blocks (blocked_until) WHERE cleared_at IS NULL AND blocked_until IS NOT NULL;
CREATE POLICY rb_due ON housekeeping.room_blocks FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

CREATE FUNCTION housekeeping.tenants_with_blocks_over(moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT tenant_id FROM housekeeping.room_blocks WHERE cleared_at IS NULL AND blocked_until <= moment
$$;
REVOKE ALL ON FUNCTION housekeeping.tenants_with_blocks_over(TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.tenants_with_blocks_over(TIMESTAMPTZ) TO melmastoon_operator;

-- Twelve months after somebody has it again, or it was given away.
CREATE POLICY laf_retention ON housekeeping.lost_and_found TO melmastoon_operator
  USING (coalesce(disposed_at, CASE WHEN status = 'returned' THEN matched_at END) < bus.purge_moment() - interval '12 months');
GRANT SELECT, DELETE ON housekeeping.lost_and_found TO melmastoon_operator;

-- What is on hand is the sum of the movements that are kept and of those that are not.
ALTER TABLE housekeeping.linen_inventory ADD COLUMN carried_over INTEGER NOT NULL DEFAULT 0;
CREATE POLICY lm_ends ON housekeeping.linen_movements TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE POLICY li_ends ON housekeeping.linen_inventory TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');
CREATE INDEX lm_occurred_idx ON housekeeping.linen_movements (occurred_at);

-- Removes movements twelve months after their month was over, whole months at a time, and carries their sum over. One month more is left for
-- whoever archives them.
CREATE FUNCTION housekeeping.forget_linen_movements(moment TIMESTAMPTZ) RETURNS BIGINT
LANGUAGE SQL SECURITY DEFINER SET search_path = pg_catalog AS $$
  WITH gone AS (
    DELETE FROM housekeeping.linen_movements
    WHERE occurred_at < date_trunc('month', moment AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '12 months' - interval '1 month'
    RETURNING tenant_id, line_id, CASE direction WHEN 'issue' THEN -count ELSE count END AS difference
  ), sums AS (
    SELECT tenant_id, line_id, sum(difference)::INTEGER AS difference FROM gone GROUP BY tenant_id, line_id
  ), carried AS (
    UPDATE housekeeping.linen_inventory l SET carried_over = l.carried_over + s.difference
    FROM sums s WHERE l.id = s.line_id AND l.tenant_id = s.tenant_id
  )
  SELECT count(*) FROM gone
$$;
REVOKE ALL ON FUNCTION housekeeping.forget_linen_movements(TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION housekeeping.forget_linen_movements(TIMESTAMPTZ) TO melmastoon_operator;
