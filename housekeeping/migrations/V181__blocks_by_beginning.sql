DROP INDEX CONCURRENTLY IF EXISTS housekeeping.rb_begins_idx;
CREATE INDEX CONCURRENTLY rb_begins_idx ON housekeeping.room_blocks (begins_at) WHERE cleared_at IS NULL AND begins_at IS NOT NULL;
