-- Alerts whose reason is gone are resolved by themselves. A function of the owner's answers with the tenants that have any open, and
-- only the operator may ask it; whether a reason is gone is asked as one tenant.
CREATE INDEX alr_reservation_idx ON reservation.alerts (tenant_id, reservation_id) WHERE resolved_at IS NULL;

CREATE POLICY alr_open ON reservation.alerts FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

CREATE FUNCTION reservation.tenants_with_open_alerts() RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT tenant_id FROM reservation.alerts WHERE resolved_at IS NULL
    AND kind IN ('overbooked', 'room_out_of_order', 'overstay_conflict', 'key_failed', 'allocation_failed', 'policy_unknown')
$$;
REVOKE ALL ON FUNCTION reservation.tenants_with_open_alerts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reservation.tenants_with_open_alerts() TO melmastoon_operator;
