-- What they wrote; who has read it stays.
UPDATE staff.handoff_notes SET body = '', attachment_ids = '{}'
WHERE tenant_id = $1 AND from_staff_id = $2 AND (body <> '' OR attachment_ids <> '{}')
