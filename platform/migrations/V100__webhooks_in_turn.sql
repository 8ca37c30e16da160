-- What waits for one endpoint is looked for by itself, so that a receiver that is slow holds up nobody but itself: in its order, and how much of it is
-- under way.
CREATE INDEX webhook_turn_idx ON bus.webhook_deliveries (endpoint_id, log_offset) WHERE state = 'waiting';
CREATE INDEX webhook_claimed_idx ON bus.webhook_deliveries (endpoint_id) WHERE state = 'waiting' AND claimed_until IS NOT NULL;
