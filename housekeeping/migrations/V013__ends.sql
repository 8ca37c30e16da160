-- What ends by itself: blocks whose time is over, things that were given away long ago; and what linen that moved long ago leaves behind.

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
CREATE POLICY li_ends ON housekeeping.linen_inventory TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

-- Movements leave for the archive and may come back: what they moved is carried over to their line, and back, by whichever statement does it.
CREATE FUNCTION housekeeping.carry_movements_over() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  IF current_setting('role') = 'melmastoon_operator' THEN
    UPDATE housekeeping.linen_inventory l SET carried_over = l.carried_over + s.difference
    FROM (SELECT tenant_id, line_id, sum(CASE direction WHEN 'issue' THEN -count ELSE count END)::INTEGER
                   * CASE TG_OP WHEN 'INSERT' THEN -1 ELSE 1 END AS difference
          FROM moved GROUP BY tenant_id, line_id) s
    WHERE l.id = s.line_id AND l.tenant_id = s.tenant_id;
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION housekeeping.carry_movements_over() FROM PUBLIC;
CREATE TRIGGER lm_leave AFTER DELETE ON housekeeping.linen_movements REFERENCING OLD TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION housekeeping.carry_movements_over();
CREATE TRIGGER lm_return AFTER INSERT ON housekeeping.linen_movements REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION housekeeping.carry_movements_over();
