//! REST of staff: routes with their roles, handlers that translate.

mod bodies;
mod certifications;
mod checks;
mod clock;
mod handoffs;
mod leave;
mod patterns;
mod people;
mod pin;
mod planning_routes;
mod positions;
mod roster;
mod settings;
mod shift_bodies;
mod shifts;
mod suggestions;
mod swap_requests;

use platform::auth::Role::{
    self, Admin, FrontDesk, Housekeeper, Maintenance, PropertyManager, Service, Staff as Anybody, Supervisor,
};
use platform::http::{Gate, Routes, Served, about};

use planning_routes::planning_routes;

use super::Staff;
use super::problems::{
    ALREADY_ASSIGNED, ASSIGNMENT_ENDED, ASSIGNMENT_OVERLAP, CERTIFICATION_MISSING, CLIENT_PUNCH_ID_REUSED,
    CLOCK_SEQUENCE, HEADCOUNT_FULL, NO_PROPERTY_ACCESS, NO_STANDBY, NOT_ASSIGNED, NOT_ERASABLE, NOT_SELF,
    PERIOD_LOCKED, PIN_LOCKED, PIN_REFUSED, PIN_WEAK, PROPERTY_INACTIVE, PUNCH_TIME_OUT_OF_RANGE, REFERENCE_UNKNOWN,
    SHIFT_ILLEGAL_TRANSITION, STAFF_CLOCKED_IN, STAFF_CODE_TAKEN, STAFF_ILLEGAL_TRANSITION, STAFF_NOT_ACTIVE,
    STAFF_ON_LEAVE, SWAP_IMPOSSIBLE, USER_ALREADY_LINKED,
};

const ANY: &[Role] = &[Housekeeper, Supervisor, PropertyManager, FrontDesk, Maintenance, Admin, Service, Anybody];
const MANAGERS: &[Role] = &[PropertyManager, Admin];
const LEADERS: &[Role] = &[Supervisor, PropertyManager, Admin];
const PLANNERS: &[Role] = &[Supervisor, PropertyManager, Admin, Service];
/// Everybody who can be a person: a terminal has no punches of its own.
const PEOPLE: &[Role] = &[Housekeeper, Supervisor, PropertyManager, FrontDesk, Maintenance, Admin, Anybody];
/// And terminals, which say whose punches they are.
const PUNCHING: &[Role] = &[Housekeeper, Supervisor, PropertyManager, FrontDesk, Maintenance, Admin, Anybody, Service];
const EMPLOYERS: &[Role] = &[PropertyManager, Admin, Service];

/// Every route of this context, with who may use it.
pub fn routes(state: Staff, gate: Gate) -> Served {
    let routes = Routes::new("staff", "/staff/v1", gate);
    let routes = leaving_routes(people_routes(routes));
    let routes = roster_routes(clock_routes(shift_routes(house_routes(routes))));
    planning_routes(routes).finish(state)
}

fn people_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/staff", ANY, people::list, "People, in the order they began")
        .post(
            "/staff",
            EMPLOYERS,
            people::create,
            about("Employ somebody", &[STAFF_CODE_TAKEN, USER_ALREADY_LINKED, REFERENCE_UNKNOWN, PIN_WEAK]),
        )
        .open("/auth/pin", pin::sign_in, about("Sign in with a code and a PIN", &[PIN_REFUSED, PIN_LOCKED]))
        .post(
            "/staff/{id}/pin",
            PEOPLE,
            pin::set,
            about(
                "Set a PIN, or take it away: a manager anybody's, others their own with the present one",
                &[STAFF_ILLEGAL_TRANSITION, NOT_SELF, PIN_WEAK, PIN_REFUSED, PIN_LOCKED],
            ),
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

fn leaving_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get(
            "/staff/{id}/export",
            PEOPLE,
            people::export,
            about("Everything that is known of a person, to that person and to admins", &[NOT_SELF]),
        )
        .post(
            "/staff/{id}/erase",
            &[Admin],
            people::erase,
            about("Take away what is known of somebody who is gone; what they worked stays", &[NOT_ERASABLE]),
        )
}

fn house_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/departments", ANY, positions::departments, "The departments of the hotel")
        .post("/departments", MANAGERS, positions::add_department, "Add a department")
        .get("/departments/{id}", ANY, positions::show_department, "A department")
        .patch("/departments/{id}", MANAGERS, positions::change_department, "Change a department, or put it out of use")
        .get("/positions", ANY, positions::positions, "The positions of the hotel")
        .post("/positions", MANAGERS, positions::add_position, about("Add a position", &[REFERENCE_UNKNOWN]))
        .get("/positions/{id}", ANY, positions::show_position, "A position")
        .patch(
            "/positions/{id}",
            MANAGERS,
            positions::change_position,
            about("Change a position, or put it out of use", &[REFERENCE_UNKNOWN]),
        )
        .get("/settings", MANAGERS, settings::show, "How the hotel, or one of its houses, works")
        .put("/settings", MANAGERS, settings::put, "Change what is named, for the hotel or for one of its houses")
}

