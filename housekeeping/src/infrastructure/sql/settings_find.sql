SELECT settings, version FROM housekeeping.tenant_settings WHERE tenant_id = $1
