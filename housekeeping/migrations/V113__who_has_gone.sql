DROP INDEX CONCURRENTLY IF EXISTS housekeeping.ssa_tenant_person_idx;
CREATE INDEX CONCURRENTLY ssa_tenant_person_idx ON housekeeping.staff_shift_assignments (tenant_id, staff_id, property_id);
