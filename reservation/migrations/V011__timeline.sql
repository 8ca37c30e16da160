-- The chart of a house looks at nights that are over, too.
CREATE INDEX alc_nights_idx ON reservation.room_allocations (tenant_id, property_id, upper(nights));
