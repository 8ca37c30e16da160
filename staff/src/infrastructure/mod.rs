//! Where staff keeps what it knows: SQL by aggregate.

use std::sync::LazyLock;

use contracts::Form;
use platform::database::{COMMON_TABLES, Migration, Migrations, Schema};

pub mod certifications;
pub mod due;
pub mod erasure;
pub mod handoffs;
pub mod leave;
pub mod logins;
pub mod maintenance;
pub mod patterns;
pub mod people;
pub mod pins;
pub mod positions;
pub mod punches;
pub mod rosters;
pub mod settings;
pub mod shifts;
pub mod suggestions;
pub mod swap_requests;
pub mod timecards;
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
        Migration::new(13, "roster", include_str!("../../migrations/V013__roster.sql")),
        Migration::new(20, "leave", include_str!("../../migrations/V020__leave.sql")),
        Migration::new(21, "certifications", include_str!("../../migrations/V021__certifications.sql")),
        Migration::new(22, "handoff_notes", include_str!("../../migrations/V022__handoff_notes.sql")),
        Migration::new(23, "shift_patterns", include_str!("../../migrations/V023__shift_patterns.sql")),
        Migration::new(24, "swap_requests", include_str!("../../migrations/V024__swap_requests.sql")),
        Migration::new(25, "suggestions", include_str!("../../migrations/V025__suggestions.sql")),
        Migration::new(30, "archive", include_str!("../../migrations/V030__archive.sql")),
        Migration::new(50, "houses_keep_records", include_str!("../../migrations/V050__houses_keep_records.sql")),
        Migration::new(60, "codes", include_str!("../../migrations/V060__codes.sql")),
        Migration::new(61, "roster_changes", include_str!("../../migrations/V061__roster_changes.sql")),
        Migration::new(62, "punch_lookup", include_str!("../../migrations/V062__punch_lookup.sql")),
        Migration::new(90, "archive_again", include_str!("../../migrations/V090__archive_again.sql")),
        Migration::new(110, "still_in", include_str!("../../migrations/V110__still_in.sql")),
        Migration::new(120, "codes_for_ever", include_str!("../../migrations/V120__codes_for_ever.sql")),
        Migration::new(130, "pin_windows", include_str!("../../migrations/V130__pin_windows.sql")),
        Migration::new(140, "old_records", include_str!("../../migrations/V140__old_records.sql")),
        Migration::new(170, "lighter_outbox", include_str!("../../migrations/V170__lighter_outbox.sql")),
    ],
};

/// Every statement, for the test that prepares them.
pub fn statements() -> Vec<&'static platform::Sql> {
    let first = [people::ALL, pins::ALL, positions::ALL, punches::ALL, settings::ALL, shifts::ALL, tokens::ALL];
    let planning =
        [leave::ALL, certifications::ALL, handoffs::ALL, patterns::ALL, swap_requests::ALL, suggestions::ALL];
    let ends = [due::ALL, erasure::ALL, logins::ALL, rosters::ALL];
    [first.concat(), planning.concat(), ends.concat()].concat()
}
