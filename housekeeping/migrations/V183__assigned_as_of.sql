-- When the assignment that counts was made: one from before it that is heard later is over.
ALTER TABLE housekeeping.staff_shift_assignments ADD COLUMN assigned_as_of TIMESTAMPTZ;
