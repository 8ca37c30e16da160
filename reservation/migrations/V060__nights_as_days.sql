-- Row level security lets an index answer only for comparisons that cannot leak, and `upper(nights)` is not one of them: every look at
-- some nights read all that the house had ever sold. Plain days are compared safely, so the two ends of the nights stand beside them.
ALTER TABLE reservation.room_allocations
  ADD COLUMN starts DATE GENERATED ALWAYS AS (lower(nights)) STORED,
  ADD COLUMN ends DATE GENERATED ALWAYS AS (upper(nights)) STORED;
CREATE INDEX alc_ends_idx ON reservation.room_allocations (tenant_id, property_id, ends);
CREATE INDEX alc_room_idx ON reservation.room_allocations (tenant_id, room_id, ends) WHERE released_at IS NULL;
DROP INDEX reservation.alc_property_idx;
DROP INDEX reservation.alc_nights_idx;
