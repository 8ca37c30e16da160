//! The domain by itself: money, rooms, the life of a reservation.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect ends right there")]

mod changes;
mod clock_changes;
mod lives;
mod money;
mod permutations;
mod placing;
mod policies;
mod sagas;

use std::collections::BTreeMap;

use contracts::actor::{Actor, ActorKind};
use contracts::ids::{GuestId, PropertyId, ReservationId, RoomId, RoomTypeId};
use contracts::reservation::{Channel, ContactHash, Occupants};
use contracts::time::Timestamp;
use contracts::values::Currency;
use jiff::civil::{Date, date};
use reservation::domain::facts::Facts;
use reservation::domain::money::Money;
use reservation::domain::policy::Policy;
use reservation::domain::reservation::{Asked, Guest, Hold, Item, Place, Reservation, ReservationStatus};
use reservation::domain::settings::Settings;
use reservation::domain::stay::{HouseTime, Stay};

pub(crate) fn money(whole: i128) -> Money {
    Money::of(whole * 1_000_000).unwrap()
}

pub(crate) fn afghani() -> Currency {
    Currency::parse("AFN").unwrap()
}

pub(crate) fn house() -> HouseTime {
    HouseTime::of(&Settings::default())
}

pub(crate) fn desk() -> Actor {
    Actor { kind: ActorKind::Staff, id: "stf_DESK".to_owned() }
}

/// Noon in Kabul, so many days into April and beyond.
pub(crate) fn noon(day: i8) -> Timestamp {
    Timestamp::parse("2026-04-01T07:30:00Z").unwrap().plus_seconds((i64::from(day) - 1) * 24 * 3_600)
}

pub(crate) fn april(day: i8) -> Date {
    date(2026, 4, day)
}

/// Held: so many rooms from the 22nd on, at 100 a night, half of it in advance.
pub(crate) fn held(rooms: usize, nights: i8) -> Reservation {
    let item = |at: usize| Item {
        id: format!("item{at}"),
        room_type_id: RoomTypeId::parse("rmt_DOUBLE").unwrap(),
        occupants: Occupants { adults: 2, children: 0, infants: 0 },
        nightly_rates: vec![money(100); usize::try_from(nights).unwrap()],
        active: true,
        late_nights: 0,
        given_back: Vec::new(),
        place: Some(Place {
            allocation: format!("alc_{at}"),
            room: RoomId::parse(&format!("rom_{at}")).ok(),
            pinned: false,
        }),
    };
    let now = noon(20);
    Reservation {
        id: ReservationId::parse("rsv_1").unwrap(),
        code: "GM-346789".to_owned(),
        property_id: PropertyId::parse("prp_1").unwrap(),
        status: ReservationStatus::Held,
        channel: Channel::Direct,
        partner_id: None,
        external_reference: None,
        group_code: None,
        guest: Guest {
            guest_id: GuestId::parse("gst_1").unwrap(),
            locale: "ps-AF".to_owned(),
            contact_hash: ContactHash { email: None, phone: None },
        },
        stay: Stay::new(april(22), april(22 + nights)).unwrap(),
        items: (0..rooms).map(item).collect(),
        currency: afghani(),
        house_currency: afghani(),
        fx: None,
        tax_ppm: 0,
        deposit_ppm: 500_000,
        policy: Policy::flexible_24h(),
        hold: Hold { hold_id: "hld_1".to_owned(), placed_at: now, expires_at: now.plus_seconds(600), ttl_seconds: 600 },
        payment_intent: Some("pyi_1".to_owned()),
        method: None,
        pending_cash: false,
        folio_id: "fol_1".to_owned(),
        charges: Vec::new(),
        desk_payments: Vec::new(),
        refunds_requested: BTreeMap::new(),
        charge_asked: Asked::default(),
        check_in_by: None,
        checked_in_at: None,
        checked_out_at: None,
        early_check_in: false,
        left_early: false,
        left_early_because: None,
        overstayed_nights: 0,
        overstay_told: None,
        external_inventory: false,
        allocations_given_back: Vec::new(),
        keys_left_behind: 0,
        cancellation: None,
        expected_arrival_at: None,
        brought_back_at: None,
        last_modification_id: None,
        special_requests: Vec::new(),
        refunded_told: Money::ZERO,
        created_by: desk(),
        created_at: now,
        updated_at: now,
        facts: Facts::default(),
        version: 1,
    }
}
