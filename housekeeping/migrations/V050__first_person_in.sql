-- Somebody comes to a house in which nobody is at work: what was left open there is planned. `first_in_at` is when they came, so that one
-- coming, which is told by the clock and by the shift, asks once.
ALTER TABLE housekeeping.planning_requests ADD COLUMN first_in_at TIMESTAMPTZ;
ALTER TABLE housekeeping.planning_requests DROP CONSTRAINT planning_requests_reason_check;
ALTER TABLE housekeeping.planning_requests ADD CONSTRAINT planning_requests_reason_check
  CHECK (reason IN ('shift_ended','task_failed','first_person_in'));
