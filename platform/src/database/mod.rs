//! The door to PostgreSQL: pools by role, units of work, statements, migrations.

mod address;
mod announcement;
mod beginning;
mod catalogue;
mod deed;
mod fault;
mod line;
mod migrations;
mod pool;
mod roles;
mod row;
mod schema;
mod statement;
mod stored;
mod tls;
mod together;
mod touched;
mod unit_of_work;

pub use address::{AddressError, DatabaseAddress};
pub use beginning::{Claim, StoredResponse};
pub use catalogue::leaks;
pub use contracts::sql::Json;
pub use deed::Deed;
pub use fault::{Fault, Interruption};
pub use migrations::{COMMON_TABLES, Drift, Migration, Migrations, migrate};
pub use pool::{Db, DbOptions, Words, connect};
pub use roles::{APP_ROLE, DbRole, OPERATOR_ROLE, OWNER_ROLE, RELAY_ROLE, ensure_roles};
pub use row::{Columns, ImpossibleRow, Place, Row, Unreadable};
pub use schema::Schema;
pub use statement::Sql;
pub use stored::{Change, RowChange, Scribe, Stored, Told};
pub(crate) use unit_of_work::Note;
pub use unit_of_work::{Param, Read, UnitOfWork};
