//! `melmastoon export rooms|bookings`: the table that `import` reads, for another hotel's set-up or for the shelf. Brought back in where it
//! came from, it changes nothing.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use contracts::ids::{GuestId, PropertyId, TenantId};
use platform::Db;
use reservation::ReservationError;
use reservation::application::booking::PARTNER;
use reservation::domain::money::Money;
use reservation::domain::reservation::{Item, Reservation, ReservationStatus};
use reservation::infrastructure::guests::{self, KnownGuest};
use reservation::infrastructure::reservations::{self, Filter};
use serde_json::{Value, json};

use super::{import, import_bookings};
use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, instance};

/// So many bookings are read in one transaction.
const BATCH: i64 = 500;

/// What `import` can bring back: who will come, and who is in the house.
const STANDING: [ReservationStatus; 4] = [
    ReservationStatus::Confirmed,
    ReservationStatus::CheckInStarted,
    ReservationStatus::CheckedIn,
    ReservationStatus::CheckoutStarted,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Rooms, as `import rooms.csv` reads them
    Rooms,
    /// Bookings of those who will come or are in the house, one line a room, as `import bookings.csv` reads them
    Bookings,
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// What to write
    pub what: What,
    /// The hotel company whose they are
    #[arg(long, value_name = "TENANT")]
    pub tenant: String,
    /// Of one house; of all of them without it
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    /// Where to; to standard output without it
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// For scripts: what was written; without a file, the lines themselves
    #[arg(long)]
    pub json: bool,
}

/// A table as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<&'static str>,
    pub lines: Vec<Vec<String>>,
    /// What the table has no words for: a room without a number or a floor.
    pub left_out: usize,
}

impl Table {
    pub fn csv(&self) -> Result<Vec<u8>, Failure> {
        let failed = |error: csv::Error| Failure::Failed(error.to_string());
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(&self.columns).map_err(failed)?;
        for line in &self.lines {
            table.write_record(line).map_err(failed)?;
        }
        table.into_inner().map_err(|error| Failure::Failed(error.to_string()))
    }

    fn rows(&self) -> Vec<Value> {
        let row = |line: &Vec<String>| {
            let cells = self.columns.iter().zip(line).map(|(name, cell)| ((*name).to_owned(), json!(cell)));
            Value::Object(cells.collect())
        };
        self.lines.iter().map(row).collect()
    }
}

pub async fn export(config: &Config, args: &ExportArgs) -> Result<(), Failure> {
    let tenant = TenantId::parse(&args.tenant).map_err(|error| Failure::Usage(format!("--tenant: {error}")))?;
    let property = args.property.as_deref().map(PropertyId::parse).transpose();
    let property = property.map_err(|error| Failure::Usage(format!("--property: {error}")))?;
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    let (word, table) = match args.what {
        What::Rooms => ("rooms", rooms(&app.db, &tenant, property.as_ref()).await?),
        What::Bookings => ("bookings", bookings(&app.db, &tenant, property.as_ref()).await?),
    };
    let count = table.lines.len();
    let mut told = json!({ "exported": { word: count, "leftOut": table.left_out } });
    match &args.output {
        Some(file) => {
            write(file, &table.csv()?).map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))?;
            if args.json {
                say!("{told}");
            } else {
                say!("{count} {word} written to {}{}", file.display(), left_out(&table));
            }
        }
        None if args.json => {
            told["rows"] = table.rows().into();
            say!("{told}");
        }
        None => {
            std::io::stdout().lock().write_all(&table.csv()?)?;
            eprintln!("{count} {word}{}", left_out(&table));
        }
    }
    Ok(())
}

fn left_out(table: &Table) -> String {
    if table.left_out == 0 {
        String::new()
    } else {
        format!("; {} without a number or a floor left out", table.left_out)
    }
}

/// All of it or nothing; names of guests are for whoever ran the command.
fn write(file: &Path, table: &[u8]) -> std::io::Result<()> {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut open = std::fs::OpenOptions::new();
    let mut written = open.write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    let done = written.write_all(table).and_then(|()| written.sync_all()).and_then(|()| std::fs::rename(&part, file));
    if done.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    done
}

/// The rooms of a house, or of all of a tenant's houses.
pub async fn rooms(db: &Db, tenant: &TenantId, property: Option<&PropertyId>) -> Result<Table, Failure> {
    use housekeeping::infrastructure::rooms;
    let houses = if let Some(property) = property {
        vec![property.clone()]
    } else {
        let look = async |uow: &mut _| rooms::houses(uow).await;
        let found = db.read(&housekeeping::SCHEMA, tenant, look).await;
        found.map_err(|error: housekeeping::HousekeepingError| Failure::Failed(error.to_string()))?
    };
    let mut table = Table { columns: import::COLUMNS.to_vec(), lines: Vec::new(), left_out: 0 };
    for house in houses {
        for room in import::rooms_of(db, tenant, &house).await? {
            let (Some(number), Some(floor)) = (room.number, room.floor) else {
                table.left_out += 1;
                continue;
            };
            let (section, room_type) = (room.section.unwrap_or_default(), room.room_type.unwrap_or_default());
            let id = room.room.room_id.to_string();
            table.lines.push(vec![house.to_string(), id, number, floor.to_string(), section, room_type]);
        }
    }
    Ok(table)
}

