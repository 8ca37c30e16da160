WITH known AS (
  INSERT INTO housekeeping.staff_profiles (tenant_id, staff_id, languages, skills)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant_id, staff_id) DO UPDATE SET
    languages = coalesce(excluded.languages, staff_profiles.languages),
    skills = coalesce(excluded.skills, staff_profiles.skills)
)
UPDATE housekeeping.staff_shift_assignments SET languages = coalesce($3, languages), skills = coalesce($4, skills)
WHERE tenant_id = $1 AND staff_id = $2 AND ended_at IS NULL
