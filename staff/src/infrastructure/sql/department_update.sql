UPDATE staff.departments SET version = $4, code = $5, name = $6, active = $7, updated_at = $8
WHERE tenant_id = $1 AND id = $2 AND version = $3
