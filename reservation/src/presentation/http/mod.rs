//! REST of reservation: routes with their roles, handlers that translate.

mod bodies;
mod put;
mod rooms;
mod settings;

use platform::auth::Role::{self, Admin, FrontDesk, PropertyManager, Service, Supervisor};
use platform::http::{Gate, Routes, Served, about};

use super::FrontOffice;
use super::problems::{POLICY_MADE, POLICY_UNKNOWN, ROOM_TYPE_UNKNOWN};

const HOUSE_READERS: &[Role] = &[FrontDesk, PropertyManager, Supervisor, Admin, Service];
const HOUSE_WRITERS: &[Role] = &[PropertyManager, Admin, Service];
const MANAGERS: &[Role] = &[PropertyManager, Admin];

/// Every route of this context, with who may use it.
pub fn routes(state: FrontOffice, gate: Gate) -> Served {
    let routes = Routes::new("reservation", "/reservation/v1", gate);
    settings_routes(house_routes(routes)).finish(state)
}

fn house_routes(routes: Routes<FrontOffice>) -> Routes<FrontOffice> {
    routes
        .get("/room-types", HOUSE_READERS, rooms::list_types, "The room types of a property")
        .put("/room-types/{roomTypeId}", HOUSE_WRITERS, rooms::put_type, "Describe a room type; a new one comes into being")
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
            about("Describe a room; a new one comes into being", &[ROOM_TYPE_UNKNOWN]),
        )
}

fn settings_routes(routes: Routes<FrontOffice>) -> Routes<FrontOffice> {
    routes
        .get("/settings", MANAGERS, settings::show, "What is in force, for the tenant or in one of its houses")
        .put(
            "/settings",
            MANAGERS,
            settings::put,
            about("Change the settings that are named", &[POLICY_UNKNOWN]),
        )
        .get("/cancellation-policies", MANAGERS, settings::policies, "The rules for those who change their mind")
        .post(
            "/cancellation-policies",
            MANAGERS,
            settings::make_policy,
            about("Make a new version of the rules", &[POLICY_MADE]),
        )
}
