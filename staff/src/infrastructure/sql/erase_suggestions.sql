-- Why a program wanted them there.
UPDATE staff.suggestions s SET rows = (
  SELECT jsonb_agg(CASE WHEN r.one ->> 'staffId' = $2 THEN r.one - 'reasoning' ELSE r.one END ORDER BY r.place)
  FROM jsonb_array_elements(s.rows) WITH ORDINALITY AS r (one, place))
WHERE s.tenant_id = $1 AND s.rows @> jsonb_build_array(jsonb_build_object('staffId', $2::TEXT))
