-- Who is at work, from everything that was told: $2 is whose places are looked at again, $3 the shift whose people's are.
-- A punch that names no shift is of the shift whose window holds it, with an hour before its beginning; of two, of the one whose
-- beginning is nearer. Who leaves, leaves the shift they came to last; overtime of up to six hours is still that shift. Breaks that are over
-- are taken from the time for work.
WITH places AS (
  SELECT a.* FROM housekeeping.staff_shift_assignments a
  WHERE a.tenant_id = $1 AND a.ended_at IS NULL AND a.staff_id IN (
    SELECT $2::TEXT
    UNION ALL
    SELECT staff_id FROM housekeeping.staff_shift_assignments WHERE tenant_id = $1 AND shift_id = $3)
), fitting AS (
  SELECT DISTINCT ON (p.staff_id, p.kind, p.at) a.id, p.kind, p.at
  FROM places a
  JOIN housekeeping.loose_punches p ON p.tenant_id = $1 AND p.staff_id = a.staff_id AND p.kind <> 'out'
    AND p.at >= a.shift_starts_at - interval '1 hour' AND p.at < a.shift_ends_at
  ORDER BY p.staff_id, p.kind, p.at, abs(extract(epoch FROM p.at - a.shift_starts_at)), a.id
), came AS (
  SELECT a.id, a.staff_id, a.shift_starts_at, a.shift_ends_at, a.told_out_at,
         greatest(a.told_in_at, max(f.at) FILTER (WHERE f.kind = 'in')) AS in_at,
         greatest(a.told_break_started_at, max(f.at) FILTER (WHERE f.kind = 'break_start')) AS break_start,
         greatest(a.told_break_ended_at, max(f.at) FILTER (WHERE f.kind = 'break_end')) AS break_end
  FROM places a LEFT JOIN fitting f USING (id)
  GROUP BY a.id, a.staff_id, a.shift_starts_at, a.shift_ends_at, a.told_in_at, a.told_out_at, a.told_break_started_at, a.told_break_ended_at
), going AS (
  SELECT DISTINCT ON (p.staff_id, p.at) c.id, p.at
  FROM came c
  JOIN housekeeping.loose_punches p ON p.tenant_id = $1 AND p.staff_id = c.staff_id AND p.kind = 'out'
    AND p.at >= c.shift_starts_at - interval '1 hour' AND p.at <= c.shift_ends_at + interval '6 hours'
  ORDER BY p.staff_id, p.at, coalesce(c.in_at <= p.at, false) DESC, c.in_at DESC NULLS LAST,
           abs(extract(epoch FROM p.at - c.shift_ends_at)), c.id
), went AS (
  SELECT c.*, greatest(c.told_out_at, (SELECT max(g.at) FROM going g WHERE g.id = c.id)) AS out_at FROM came c
), rests AS (
  -- Each begins and ends once, however often it is told: the next punch after a beginning is its end, or it has none.
  SELECT b.id, b.kind, b.at, lead(b.kind) OVER next AS then_kind, lead(b.at) OVER next AS then_at
  FROM (SELECT a.id, 'break_start' AS kind, unnest(a.told_break_starts) AS at FROM places a
        UNION
        SELECT a.id, 'break_end', unnest(a.told_break_ends) FROM places a
        UNION
        SELECT f.id, f.kind, f.at FROM fitting f WHERE f.kind <> 'in') b
  WINDOW next AS (PARTITION BY b.id ORDER BY b.at, b.kind)
), rested AS (
  SELECT r.id, sum(extract(epoch FROM r.then_at - r.at)) / 60 AS minutes
  FROM rests r WHERE r.kind = 'break_start' AND r.then_kind = 'break_end'
  GROUP BY r.id
)
UPDATE housekeeping.staff_shift_assignments s
SET clocked_in_at = w.in_at, clocked_out_at = w.out_at, break_started_at = w.break_start, break_ended_at = w.break_end,
  capacity_minutes = greatest(
    extract(epoch FROM w.shift_ends_at - w.shift_starts_at) / 60 - coalesce(r.minutes, 0), 0)::INTEGER
FROM went w LEFT JOIN rested r USING (id)
WHERE s.tenant_id = $1 AND s.id = w.id
