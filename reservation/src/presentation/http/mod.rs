//! REST of reservation: routes with their roles, handlers that translate.

mod alerts;
mod beside_quote;
mod blocks;
mod bodies;
mod bookings;
mod closing;
mod desk_lists;
mod guests;
mod modifications;
mod personal;
mod put;
mod rooms;
mod settings;
mod stays;
mod timeline;

use platform::auth::Role::{self, Admin, FrontDesk, PropertyManager, Service, Supervisor};
use platform::http::{Gate, ProblemKind, Routes, Served, about};

use super::FrontOffice;
use super::problems::{
    ALERT_RESOLVED, ALLOCATION_PENDING, CURRENCY_MISMATCH, DAY_CLOSED, DEPOSIT_REQUIRED, DUPLICATE_REFERENCE,
    EXTERNAL_INVENTORY, FOLIO_UNSETTLED, FX_RATE_MISSING, GUEST_EXPECTED, ILLEGAL_TRANSITION, ITEM_UNKNOWN,
    NO_AVAILABILITY, NOT_ALLOWED, NOT_EARLY, OCCUPANCY_EXCEEDED, PAYMENT_DUE, POLICY_MADE, POLICY_UNKNOWN,
    PROPERTY_CLOSED, QUOTE_EXPIRED, QUOTE_UNAVAILABLE, QUOTE_USED, RATE_MISSING, ROOM_NOT_READY, ROOM_OCCUPIED,
    ROOM_TYPE_UNKNOWN, ROOM_UNAVAILABLE, ROOM_UNKNOWN, STAY_INVALID, STAY_OVER, TOO_EARLY,
};

const HOUSE_READERS: &[Role] = &[FrontDesk, PropertyManager, Supervisor, Admin, Service];
const HOUSE_WRITERS: &[Role] = &[PropertyManager, Admin, Service];
/// The desk, whoever may do what the desk may, and services.
const DESK_AND_SERVICES: &[Role] = &[FrontDesk, PropertyManager, Service];
const DESK: &[Role] = &[FrontDesk, PropertyManager];
const READERS: &[Role] = &[FrontDesk, PropertyManager, Admin, Service];
const LIST_READERS: &[Role] = &[FrontDesk, PropertyManager, Supervisor, Admin];
const CHART_READERS: &[Role] = &[FrontDesk, PropertyManager, Admin];
/// Whoever walks the house.
const FLOOR: &[Role] = &[FrontDesk, PropertyManager, Supervisor];
const MANAGERS: &[Role] = &[PropertyManager, Admin];

/// Every route of this context, with who may use it.
pub fn routes(state: FrontOffice, gate: Gate) -> Served {
    let routes = Routes::new("reservation", "/reservation/v1", gate);
    house_guest_routes(stay_routes(booking_routes(settings_routes(house_routes(routes))))).finish(state)
}

fn house_routes(routes: Routes<FrontOffice>) -> Routes<FrontOffice> {
    routes
        .get("/room-types", HOUSE_READERS, rooms::list_types, "The room types of a property")
        .put(
            "/room-types/{roomTypeId}",
            HOUSE_WRITERS,
            rooms::put_type,
            "Describe a room type; a new one comes into being",
        )
        .put("/room-types/{roomTypeId}/rates", HOUSE_WRITERS, rooms::put_rates, "Set the price of some nights")
        .put(
            "/room-types/{roomTypeId}/sell-limits",
            HOUSE_WRITERS,
            rooms::put_sell_limits,
            "Sell more rooms than there are on some nights, or fewer",
        )
        .get("/rooms", HOUSE_READERS, rooms::list, "The rooms of a property, as they are sold")
        .put(
            "/rooms/{roomId}",
            HOUSE_WRITERS,
            rooms::put_room,
            about("Describe a room; a new one comes into being", &[ROOM_TYPE_UNKNOWN, POLICY_UNKNOWN]),
        )
}

fn settings_routes(routes: Routes<FrontOffice>) -> Routes<FrontOffice> {
    routes
        .get("/settings", MANAGERS, settings::show, "What is in force, for the tenant or in one of its houses")
        .put("/settings", MANAGERS, settings::put, about("Change the settings that are named", &[POLICY_UNKNOWN]))
        .get("/cancellation-policies", MANAGERS, settings::policies, "The rules for those who change their mind")
        .post(
            "/cancellation-policies",
            MANAGERS,
            settings::make_policy,
            about("Make a new version of the rules", &[POLICY_MADE]),
        )
}

