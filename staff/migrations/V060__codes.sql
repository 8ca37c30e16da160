-- Row level security lets an index answer only for comparisons that cannot leak, and `upper(staff_code)` is not one of them: every
-- sign-in read all the people of the company. The code in capitals stands beside it, and is compared safely.
ALTER TABLE staff.people ADD COLUMN code_key TEXT GENERATED ALWAYS AS (upper(staff_code)) STORED;
DROP INDEX staff.people_code_idx;
CREATE UNIQUE INDEX people_code_idx ON staff.people (tenant_id, code_key);
