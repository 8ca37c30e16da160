-- People, their positions and departments, and how a hotel company works.

CREATE TABLE staff.departments (
  tenant_id  TEXT NOT NULL,
  id         TEXT NOT NULL,
  code       TEXT,
  name       TEXT NOT NULL,
  active     BOOLEAN NOT NULL DEFAULT true,
  version    INTEGER NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX departments_code_idx ON staff.departments (tenant_id, code) WHERE code IS NOT NULL;

CREATE TABLE staff.positions (
  tenant_id               TEXT NOT NULL,
  id                      TEXT NOT NULL,
  department_id           TEXT NOT NULL,
  code                    TEXT,
  name                    TEXT NOT NULL,
  role                    TEXT CHECK (role IN ('housekeeper', 'front_desk', 'maintenance', 'supervisor')),
  required_certifications TEXT[] NOT NULL DEFAULT '{}',
  certifications_enforced BOOLEAN NOT NULL DEFAULT false,
  active                  BOOLEAN NOT NULL DEFAULT true,
  version                 INTEGER NOT NULL,
  created_at              TIMESTAMPTZ NOT NULL,
  updated_at              TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, department_id) REFERENCES staff.departments (tenant_id, id)
);
CREATE UNIQUE INDEX positions_code_idx ON staff.positions (tenant_id, code) WHERE code IS NOT NULL;

CREATE TABLE staff.people (
  tenant_id             TEXT NOT NULL,
  id                    TEXT NOT NULL,
  -- A number for the constraints that keep a person from being in two places at once: see V003.
  person_no             BIGINT GENERATED ALWAYS AS IDENTITY,
  staff_code            TEXT NOT NULL,
  user_id               TEXT,
  given_name            TEXT NOT NULL,
  family_name           TEXT NOT NULL,
  home_property_id      TEXT NOT NULL,
  property_access       TEXT[] NOT NULL,
  position_id           TEXT NOT NULL,
  department_id         TEXT NOT NULL,
  employment_type       TEXT NOT NULL CHECK (employment_type IN ('full_time', 'part_time', 'contract', 'casual')),
  employment_status     TEXT NOT NULL CHECK (employment_status IN ('pending_invite', 'active', 'suspended', 'terminated')),
  employment_started_at DATE NOT NULL,
  employment_ends_at    DATE,
  email                 TEXT,
  phone_e164            TEXT,
  emergency_contact     JSONB,
  languages             TEXT[] NOT NULL DEFAULT '{}',
  skills                TEXT[] NOT NULL DEFAULT '{}',
  termination_reason    TEXT,
  terminated_on         DATE,
  termination_note      TEXT,
  version               INTEGER NOT NULL,
  created_at            TIMESTAMPTZ NOT NULL,
  updated_at            TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((employment_status = 'terminated') = (termination_reason IS NOT NULL AND terminated_on IS NOT NULL)),
  FOREIGN KEY (tenant_id, position_id) REFERENCES staff.positions (tenant_id, id),
  FOREIGN KEY (tenant_id, department_id) REFERENCES staff.departments (tenant_id, id)
);
-- A code is a person's for ever; a login belongs to one person.
CREATE UNIQUE INDEX people_code_idx ON staff.people (tenant_id, upper(staff_code));
CREATE UNIQUE INDEX people_user_idx ON staff.people (tenant_id, user_id) WHERE user_id IS NOT NULL;

-- With a property: what differs there. The tenant's own have an empty one.
CREATE TABLE staff.settings (
  tenant_id   TEXT NOT NULL,
  property_id TEXT NOT NULL,
  settings    JSONB NOT NULL,
  version     INTEGER NOT NULL,
  updated_at  TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tenant_id, property_id)
);

ALTER TABLE staff.departments ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.departments FORCE ROW LEVEL SECURITY;
CREATE POLICY departments_tenant_isolation ON staff.departments
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.positions ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.positions FORCE ROW LEVEL SECURITY;
CREATE POLICY positions_tenant_isolation ON staff.positions
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.people ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.people FORCE ROW LEVEL SECURITY;
CREATE POLICY people_tenant_isolation ON staff.people
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());
ALTER TABLE staff.settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff.settings FORCE ROW LEVEL SECURITY;
CREATE POLICY settings_tenant_isolation ON staff.settings
  USING (tenant_id = staff.current_tenant_id()) WITH CHECK (tenant_id = staff.current_tenant_id());

GRANT SELECT, INSERT, UPDATE ON staff.departments, staff.positions, staff.people, staff.settings TO melmastoon_app;

-- The inbox as the specification names it: by event id and time.
CREATE VIEW staff.inbox_processed WITH (security_invoker = true) AS
  SELECT substr(message_id, length(tenant_id) + 2) AS event_id, received_at AS processed_at FROM staff.inbox;
GRANT SELECT ON staff.inbox_processed TO melmastoon_app
