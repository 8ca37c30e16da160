-- Whether nothing that a roster is read from was committed since ($2 is what it had seen).
SELECT NOT EXISTS (SELECT FROM staff.roster_changes c
                   WHERE c.tenant_id = $1 AND c.txid >= pg_snapshot_xmin($2::TEXT::PG_SNAPSHOT)
                     AND NOT pg_visible_in_snapshot(c.txid, $2::TEXT::PG_SNAPSHOT)) AS holds
