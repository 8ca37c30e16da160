-- The desk closes rooms, too: who did, and which version of it was seen.
ALTER TABLE reservation.room_blocks ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
