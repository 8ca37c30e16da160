-- A delivery is written in the statement that writes its event, so that there is one needs no proof: the reference cost a look-up and a lock for each
-- row, a quarter of what a delivered event costs. What the cascade did, a trigger does once a statement.
ALTER TABLE bus.deliveries DROP CONSTRAINT deliveries_log_offset_fkey;

CREATE POLICY dl_owner ON bus.deliveries FOR ALL TO melmastoon_owner USING (true) WITH CHECK (true);

CREATE FUNCTION bus.forget_deliveries() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  DELETE FROM bus.deliveries AS d USING gone WHERE d.log_offset = gone.log_offset;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION bus.forget_deliveries() FROM PUBLIC;

CREATE TRIGGER forget_deliveries AFTER DELETE ON bus.event_log
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION bus.forget_deliveries();

-- Every delivery is claimed, which changes nothing that an index has: with room on its page that costs no index entries.
ALTER TABLE bus.deliveries SET (fillfactor = 50);
