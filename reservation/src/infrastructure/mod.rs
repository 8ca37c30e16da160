//! Where reservation keeps what it knows: SQL by aggregate.

use std::sync::LazyLock;

use contracts::Form;
use platform::database::Row;
use platform::database::{COMMON_TABLES, Columns, ImpossibleRow, Migration, Migrations, Schema};

use crate::domain::money::Money;

pub mod alerts;
pub mod availability;
pub mod blocks;
pub mod closing;
pub mod discreet;
pub mod guests;
pub mod houses;
pub mod inventory;
pub mod laying;
pub mod maintenance;
pub mod personal;
pub mod policies;
pub mod quotes;
pub mod reservations;
pub mod rooms;
pub mod settings;
pub mod timeline;
pub mod timers;
pub mod told;

/// The context's schema and the form of its envelopes.
pub static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::new("reservation", Form::Reservation));

/// Applied once each, in this order, and never edited afterwards.
pub const MIGRATIONS: Migrations = Migrations {
    schema: "reservation",
    files: &[
        COMMON_TABLES,
        Migration::new(2, "house", include_str!("../../migrations/V002__house.sql")),
        Migration::new(3, "bookings", include_str!("../../migrations/V003__bookings.sql")),
        Migration::new(10, "alerts", include_str!("../../migrations/V010__alerts.sql")),
        Migration::new(11, "timeline", include_str!("../../migrations/V011__timeline.sql")),
        Migration::new(12, "blocks", include_str!("../../migrations/V012__blocks.sql")),
        Migration::new(13, "day_closes", include_str!("../../migrations/V013__day_closes.sql")),
        Migration::new(20, "timers", include_str!("../../migrations/V020__timers.sql")),
        Migration::new(21, "closed_houses", include_str!("../../migrations/V021__closed_houses.sql")),
        Migration::new(30, "archive", include_str!("../../migrations/V030__archive.sql")),
        Migration::new(50, "alerts_over", include_str!("../../migrations/V050__alerts_over.sql")),
        Migration::new(60, "nights_as_days", include_str!("../../migrations/V060__nights_as_days.sql")),
        Migration::new(90, "archive_again", include_str!("../../migrations/V090__archive_again.sql")),
        Migration::new(91, "personal", include_str!("../../migrations/V091__personal.sql")),
        Migration::new(110, "room_words", include_str!("../../migrations/V110__room_words.sql")),
        Migration::new(130, "references", include_str!("../../migrations/V130__references.sql")),
        Migration::new(150, "words_before_rooms", include_str!("../../migrations/V150__words_before_rooms.sql")),
        Migration::new(160, "bodies_as_they_are", include_str!("../../migrations/V160__bodies_as_they_are.sql")),
        Migration::new(170, "lighter_outbox", include_str!("../../migrations/V170__lighter_outbox.sql")),
    ],
};

/// Every statement, for the test that prepares them.
pub fn statements() -> Vec<&'static platform::Sql> {
    [
        alerts::ALL,
        availability::ALL,
        blocks::ALL,
        closing::ALL,
        guests::ALL,
        houses::ALL,
        inventory::ALL,
        laying::ALL,
        personal::ALL,
        policies::ALL,
        quotes::ALL,
        reservations::ALL,
        rooms::ALL,
        settings::ALL,
        timeline::ALL,
        timers::ALL,
    ]
    .concat()
}

/// Money goes in and out as text: NUMERIC holds it whole.
pub(crate) fn text_of(money: Money) -> String {
    money.micros().to_string()
}

pub(crate) fn money_of(row: &Row, column: &str) -> Result<Option<Money>, ImpossibleRow> {
    let text: Option<String> = row.read(column)?;
    text.map(|text| read_money(row, &text)).transpose()
}

pub(crate) fn read_money(row: &Row, text: &str) -> Result<Money, ImpossibleRow> {
    let micros = contracts::values::Micros::parse(text).map_err(|error| row.impossible(error))?;
    Money::try_from(micros).map_err(|error| row.impossible(error))
}
