//! Which tenants have certificates that ran out, or patterns to make shifts of: one question over all of them, answered with their
//! ids alone, by functions that only the operator's role may ask.

use contracts::ids::TenantId;
use platform::Db;
use platform::database::{DbRole, Fault};
use tokio_postgres::Row;

/// What a tick asks for.
#[derive(Clone, Copy, Debug)]
pub enum Due {
    CertificatesRunOut,
    Patterns,
}

pub async fn tenants(db: &Db, due: Due) -> Result<Vec<TenantId>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("due", &error);
    let operator = db.connect_as(DbRole::Operator).await?;
    let now = db.clock().now();
    let rows = match due {
        Due::CertificatesRunOut => operator.query("SELECT staff.tenants_with_certificates_run_out($1)", &[&now]).await,
        Due::Patterns => operator.query("SELECT staff.tenants_with_patterns()", &[]).await,
    };
    let tenant = |row: &Row| row.try_get(0).map_err(fault);
    rows.map_err(fault)?.iter().map(tenant).collect()
}