fn shift_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/shifts", ANY, shifts::list, "Shifts, in the order they begin")
        .post("/shifts", PLANNERS, shifts::create, about("Plan a shift", &[REFERENCE_UNKNOWN, PROPERTY_INACTIVE]))
        .get("/shifts/{id}", ANY, shifts::show, "A shift, who has a place on it and who is there")
        .patch(
            "/shifts/{id}",
            LEADERS,
            shifts::change,
            about("Plan a shift anew", &[SHIFT_ILLEGAL_TRANSITION, ASSIGNMENT_OVERLAP, STAFF_ON_LEAVE]),
        )
        .post(
            "/shifts/{id}/cancel",
            LEADERS,
            shifts::cancel,
            about("Call a shift off; with `force` also one that has begun", &[SHIFT_ILLEGAL_TRANSITION]),
        )
        .post(
            "/shifts/{id}/assignments",
            PLANNERS,
            shifts::assign,
            about(
                "Give somebody a place on a shift; with `force` one more than there are",
                &[
                    SHIFT_ILLEGAL_TRANSITION,
                    STAFF_NOT_ACTIVE,
                    NO_PROPERTY_ACCESS,
                    ALREADY_ASSIGNED,
                    STAFF_ON_LEAVE,
                    ASSIGNMENT_OVERLAP,
                    HEADCOUNT_FULL,
                    CERTIFICATION_MISSING,
                    REFERENCE_UNKNOWN,
                ],
            ),
        )
        .delete(
            "/shifts/{id}/assignments/{assignmentId}",
            LEADERS,
            shifts::unassign,
            about("Take a place away", &[SHIFT_ILLEGAL_TRANSITION, ASSIGNMENT_ENDED, STAFF_CLOCKED_IN]),
        )
        .post(
            "/shifts/{id}/promote-standby",
            LEADERS,
            shifts::promote,
            about(
                "Call somebody from standby to work",
                &[
                    SHIFT_ILLEGAL_TRANSITION,
                    NO_STANDBY,
                    REFERENCE_UNKNOWN,
                    HEADCOUNT_FULL,
                    STAFF_NOT_ACTIVE,
                    NO_PROPERTY_ACCESS,
                    STAFF_ON_LEAVE,
                    ASSIGNMENT_OVERLAP,
                    CERTIFICATION_MISSING,
                ],
            ),
        )
        .post(
            "/shifts/swap",
            LEADERS,
            shifts::swap,
            about(
                "Let two people change places",
                &[
                    SWAP_IMPOSSIBLE,
                    ASSIGNMENT_ENDED,
                    SHIFT_ILLEGAL_TRANSITION,
                    STAFF_NOT_ACTIVE,
                    NO_PROPERTY_ACCESS,
                    ALREADY_ASSIGNED,
                    STAFF_ON_LEAVE,
                    ASSIGNMENT_OVERLAP,
                    CERTIFICATION_MISSING,
                    REFERENCE_UNKNOWN,
                ],
            ),
        )
}

fn clock_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .post(
            "/clock/punches",
            PUNCHING,
            clock::punch,
            about(
                "Punch the clock; the same within a minute is the same punch",
                &[
                    NOT_SELF,
                    STAFF_NOT_ACTIVE,
                    NO_PROPERTY_ACCESS,
                    NOT_ASSIGNED,
                    CLOCK_SEQUENCE,
                    PERIOD_LOCKED,
                    PUNCH_TIME_OUT_OF_RANGE,
                    CLIENT_PUNCH_ID_REUSED,
                    PIN_REFUSED,
                    PIN_LOCKED,
                ],
            ),
        )
        .post(
            "/clock/override",
            LEADERS,
            clock::override_punch,
            about(
                "Punch for somebody who forgot, or correct when it was",
                &[
                    NOT_SELF,
                    REFERENCE_UNKNOWN,
                    STAFF_NOT_ACTIVE,
                    NO_PROPERTY_ACCESS,
                    NOT_ASSIGNED,
                    CLOCK_SEQUENCE,
                    PERIOD_LOCKED,
                    PUNCH_TIME_OUT_OF_RANGE,
                ],
            ),
        )
        .post(
            "/clock/offline-replay",
            PUNCHING,
            clock::replay,
            "Send what was punched without a connection, in any order and as often as need be",
        )
        .get("/clock/entries", PEOPLE, clock::entries, about("Punches, in their order", &[NOT_SELF]))
        .post("/clock/entries/{id}/review", LEADERS, clock::review, "Say that a punch is well as it is")
}

fn roster_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/roster", ANY, roster::roster, "Seven days of a house: shifts, what is missing, people and warnings")
        .get("/on-now", ANY, roster::on_now, "Who is in a house now")
        .get("/me", PEOPLE, roster::me, "Oneself")
        .get("/me/shifts", PEOPLE, roster::my_shifts, "One's own shifts")
        .get("/me/timesheet", PEOPLE, roster::my_timesheet, "One's own time, a row a span")
        .get("/timesheets", PEOPLE, roster::timesheets, about("People's time, a row a span", &[NOT_SELF]))
        .get(
            "/timesheets/export",
            PEOPLE,
            roster::export,
            about("People's time for a spreadsheet: anybody's to managers, their own to others", &[NOT_SELF]),
        )
}
