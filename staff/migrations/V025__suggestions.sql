-- What a program proposes: who should be on which shift, until somebody decides on it.

CREATE TABLE staff.suggestions (
  tenant_id     TEXT NOT NULL,
  id            TEXT NOT NULL,
  property_id   TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN
    ('pending', 'approved', 'partly_approved', 'rejected', 'superseded', 'expired', 'nothing_to_do')),
  generated_at  TIMESTAMPTZ NOT NULL,
  model_version TEXT,
  provenance    JSONB NOT NULL,
  rows          JSONB NOT NULL,
  decided_by    JSONB,
  decided_at    TIMESTAMPTZ,
  version       INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX suggestions_house_idx ON staff.suggestions (tenant_id, property_id, status);

ALTER TABLE staff.suggestions ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.suggestions FORCE ROW LEVEL SECURITY;
CREATE POLICY suggestions_tenant_isolation ON staff.suggestions
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.suggestions TO melmastoon_app