/// Why a wish cannot be sold.
const UNSOLD: &[ProblemKind] = &[
    ROOM_TYPE_UNKNOWN,
    ROOM_UNKNOWN,
    OCCUPANCY_EXCEEDED,
    STAY_INVALID,
    RATE_MISSING,
    FX_RATE_MISSING,
    CURRENCY_MISMATCH,
    POLICY_UNKNOWN,
    NO_AVAILABILITY,
    ROOM_UNAVAILABLE,
    ROOM_OCCUPIED,
    ROOM_NOT_READY,
    QUOTE_EXPIRED,
    QUOTE_USED,
    QUOTE_UNAVAILABLE,
    DUPLICATE_REFERENCE,
    PROPERTY_CLOSED,
    NOT_ALLOWED,
];

fn booking_routes(routes: Routes<FrontOffice>) -> Routes<FrontOffice> {
    routes
        .post("/quotes", DESK_AND_SERVICES, bookings::ask_quote, about("Ask for a price; no room is set aside", UNSOLD))
        .get("/quotes/{id}", DESK_AND_SERVICES, bookings::show_quote, "A price that was given")
        .post(
            "/reservations",
            DESK_AND_SERVICES,
            bookings::book,
            about("Set rooms aside until the guest has paid", UNSOLD),
        )
        .post(
            "/walk-ins",
            DESK,
            bookings::walk_in,
            about("Somebody at the desk, booked and checked in at once", UNSOLD),
        )
        .get("/reservations", READERS, bookings::list, "Reservations, in the order they were made")
        .get("/reservations/{id}", READERS, bookings::show, "A reservation")
        .get("/reservations/{id}/history", READERS, bookings::history, "What happened to a reservation, oldest first")
        .get("/reservations/{id}/folio", READERS, bookings::folio, "The bill")
        .get(
            "/availability",
            HOUSE_READERS,
            bookings::availability,
            about("What there is to sell, night by night", &[POLICY_UNKNOWN, EXTERNAL_INVENTORY]),
        )
        .get(
            "/timeline",
            CHART_READERS,
            timeline::show,
            "The chart of a house: every room, who has it and when it is closed",
        )
        .post(
            "/rooms/{roomId}/blocks",
            FLOOR,
            blocks::close,
            about("Close a room: whoever has it goes elsewhere, as far as may be", &[POLICY_UNKNOWN]),
        )
        .get(
            "/rooms/{roomId}/blocks/{blockId}",
            FLOOR,
            blocks::show,
            "A room that is closed: from when, until when and why",
        )
        .delete("/rooms/{roomId}/blocks/{blockId}", FLOOR, blocks::open, "Open a room again")
        .get("/guests/{guestId}", CHART_READERS, guests::show, "What the desk knows of a guest")
        .delete("/guests/{guestId}", MANAGERS, guests::erase, "Forget a guest's name and contacts")
        .get("/guests/{guestId}/export", MANAGERS, guests::export, "Everything that is kept of a guest, for that guest")
        .post(
            "/guests/{guestId}/erase",
            MANAGERS,
            guests::erase_after_term,
            about("Forget a guest who is not expected any more; says what the law wants kept", &[GUEST_EXPECTED]),
        )
        .get(
            "/personal-data",
            MANAGERS,
            personal::export,
            "Where a member of the staff is named at the desk, for that person",
        )
        .get(
            "/day-close",
            DESK,
            closing::show,
            about("The figures of a day, as closed or as they stand", &[POLICY_UNKNOWN]),
        )
        .post(
            "/day-close",
            DESK,
            closing::close,
            about("Close a day: what is due is done, and the figures stand", &[DAY_CLOSED, TOO_EARLY, POLICY_UNKNOWN]),
        )
        .get("/alerts", FLOOR, alerts::list, "What somebody has to look at, newest first")
        .post("/alerts/{alertId}/resolve", FLOOR, alerts::resolve, about("Say that it is seen to", &[ALERT_RESOLVED]))
        .get("/arrivals", LIST_READERS, desk_lists::arrivals, "Who comes on a day, and who is late")
        .get("/departures", LIST_READERS, desk_lists::departures, "Who leaves on a day, and who should have left")
        .get("/in-house", LIST_READERS, desk_lists::in_house, "Who is in the house")
}

