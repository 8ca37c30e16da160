-- Those that were made at another time than the ones we knew.
SELECT coalesce(array_agg(s.name ORDER BY s.name), '{}')
FROM unnest($1::TEXT[], $2::TEXT[]) AS s (name, made) JOIN bus.broker_stores k ON k.name = s.name AND k.made <> s.made
