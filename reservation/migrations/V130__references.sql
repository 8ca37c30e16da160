-- What a partner calls a booking is looked up with every booking of theirs. The unique index stands behind `coalesce(partner_id, '')`, for
-- which no index answers under a policy: all references of the tenant were walked through for one.
CREATE INDEX rsv_external_idx ON reservation.reservations (tenant_id, external_reference) WHERE external_reference IS NOT NULL
