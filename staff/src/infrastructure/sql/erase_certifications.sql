UPDATE staff.certifications SET number = NULL WHERE tenant_id = $1 AND staff_id = $2 AND number IS NOT NULL
