//! Where staff keeps what it knows: SQL by aggregate.

use std::sync::LazyLock;

use contracts::Form;
use platform::database::{COMMON_TABLES, Migration, Migrations, Schema};

pub mod due;
pub mod erasure;
pub mod logins;
pub mod maintenance;
pub mod people;
pub mod pins;
pub mod positions;
pub mod punches;
pub mod settings;
pub mod shifts;
pub mod tokens;

/// The context's schema and the form of its envelopes.
pub static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::new("staff", Form::Staff));

/// Applied once each, in this order, and never edited afterwards.
pub const MIGRATIONS: Migrations = Migrations {
    schema: "staff",
    files: &[
        COMMON_TABLES,
        Migration::new(2, "people", include_str!("../../migrations/V002__people.sql")),
        Migration::new(3, "shifts", include_str!("../../migrations/V003__shifts.sql")),
        Migration::new(4, "clock", include_str!("../../migrations/V004__clock.sql")),
        Migration::new(10, "pins", include_str!("../../migrations/V010__pins.sql")),
        Migration::new(11, "timers", include_str!("../../migrations/V011__timers.sql")),
        Migration::new(12, "logins", include_str!("../../migrations/V012__logins.sql")),
    ],
};

/// Every statement, for the test that prepares them.
pub fn statements() -> Vec<&'static platform::Sql> {
    [
        due::ALL,
        erasure::ALL,
        logins::ALL,
        people::ALL,
        pins::ALL,
        positions::ALL,
        punches::ALL,
        settings::ALL,
        shifts::ALL,
        tokens::ALL,
    ]
    .concat()
}
