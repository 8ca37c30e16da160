-- What a broker refused is given to it once more at the relay's next look: one event, or all of them.
DELETE FROM bus.set_aside WHERE $1::TEXT IS NULL OR event_id = $1
