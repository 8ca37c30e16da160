//! How reservation says no, at a glance and in a diff.

use std::fmt::Write;
use std::path::Path;

use contracts::ids::{ReservationId, RoomId, RoomTypeId};
use jiff::civil::date;
use platform::http::Problem;
use reservation::ReservationError;
use reservation::domain::decisions::StayError;
use reservation::domain::money::Money;
use reservation::domain::quote::QuoteStatus;
use reservation::domain::reservation::ReservationStatus;

use crate::golden::compare_at;

/// One of each of reservation's own; the problem catalogue is an exhaustive match, and the general ones are the platform's.
fn every_refusal() -> Vec<ReservationError> {
    let room_type = || RoomTypeId::parse("rmt_1").unwrap();
    let room = || RoomId::parse("rom_1").unwrap();
    let day = date(2026, 4, 22);
    let money = Money::of(5).unwrap();
    vec![
        ReservationError::Stay(StayError::Illegal { from: ReservationStatus::Cancelled, action: "be confirmed" }),
        ReservationError::Stay(StayError::DepositRequired { required: money }),
        ReservationError::Stay(StayError::NothingPaid),
        ReservationError::Stay(StayError::TooEarly { begins: day }),
        ReservationError::Stay(StayError::StayOver { ended: day }),
        ReservationError::Stay(StayError::NotEarly),
        ReservationError::Stay(StayError::ItemUnknown("01J".to_owned())),
        ReservationError::Stay(StayError::NoRoom("01J".to_owned())),
        ReservationError::Stay(StayError::FolioUnsettled { balance: money }),
        ReservationError::Stay(StayError::AllocationPending),
        ReservationError::RoomTypeUnknown(room_type()),
        ReservationError::RoomUnknown(room()),
        ReservationError::OccupancyExceeded { room_type: room_type(), most: 2 },
        ReservationError::StayInvalid("a stay has 1 to 365 nights"),
        ReservationError::RateMissing { room_type: room_type(), night: day },
        ReservationError::FxRateMissing,
        ReservationError::CurrencyMismatch,
        ReservationError::NoAvailability { room_type: room_type(), nights: vec![day], fragmented: false },
        ReservationError::RoomUnavailable(room()),
        ReservationError::RoomOccupied(room()),
        ReservationError::RoomNotReady(room()),
        ReservationError::PaymentDue { balance: money },
        ReservationError::Quote(QuoteStatus::Expired),
        ReservationError::Quote(QuoteStatus::Used),
        ReservationError::Quote(QuoteStatus::Unavailable),
        ReservationError::DuplicateReference(ReservationId::parse("rsv_1").unwrap()),
        ReservationError::ExternalInventory,
        ReservationError::PropertyClosed,
        ReservationError::NotAllowed("only a manager waives a penalty"),
        ReservationError::DayClosed(day),
        ReservationError::DayAhead(day),
        ReservationError::GuestExpected { until: day },
        ReservationError::AlertResolved,
        ReservationError::PolicyUnknown("9".to_owned()),
        ReservationError::PolicyMade("1".to_owned()),
    ]
}

#[test]
fn every_problem_of_reservation_has_the_code_status_and_title_of_the_golden_file() {
    let mut found = "# Every way in which reservation says no: status, code, title, and an example of the detail.\n\
                     # Made by: UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel golden\n"
        .to_owned();
    for error in every_refusal() {
        let problem = Problem::from(error);
        writeln!(found, "{} {}: {}. {}", problem.status.as_u16(), problem.code, problem.title, problem.detail).unwrap();
    }
    compare_at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/problems_reservation.txt"), &found);
}
