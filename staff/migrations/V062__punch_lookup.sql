-- Of indexes that seem equally good PostgreSQL takes the one that was made last. In a hotel that has just begun there are no statistics,
-- everything seems equally good, and a person's punches were looked up among those of all people of the week. The one that is asked
-- with every punch is made last.
DROP INDEX staff.clock_entries_staff_idx;
CREATE INDEX clock_entries_staff_idx ON staff.clock_entries (tenant_id, staff_id, occurred_at)
