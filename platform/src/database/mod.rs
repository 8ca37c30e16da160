//! The door to PostgreSQL: pools by role, units of work, statements, migrations.

mod announcement;
mod catalogue;
mod fault;
mod migrations;
mod one_statement;
mod opening;
mod pool;
mod roles;
mod schema;
mod statement;
mod stored;
mod touched;
mod unit_of_work;

pub use catalogue::leaks;
pub use fault::{Fault, Interruption};
pub use migrations::{Drift, Migration, Migrations, migrate};
pub use opening::{Claim, StoredResponse};
pub use pool::{Db, DbOptions, connect};
pub use roles::{APP_ROLE, DbRole, OPERATOR_ROLE, OWNER_ROLE, RELAY_ROLE, ensure_roles};
pub use schema::Schema;
pub use statement::Sql;
pub use stored::{Published, RowChange, Scribe, Stored};
pub use unit_of_work::{Param, Read, UnitOfWork};
