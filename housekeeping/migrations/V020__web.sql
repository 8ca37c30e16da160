-- What people are called, as the staff context told it, with the version of the person that it was told with.
ALTER TABLE housekeeping.staff_profiles
  ADD COLUMN display_name TEXT,
  ADD COLUMN name_version BIGINT NOT NULL DEFAULT 0;

-- Photos: of what is broken, of what was found. Small ones, so that they are kept, backed up and removed with everything else.
CREATE TABLE housekeeping.media (
  tenant_id    TEXT NOT NULL,
  id           TEXT NOT NULL,
  property_id  TEXT NOT NULL,
  content_type TEXT NOT NULL CHECK (content_type IN ('image/jpeg')),
  content      BYTEA NOT NULL CHECK (octet_length(content) BETWEEN 4 AND 614400),
  kept_by      JSONB NOT NULL,
  created_at   TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
-- A JPEG does not get smaller.
ALTER TABLE housekeeping.media ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE housekeeping.media ENABLE ROW LEVEL SECURITY;
ALTER TABLE housekeeping.media FORCE ROW LEVEL SECURITY;
CREATE POLICY media_tenant_isolation ON housekeeping.media
  USING (tenant_id = housekeeping.current_tenant_id()) WITH CHECK (tenant_id = housekeeping.current_tenant_id());
GRANT SELECT, INSERT ON housekeeping.media TO melmastoon_app;
