//! The database roles: who may do what, and nothing more.

use tokio_postgres::Client;

use super::Fault;

/// Owns the tables; migrations and the making of partitions run as this role.
pub const OWNER_ROLE: &str = "melmastoon_owner";
/// The application: owns nothing, and row level security holds it to one tenant at a time.
pub const APP_ROLE: &str = "melmastoon_app";
/// The relay: reads every tenant's outbox and keeps the bus; no other table.
pub const RELAY_ROLE: &str = "melmastoon_relay";
/// The operator: dead letters of all tenants, and rows whose time is over.
pub const OPERATOR_ROLE: &str = "melmastoon_operator";

/// A role to connect as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DbRole {
    Owner,
    App,
    Relay,
    Operator,
}

impl DbRole {
    pub const ALL: [Self; 4] = [Self::Owner, Self::App, Self::Relay, Self::Operator];

    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => OWNER_ROLE,
            Self::App => APP_ROLE,
            Self::Relay => RELAY_ROLE,
            Self::Operator => OPERATOR_ROLE,
        }
    }
}

/// Makes the roles that are missing and lets the present login become each of them. Needs a login that may make
/// roles; where they exist already and may be taken, any login will do.
pub async fn ensure_roles(client: &Client) -> Result<(), Fault> {
    for role in DbRole::ALL {
        let name = role.name();
        // Several processes may start at once on one server: the loser of the race finds the role made.
        let sql = format!(
            "DO $$ BEGIN
               IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{name}') THEN
                 BEGIN
                   CREATE ROLE {name} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOINHERIT;
                 EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
                 END;
               END IF;
               BEGIN
                 EXECUTE format('GRANT {name} TO %I', session_user);
               EXCEPTION WHEN insufficient_privilege THEN
                 -- Somebody else made the roles: then they must have let us in as well.
                 IF NOT pg_has_role(session_user, '{name}', 'MEMBER') THEN RAISE; END IF;
               END;
             END $$"
        );
        client.batch_execute(&sql).await.map_err(|error| Fault::from_postgres("ensure_roles", &error))?;
    }
    Ok(())
}
