-- A row that is gone by now divides by zero, which undoes the transaction. Up to `pin_set` the parameters are those of the insert.
WITH met AS (
  UPDATE staff.people SET
    staff_code = $3, user_id = $4, given_name = $5, family_name = $6, home_property_id = $7, property_access = $8,
    position_id = $9, department_id = $10, employment_type = $11, employment_status = $12, employment_started_at = $13,
    employment_ends_at = $14, email = $15, phone_e164 = $16, emergency_contact = $17, languages = $18, skills = $19,
    version = $20, pin_set = $21, termination_reason = $23, terminated_on = $24, termination_note = $25, updated_at = $26,
    erased_at = $27
  WHERE tenant_id = $1 AND id = $2 AND version = $22
  RETURNING 1
)
SELECT 1 / count(*) FROM met
