-- A month that leaves with a pace goes slice by slice, each in a transaction of its own: how many rows of it are still in the database, and the sum
-- over their marks. A release that does not know the word stops at such a month and touches nothing.
ALTER TABLE bus.archives
  DROP CONSTRAINT archives_state_check,
  ADD CONSTRAINT archives_state_check CHECK (state IN ('written','proven','removing','removed')),
  ADD COLUMN rows_left BIGINT,
  ADD COLUMN sum_left NUMERIC;
