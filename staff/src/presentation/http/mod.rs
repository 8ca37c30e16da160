//! REST of staff: routes with their roles, handlers that translate.

mod bodies;
mod checks;
mod people;
mod positions;
mod settings;

use platform::auth::Role::{
    self, Admin, FrontDesk, Housekeeper, Maintenance, PropertyManager, Service, Staff as Anybody, Supervisor,
};
use platform::http::{Gate, Routes, Served, about};

use super::Staff;
use super::problems::{NOT_SELF, REFERENCE_UNKNOWN, STAFF_CODE_TAKEN, STAFF_ILLEGAL_TRANSITION, USER_ALREADY_LINKED};

const ANY: &[Role] = &[Housekeeper, Supervisor, PropertyManager, FrontDesk, Maintenance, Admin, Service, Anybody];
const MANAGERS: &[Role] = &[PropertyManager, Admin];
const EMPLOYERS: &[Role] = &[PropertyManager, Admin, Service];

/// Every route of this context, with who may use it.
pub fn routes(state: Staff, gate: Gate) -> Served {
    let routes = Routes::new("staff", "/staff/v1", gate);
    house_routes(people_routes(routes)).finish(state)
}

fn people_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/staff", ANY, people::list, "People, in the order they began")
        .post(
            "/staff",
            EMPLOYERS,
            people::create,
            about("Employ somebody", &[STAFF_CODE_TAKEN, USER_ALREADY_LINKED, REFERENCE_UNKNOWN]),
        )
        .get("/staff/{id}", ANY, people::show, "A person, as far as the caller may know")
        .patch(
            "/staff/{id}",
            ANY,
            people::update,
            about(
                "Put right what is on record: all of it by a manager, contacts and languages by oneself",
                &[STAFF_ILLEGAL_TRANSITION, STAFF_CODE_TAKEN, USER_ALREADY_LINKED, REFERENCE_UNKNOWN, NOT_SELF],
            ),
        )
        .post(
            "/staff/{id}/position",
            MANAGERS,
            people::change_position,
            about("Give somebody another job", &[STAFF_ILLEGAL_TRANSITION, REFERENCE_UNKNOWN]),
        )
        .post(
            "/staff/{id}/terminate",
            MANAGERS,
            people::terminate,
            about("End an employment, at once, with all that follows from it", &[STAFF_ILLEGAL_TRANSITION]),
        )
        .post(
            "/staff/{id}/reactivate",
            MANAGERS,
            people::reactivate,
            about("Take somebody back", &[STAFF_ILLEGAL_TRANSITION]),
        )
}

fn house_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/departments", ANY, positions::departments, "The departments of the hotel")
        .post("/departments", MANAGERS, positions::add_department, "Add a department")
        .patch("/departments/{id}", MANAGERS, positions::change_department, "Change a department, or put it out of use")
        .get("/positions", ANY, positions::positions, "The positions of the hotel")
        .post("/positions", MANAGERS, positions::add_position, about("Add a position", &[REFERENCE_UNKNOWN]))
        .patch(
            "/positions/{id}",
            MANAGERS,
            positions::change_position,
            about("Change a position, or put it out of use", &[REFERENCE_UNKNOWN]),
        )
        .get("/settings", MANAGERS, settings::show, "How the hotel, or one of its houses, works")
        .put("/settings", MANAGERS, settings::put, "Change what is named, for the hotel or for one of its houses")
}
