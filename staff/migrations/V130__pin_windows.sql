-- Failures are counted over the time before each try, and no longer from one edge to the next: across an edge twice as many could be
-- tried. So a row keeps when each of them was, and never more than may be judged: 300 at most, 2.4 kB, in the row and as they are.
-- `failures` is their number and `since` the last of them. What was counted before begins anew; what is shut stays shut.
ALTER TABLE staff.pin_attempts ADD COLUMN failed_at TIMESTAMPTZ[] NOT NULL DEFAULT '{}';
ALTER TABLE staff.pin_attempts ALTER COLUMN failed_at SET STORAGE PLAIN;
