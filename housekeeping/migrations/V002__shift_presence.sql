-- Who came and who left may be told in any order, and before anything else of the shift is known.

ALTER TABLE housekeeping.staff_shift_assignments ADD COLUMN clocked_out_at TIMESTAMPTZ;
-- A shift that is over before its window was told.
ALTER TABLE housekeeping.shifts ALTER COLUMN starts_at DROP NOT NULL, ALTER COLUMN ends_at DROP NOT NULL;
