INSERT INTO staff.people
  (tenant_id, id, staff_code, user_id, given_name, family_name, home_property_id, property_access, position_id,
   department_id, employment_type, employment_status, employment_started_at, employment_ends_at, email, phone_e164,
   emergency_contact, languages, skills, version, pin_set, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $22)
