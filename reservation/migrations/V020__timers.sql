-- What is due by itself is asked for several times a second by every process: a function of the owner's answers with the tenants and
-- nothing else, and only the operator may ask it. Everything after it is asked as one tenant.

ALTER TABLE reservation.timers DROP CONSTRAINT timers_kind_check;
ALTER TABLE reservation.timers ADD CONSTRAINT timers_kind_check CHECK (kind IN ('hold_expiry', 'no_show', 'overstay'));
-- From when its grace is counted, where that is not the stay itself: somebody brought a reservation back.
ALTER TABLE reservation.timers ADD COLUMN counted_from TIMESTAMPTZ;

DROP INDEX reservation.tmr_due_idx;
CREATE INDEX tmr_due_idx ON reservation.timers (kind, due_at);
CREATE INDEX tmr_tenant_due_idx ON reservation.timers (tenant_id, kind, due_at);

DROP POLICY timers_operator ON reservation.timers;
REVOKE SELECT ON reservation.timers FROM melmastoon_operator;
-- Inside the function the user is the owner while the session's role is still the operator: that, and no other session, sees them.
CREATE POLICY tmr_due ON reservation.timers FOR SELECT TO melmastoon_owner
  USING (current_setting('role') = 'melmastoon_operator');

CREATE FUNCTION reservation.tenants_with_timers_due(what TEXT, moment TIMESTAMPTZ) RETURNS SETOF TEXT
LANGUAGE SQL STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT DISTINCT tenant_id FROM reservation.timers WHERE kind = what AND due_at <= moment
$$;
REVOKE ALL ON FUNCTION reservation.tenants_with_timers_due(TEXT, TIMESTAMPTZ) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reservation.tenants_with_timers_due(TEXT, TIMESTAMPTZ) TO melmastoon_operator;

-- Items that have no room, for the nights that become free.
CREATE INDEX alc_roomless_idx ON reservation.room_allocations (tenant_id, property_id)
  WHERE released_at IS NULL AND room_no IS NULL;
