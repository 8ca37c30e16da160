-- What events tell of a room comes late and out of order: of two words the later counts, whenever it was heard.

-- When a block was told; NULL: by a person, or before this was kept (then `created_at`).
ALTER TABLE reservation.room_blocks ADD COLUMN told_at TIMESTAMPTZ;

-- The last word about each room, of both kinds.
CREATE TABLE reservation.room_words (
  tenant_id     TEXT NOT NULL,
  room_id       TEXT NOT NULL,
  -- that it cannot be used
  closed_at     TIMESTAMPTZ,
  -- that it can be used again
  opened_at     TIMESTAMPTZ,
  PRIMARY KEY (tenant_id, room_id)
);
ALTER TABLE reservation.room_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE reservation.room_words FORCE ROW LEVEL SECURITY;
CREATE POLICY room_words_tenant_isolation ON reservation.room_words USING (tenant_id = reservation.current_tenant_id())
  WITH CHECK (tenant_id = reservation.current_tenant_id());
GRANT SELECT, INSERT, UPDATE ON reservation.room_words TO melmastoon_app;
