//! Staff's timers act in nobody's name.

use contracts::ids::TenantId;
pub(super) use platform::each_tenant::Tally;
use platform::{Db, UnitOfWork};

use crate::{SCHEMA, StaffError};

/// Who acts where nobody does.
const TIMER: &str = "system_auto";

/// One unit of work for one tenant.
pub(super) async fn in_one_unit(
    db: &Db,
    tenant: &TenantId,
    story: impl AsyncFnOnce(&mut UnitOfWork) -> Result<usize, StaffError>,
) -> Result<usize, StaffError> {
    platform::each_tenant::in_one_unit(db, &SCHEMA, tenant, TIMER, story).await
}
