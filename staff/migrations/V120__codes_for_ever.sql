-- A code is a person's for ever: whatever becomes of them or of it, nobody else gets it, or an old list would name two people. What is kept
-- names nobody: a digest of the code, and whose it is only while anything is known of them.
CREATE TABLE staff.codes_given (
  tenant_id   TEXT NOT NULL,
  code_digest TEXT NOT NULL,
  -- who may take it again; nobody once they are erased
  staff_id    TEXT,
  PRIMARY KEY (tenant_id, code_digest)
);
CREATE INDEX codes_given_staff_idx ON staff.codes_given (tenant_id, staff_id) WHERE staff_id IS NOT NULL;
ALTER TABLE staff.codes_given ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.codes_given FORCE ROW LEVEL SECURITY;
CREATE POLICY codes_given_tenant_isolation ON staff.codes_given
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
GRANT SELECT, INSERT, UPDATE ON staff.codes_given TO melmastoon_app;

-- The last number that a code was made up with; a code of one's own says nothing of it, however big.
CREATE TABLE staff.code_numbers (
  tenant_id   TEXT NOT NULL PRIMARY KEY,
  last_number BIGINT NOT NULL
);
ALTER TABLE staff.code_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.code_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY code_numbers_tenant_isolation ON staff.code_numbers
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
GRANT SELECT, INSERT, UPDATE ON staff.code_numbers TO melmastoon_app;

CREATE FUNCTION staff.code_digest(tenant TEXT, code TEXT) RETURNS TEXT LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
  SELECT encode(sha256(convert_to(tenant || ' ' || upper(code), 'UTF8')), 'hex')
$$;

-- By the table itself, so that nobody can forget it. The code that somebody had before is kept with the new one: of those who were here
-- before this table, nothing is known until then, and nothing need be.
CREATE FUNCTION staff.keep_code() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO staff.codes_given (tenant_id, code_digest, staff_id)
  SELECT NEW.tenant_id, staff.code_digest(NEW.tenant_id, code), NEW.id
  FROM unnest(CASE WHEN TG_OP = 'UPDATE' THEN ARRAY[OLD.staff_code, NEW.staff_code] ELSE ARRAY[NEW.staff_code] END) AS given (code)
  ORDER BY 2
  ON CONFLICT DO NOTHING;
  IF NEW.erased_at IS NOT NULL THEN
    UPDATE staff.codes_given SET staff_id = NULL WHERE tenant_id = NEW.tenant_id AND staff_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_code AFTER INSERT ON staff.people FOR EACH ROW EXECUTE FUNCTION staff.keep_code();
CREATE TRIGGER keep_changed_code AFTER UPDATE ON staff.people FOR EACH ROW
  WHEN (OLD.staff_code IS DISTINCT FROM NEW.staff_code OR OLD.erased_at IS DISTINCT FROM NEW.erased_at)
  EXECUTE FUNCTION staff.keep_code()
