-- What somebody is called; a later word counts, and a word that is not told any more is forgotten.
INSERT INTO housekeeping.staff_profiles (tenant_id, staff_id, display_name, name_version)
VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, staff_id) DO UPDATE SET display_name = excluded.display_name, name_version = excluded.name_version
WHERE staff_profiles.name_version < excluded.name_version
