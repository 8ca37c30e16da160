-- What every house does differently.
SELECT property_id, "values", said_at, version FROM reservation.settings WHERE tenant_id = $1 AND property_id <> '' ORDER BY property_id
