DROP INDEX CONCURRENTLY IF EXISTS housekeeping.arr_near_idx;
CREATE INDEX CONCURRENTLY arr_near_idx ON housekeeping.arrivals (expected_at) WHERE over_at IS NULL;
