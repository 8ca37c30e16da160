SELECT staff_id, type, issued_at, expires_at FROM staff.certifications
WHERE tenant_id = $1 AND staff_id = ANY ($2::TEXT[]) AND status = 'valid'
