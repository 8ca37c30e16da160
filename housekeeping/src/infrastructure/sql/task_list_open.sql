-- As task_list, where only what is open is asked for: said in words, so that the index of what is open answers, and apart, so that no month is walked through for the order.
WITH open AS MATERIALIZED (
  SELECT * FROM housekeeping.housekeeping_tasks
  WHERE tenant_id = $1 AND status IN ('pending', 'assigned', 'in_progress', 'paused')
    AND ($2::TEXT[] IS NULL OR property_id = ANY ($2))
    AND ($3::TEXT IS NULL OR room_id = $3)
    AND ($4::TEXT[] IS NULL OR status = ANY ($4))
    AND ($5::TEXT IS NULL OR assignee_staff_id = $5 OR $5 = ANY (helper_staff_ids))
    AND ($6::TEXT IS NULL OR kind = $6)
    AND ($7::TIMESTAMPTZ IS NULL OR updated_at >= $7)
    AND ($8::TIMESTAMPTZ IS NULL OR scheduled_for >= $8)
    AND ($9::TIMESTAMPTZ IS NULL OR scheduled_for < $9)
    AND ($10::TEXT IS NULL OR id > $10)
    AND ($10::TEXT IS NULL OR created_at >= $11)
)
SELECT * FROM open
ORDER BY id
LIMIT $12
