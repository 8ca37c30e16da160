-- What housekeeping tells of a room before anybody has described it: kept until the room comes into being.
ALTER TABLE reservation.room_words ADD COLUMN housekeeping_status TEXT, ADD COLUMN flipped_at TIMESTAMPTZ;
