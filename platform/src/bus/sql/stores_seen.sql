INSERT INTO bus.broker_stores (name, made, seen_at)
SELECT s.name, s.made, $3 FROM unnest($1::TEXT[], $2::TEXT[]) AS s (name, made)
ON CONFLICT (name) DO UPDATE SET made = excluded.made, seen_at = excluded.seen_at WHERE broker_stores.made <> excluded.made
