-- What is not told stays as it was; of two that tell the same thing, the later version of the person ($5) counts.
WITH known AS (
  INSERT INTO housekeeping.staff_profiles AS known (tenant_id, staff_id, languages, skills, languages_version, skills_version)
  VALUES ($1, $2, $3, $4, CASE WHEN $3::TEXT[] IS NULL THEN 0 ELSE $5::BIGINT END,
    CASE WHEN $4::TEXT[] IS NULL THEN 0 ELSE $5::BIGINT END)
  ON CONFLICT (tenant_id, staff_id) DO UPDATE SET
    languages = CASE WHEN excluded.languages_version >= known.languages_version
                     THEN coalesce(excluded.languages, known.languages) ELSE known.languages END,
    skills = CASE WHEN excluded.skills_version >= known.skills_version
                  THEN coalesce(excluded.skills, known.skills) ELSE known.skills END,
    languages_version = greatest(known.languages_version, excluded.languages_version),
    skills_version = greatest(known.skills_version, excluded.skills_version)
  RETURNING languages, skills
)
UPDATE housekeeping.staff_shift_assignments a SET
  languages = coalesce(k.languages, a.languages), skills = coalesce(k.skills, a.skills)
FROM known k
WHERE a.tenant_id = $1 AND a.staff_id = $2 AND a.ended_at IS NULL
