SELECT display_name, languages FROM housekeeping.staff_profiles WHERE tenant_id = $1 AND staff_id = $2
