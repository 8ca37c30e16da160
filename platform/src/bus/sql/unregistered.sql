SELECT count(*) FILTER (WHERE k.subject IS NULL) AS missing,
       coalesce(array_agg(s.subject) FILTER (WHERE k.retired_at IS NOT NULL), '{}') AS retired
FROM unnest($1::TEXT[], $2::TEXT[]) AS s (subscription, subject)
LEFT JOIN bus.subscriptions k ON k.subscription = s.subscription AND k.subject = s.subject