fn stay_routes(routes: Routes<FrontOffice>) -> Routes<FrontOffice> {
    const CHANGE: &[ProblemKind] = &[
        ILLEGAL_TRANSITION,
        STAY_OVER,
        ITEM_UNKNOWN,
        ROOM_UNKNOWN,
        ROOM_TYPE_UNKNOWN,
        ROOM_UNAVAILABLE,
        ROOM_OCCUPIED,
        OCCUPANCY_EXCEEDED,
        STAY_INVALID,
        RATE_MISSING,
        FX_RATE_MISSING,
        NO_AVAILABILITY,
        DUPLICATE_REFERENCE,
        EXTERNAL_INVENTORY,
        NOT_ALLOWED,
    ];
    routes
        .put(
            "/reservations/{id}/payment-intent",
            DESK_AND_SERVICES,
            stays::intend_payment,
            about("Name the payment that will come", &[ILLEGAL_TRANSITION]),
        )
        .post(
            "/reservations/{id}/confirm",
            DESK_AND_SERVICES,
            stays::confirm,
            about(
                "The guest will come: enough is paid, or cash comes with the guest",
                &[ILLEGAL_TRANSITION, DEPOSIT_REQUIRED, ALLOCATION_PENDING, NOT_ALLOWED],
            ),
        )
        .post(
            "/reservations/{id}/payments",
            DESK,
            stays::pay,
            about("Take money at the desk, or pay it back", &[ILLEGAL_TRANSITION, CURRENCY_MISMATCH]),
        )
        .post(
            "/reservations/{id}/cancel",
            DESK_AND_SERVICES,
            stays::cancel,
            about("Cancel all of it, or some of its rooms", &[ILLEGAL_TRANSITION, ITEM_UNKNOWN, NOT_ALLOWED]),
        )
        .post(
            "/reservations/{id}/modifications",
            DESK_AND_SERVICES,
            modifications::modify,
            about("Change days, rooms, guests, prices, the door it came through, or where it stands", CHANGE),
        )
        .post(
            "/reservations/{id}/modification-requests",
            DESK_AND_SERVICES,
            modifications::ask_changes,
            about("Ask somebody else for a change", &[ILLEGAL_TRANSITION, NOT_ALLOWED]),
        )
        .post(
            "/reservations/{id}/special-requests",
            DESK_AND_SERVICES,
            modifications::add_special_request,
            about("Note what the guest wishes for", &[ILLEGAL_TRANSITION, NOT_ALLOWED]),
        )
        .get(
            "/reservations/{id}/cancellation-preview",
            READERS,
            stays::preview,
            about("What a cancellation would cost now", &[ILLEGAL_TRANSITION, ITEM_UNKNOWN]),
        )
}

/// From the day of arrival on.
fn house_guest_routes(routes: Routes<FrontOffice>) -> Routes<FrontOffice> {
    const CHECK_IN: &[ProblemKind] = &[
        ILLEGAL_TRANSITION,
        TOO_EARLY,
        STAY_OVER,
        ITEM_UNKNOWN,
        ROOM_UNKNOWN,
        ROOM_TYPE_UNKNOWN,
        ROOM_UNAVAILABLE,
        ROOM_OCCUPIED,
        ROOM_NOT_READY,
        PAYMENT_DUE,
        NOT_ALLOWED,
    ];
    routes
        .post(
            "/reservations/{id}/no-show",
            DESK,
            stays::no_show,
            about("The guest did not come", &[ILLEGAL_TRANSITION, TOO_EARLY]),
        )
        .post(
            "/reservations/{id}/check-in/start",
            DESK_AND_SERVICES,
            stays::start_check_in,
            about("The guest stands at the desk: rooms are given, keys are asked for", CHECK_IN),
        )
        .post(
            "/reservations/{id}/check-in/complete",
            DESK_AND_SERVICES,
            stays::complete_check_in,
            about("The guest is in the house", CHECK_IN),
        )
        .post(
            "/reservations/{id}/check-out/start",
            DESK_AND_SERVICES,
            stays::start_checkout,
            about("The guest is about to leave", &[ILLEGAL_TRANSITION, NOT_ALLOWED]),
        )
        .post(
            "/reservations/{id}/early-checkout",
            DESK,
            stays::leave_early,
            about("The guest leaves before the last night", &[ILLEGAL_TRANSITION, NOT_EARLY]),
        )
        .post(
            "/reservations/{id}/check-out/complete",
            DESK_AND_SERVICES,
            stays::check_out,
            about("The guest has left", &[ILLEGAL_TRANSITION, FOLIO_UNSETTLED, CURRENCY_MISMATCH, NOT_ALLOWED]),
        )
}
