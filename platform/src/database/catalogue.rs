//! What the database's own catalogue says of our isolation: for the test, and for `doctor`.

use tokio_postgres::Client;

use super::{APP_ROLE, Fault, OPERATOR_ROLE, OWNER_ROLE, RELAY_ROLE};

/// Every way in which a table, view, grant or role of ours could let one tenant see another.
pub async fn leaks(client: &Client, schemas: &[&str]) -> Result<Vec<String>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("catalogue", &error);
    let checks = [
        (
            "has no forced row level security with a policy",
            "SELECT format('table %s.%s', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p')
               AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))",
        ),
        (
            "shows its owner's rows: a view needs security_invoker, a materialised view cannot have it",
            "SELECT format('view %s.%s', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ANY ($1) AND (c.relkind = 'm'
               OR c.relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY (c.reloptions), false))",
        ),
        (
            "is a partition with grants of its own",
            "SELECT format('table %s.%s', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ANY ($1) AND c.relispartition
               AND EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee <> c.relowner)",
        ),
        (
            "is not owned by the owner's role",
            "SELECT format('%s.%s', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ANY ($1) AND pg_get_userbyid(c.relowner) <> 'melmastoon_owner'",
        ),
        (
            "works with its owner's rights and is open to others than the operator, or looks for its tables where others put theirs",
            "SELECT format('function %s.%s', n.nspname, p.proname) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
             WHERE n.nspname = ANY ($1) AND p.prosecdef AND (p.proacl IS NULL
               OR NOT coalesce(EXISTS (SELECT FROM unnest(p.proconfig) c WHERE c LIKE 'search_path=%'), false)
               OR EXISTS (SELECT FROM aclexplode(p.proacl) a
                          WHERE a.grantee <> p.proowner AND pg_get_userbyid(a.grantee) <> 'melmastoon_operator'))",
        ),
        (
            "may do everything in a schema of ours",
            "SELECT format('PUBLIC in %s', n.nspname) FROM pg_namespace n, aclexplode(n.nspacl) a
             WHERE n.nspname = ANY ($1) AND a.grantee = 0",
        ),
    ];
    let mut found = Vec::new();
    for (why, sql) in checks {
        let rows = client.query(sql, &[&schemas]).await.map_err(fault)?;
        found.extend(rows.iter().map(|row| format!("{} {why}", row.get::<_, String>(0))));
    }
    let roles = client
        .query("SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname LIKE 'melmastoon\\_%'", &[])
        .await
        .map_err(fault)?;
    for name in [OWNER_ROLE, APP_ROLE, RELAY_ROLE, OPERATOR_ROLE] {
        match roles.iter().find(|row| row.get::<_, &str>("rolname") == name) {
            None => found.push(format!("role {name} is missing; run `melmastoon migrate`")),
            Some(row) if row.get::<_, bool>("rolsuper") || row.get::<_, bool>("rolbypassrls") => {
                found.push(format!(
                    "role {name} passes row level security by; run: ALTER ROLE {name} NOSUPERUSER NOBYPASSRLS"
                ));
            }
            Some(_) => {}
        }
    }
    Ok(found)
}
