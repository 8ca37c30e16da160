//! Where housekeeping keeps what it knows: SQL by aggregate.

use std::sync::LazyLock;

use contracts::Form;
use platform::database::{Migration, Migrations, Schema};

/// How an aggregate of one house is known again: by its id, in its house.
macro_rules! of_a_house {
    ($kind:literal) => {
        const KIND: &'static str = $kind;

        fn aggregate_id(&self) -> String {
            self.id.as_str().to_owned()
        }

        fn property_id(&self) -> Option<&contracts::ids::PropertyId> {
            Some(&self.property_id)
        }
    };
}

pub mod alerts;
pub mod arrivals;
pub mod blocks;
pub mod board;
pub mod checklists;
pub mod departures;
pub mod discrepancies;
pub mod due;
pub mod estimates;
pub mod inspections;
pub mod linen;
pub mod lost_items;
pub mod maintenance;
pub mod maintenance_reports;
pub mod media;
pub mod occupancy;
pub mod people;
pub mod personal;
pub mod planning;
pub mod put_back;
pub mod readiness;
pub mod replanning;
pub mod rooms;
pub mod routing_input;
pub mod settings;
pub mod shared_boards;
pub mod shifts;
pub mod snapshots;
pub mod stats;
pub mod stays;
pub mod suggestions;
pub mod tasks;

/// The context's schema and the form of its envelopes.
pub static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::new("housekeeping", Form::Housekeeping));

/// Applied once each, in this order, and never edited afterwards.
pub const MIGRATIONS: Migrations = Migrations {
    schema: "housekeeping",
    files: &[
        Migration::new(1, "turnover", include_str!("../../migrations/V001__turnover.sql")),
        Migration::new(2, "shift_presence", include_str!("../../migrations/V002__shift_presence.sql")),
        Migration::new(3, "routing", include_str!("../../migrations/V003__routing.sql")),
        Migration::new(4, "retention", include_str!("../../migrations/V004__retention.sql")),
        Migration::new(5, "rooms", include_str!("../../migrations/V005__rooms.sql")),
        Migration::new(6, "stock", include_str!("../../migrations/V006__stock.sql")),
        Migration::new(10, "planning_again", include_str!("../../migrations/V010__planning_again.sql")),
        Migration::new(11, "loose_punches", include_str!("../../migrations/V011__loose_punches.sql")),
        Migration::new(12, "two_people", include_str!("../../migrations/V012__two_people.sql")),
        Migration::new(13, "ends", include_str!("../../migrations/V013__ends.sql")),
        Migration::new(14, "board_snapshot", include_str!("../../migrations/V014__board_snapshot.sql")),
        Migration::new(20, "web", include_str!("../../migrations/V020__web.sql")),
        Migration::new(30, "archive", include_str!("../../migrations/V030__archive.sql")),
        Migration::new(50, "first_person_in", include_str!("../../migrations/V050__first_person_in.sql")),
        Migration::new(90, "found_things", include_str!("../../migrations/V090__found_things.sql")),
        Migration::new(91, "personal", include_str!("../../migrations/V091__personal.sql")),
        Migration::new(92, "jobs", include_str!("../../migrations/V092__jobs.sql")),
        Migration::new(110, "told_again", include_str!("../../migrations/V110__told_again.sql")),
        Migration::outside_a_transaction(111, "newest_plans", include_str!("../../migrations/V111__newest_plans.sql")),
        Migration::new(112, "put_back", include_str!("../../migrations/V112__put_back.sql")),
        Migration::outside_a_transaction(113, "who_has_gone", include_str!("../../migrations/V113__who_has_gone.sql")),
        Migration::new(114, "arrivals_near", include_str!("../../migrations/V114__arrivals_near.sql")),
        Migration::outside_a_transaction(
            115,
            "arrivals_by_time",
            include_str!("../../migrations/V115__arrivals_by_time.sql"),
        ),
        Migration::new(170, "lighter_outbox", include_str!("../../migrations/V170__lighter_outbox.sql")),
        Migration::new(180, "blocks_ahead", include_str!("../../migrations/V180__blocks_ahead.sql")),
        Migration::outside_a_transaction(
            181,
            "blocks_by_beginning",
            include_str!("../../migrations/V181__blocks_by_beginning.sql"),
        ),
        Migration::new(182, "planned_ahead", include_str!("../../migrations/V182__planned_ahead.sql")),
        Migration::new(183, "assigned_as_of", include_str!("../../migrations/V183__assigned_as_of.sql")),
    ],
};

/// Every statement, for the test that prepares them.
pub fn statements() -> Vec<&'static platform::Sql> {
    [
        alerts::ALL,
        arrivals::ALL,
        blocks::ALL,
        board::ALL,
        checklists::ALL,
        discrepancies::ALL,
        due::ALL,
        estimates::ALL,
        inspections::ALL,
        linen::ALL,
        lost_items::ALL,
        media::ALL,
        occupancy::ALL,
        people::ALL,
        personal::ALL,
        put_back::ALL,
        readiness::ALL,
        replanning::ALL,
        rooms::ALL,
        routing_input::ALL,
        settings::ALL,
        shifts::ALL,
        snapshots::ALL,
        stays::ALL,
        stats::ALL,
        suggestions::ALL,
        tasks::ALL,
    ]
    .concat()
}
