-- A row that is gone by now divides by zero, which undoes the transaction.
WITH met AS (
  UPDATE staff.people SET
    version = $4, staff_code = $5, user_id = $6, given_name = $7, family_name = $8, home_property_id = $9,
    property_access = $10, position_id = $11, department_id = $12, employment_type = $13, employment_status = $14,
    employment_started_at = $15, employment_ends_at = $16, email = $17, phone_e164 = $18, emergency_contact = $19,
    languages = $20, skills = $21, termination_reason = $22, terminated_on = $23, termination_note = $24, updated_at = $25,
    pin_set = $26, erased_at = $27
  WHERE tenant_id = $1 AND id = $2 AND version = $3
  RETURNING 1
)
SELECT 1 / count(*) FROM met