/// The bookings of a house, or of all of a tenant's houses.
pub async fn bookings(db: &Db, tenant: &TenantId, property: Option<&PropertyId>) -> Result<Table, Failure> {
    let columns = [&import_bookings::NEEDED[..], &import_bookings::ALSO[..]].concat();
    let mut table = Table { columns, lines: Vec::new(), left_out: 0 };
    let mut filter = Filter {
        properties: property.map(|property| vec![property.clone()]),
        statuses: Some(STANDING.to_vec()),
        ..Filter::default()
    };
    loop {
        let look = async |uow: &mut _| {
            let found = reservations::list(uow, &filter, BATCH).await?;
            let ids: Vec<GuestId> = found.iter().map(|one| one.guest.guest_id.clone()).collect();
            Ok::<_, ReservationError>((guests::find(uow, &ids).await?, found))
        };
        let (known, found) = db
            .read(&reservation::SCHEMA, tenant, look)
            .await
            .map_err(|error: ReservationError| Failure::Failed(error.to_string()))?;
        for booking in &found {
            let guest = known.iter().find(|guest| guest.id == booking.guest.guest_id);
            let items = booking.active_items().enumerate();
            table.lines.extend(items.map(|(at, item)| line_of(booking, at, item, guest)));
        }
        filter.after = found.last().map(|last| last.id.to_string());
        if i64::try_from(found.len()).is_ok_and(|count| count < BATCH) {
            return Ok(table);
        }
    }
}

/// By what a booking is known again: what it was called where it came from, or its own code. The second room and those after it say which.
fn reference_of(booking: &Reservation, at: usize) -> String {
    let own = match (&booking.partner_id, &booking.external_reference) {
        (Some(partner), Some(reference)) if partner == PARTNER && at == 0 => return reference.clone(),
        _ => &booking.code,
    };
    if at == 0 { own.clone() } else { format!("{own}/{}", at + 1) }
}

fn line_of(booking: &Reservation, at: usize, item: &Item, guest: Option<&KnownGuest>) -> Vec<String> {
    let told = |said: Option<&String>| said.map_or(String::new(), |text| plain(text));
    // Whoever was forgotten, or never gave a name, is called by the code.
    let name = told(guest.and_then(|guest| guest.name.as_ref()));
    let name = if name.is_empty() { booking.code.clone() } else { name };
    let channel =
        if import_bookings::CHANNELS.contains(&booking.channel) { booking.channel.to_string() } else { String::new() };
    vec![
        reference_of(booking, at),
        booking.property_id.to_string(),
        item.room_type_id.to_string(),
        item.first_night(booking.stay.start()).to_string(),
        booking.stay.end().to_string(),
        name,
        item.occupants.adults.max(1).to_string(),
        item.occupants.children.to_string(),
        item.occupants.infants.to_string(),
        told(guest.and_then(|guest| guest.email.as_ref())),
        told(guest.and_then(|guest| guest.phone.as_ref())),
        amount(item.mean_rate()),
        booking.currency.to_string(),
        channel,
        told(booking.group_code.as_ref()),
    ]
}

/// A text that stays on its line, within what `import` takes.
fn plain(text: &str) -> String {
    let kept: String = text.chars().map(|one| if one.is_control() { ' ' } else { one }).take(200).collect();
    kept.trim().to_owned()
}

/// An amount with a point.
fn amount(money: Money) -> String {
    let micros = money.micros().0.max(0);
    let rest = format!("{:06}", micros % 1_000_000);
    let rest = rest.trim_end_matches('0');
    let whole = micros / 1_000_000;
    if rest.is_empty() { whole.to_string() } else { format!("{whole}.{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_written_with_no_more_than_it_needs() {
        let written = |micros| amount(Money::of(micros).unwrap());
        assert_eq!([75_500_000, 3_600_000_000, 1, 0, -5].map(written), ["75.5", "3600", "0.000001", "0", "0"]);
    }

    #[test]
    fn a_text_stays_on_its_line() {
        assert_eq!(plain(" Zarmina\nNoori\t"), "Zarmina Noori");
        assert_eq!(plain(&"x".repeat(300)).len(), 200);
    }
}
