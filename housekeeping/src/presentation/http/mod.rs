//! REST of housekeeping: routes with their roles, handlers that translate.

mod blocks;
mod board;
mod bodies;
mod checklists;
mod discrepancies;
mod helpers;
mod linen;
mod lost_and_found;
mod media;
mod personal;
mod readiness;
mod rooms;
mod routing;
mod settings;
mod stats;
mod tasks;

use platform::auth::Role::{self, Admin, FrontDesk, Housekeeper, PropertyManager, Supervisor};
use platform::http::{Gate, Routes, Served, about};

use super::Housekeeping;
use super::problems::{
    BLOCK_CLEARED, BLOCK_OWNED_ELSEWHERE, CHECKLIST_INCOMPLETE, DISCREPANCY_RESOLVED, LINEN_LINE_EXISTS,
    LINEN_OUT_OF_STOCK, LINEN_TOO_MANY, LOST_ITEM_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE, NOTHING_TO_INSPECT,
    ONLY_UPWARDS, ROOM_ILLEGAL_TRANSITION, STAFF_NOT_ON_SHIFT, SUGGESTION_DECIDED, SUGGESTION_ROW_DECIDED,
    SUGGESTION_ROW_UNKNOWN, TASK_ILLEGAL_TRANSITION, TOO_MANY_PEOPLE,
};

const READERS: &[Role] = &[Housekeeper, Supervisor, PropertyManager, FrontDesk];
const LEADERS: &[Role] = &[Supervisor, PropertyManager];
const WORKERS: &[Role] = &[Housekeeper, Supervisor];
const STAFF: &[Role] = &[Housekeeper, Supervisor, PropertyManager];
/// Whoever may see something and say so: a guest in a room, a watch under a bed.
const WITNESSES: &[Role] = &[Housekeeper, Supervisor, FrontDesk];
const DESK: &[Role] = &[Supervisor, FrontDesk];
const DESK_AND_LEADERS: &[Role] = &[FrontDesk, Supervisor, PropertyManager];
const LIST_READERS: &[Role] = &[Housekeeper, Supervisor, PropertyManager, Admin];
const MANAGERS: &[Role] = &[PropertyManager, Admin];

/// Every route of this context, with who may use it.
pub fn routes(state: Housekeeping, gate: Gate) -> Served {
    let routes = Routes::new("housekeeping", "/housekeeping/v1", gate);
    let routes = block_routes(trouble_routes(routing_routes(task_routes(routes))));
    stock_routes(rooms_and_settings(routes)).finish(state)
}

fn task_routes(routes: Routes<Housekeeping>) -> Routes<Housekeeping> {
    routes
        .get("/tasks", READERS, tasks::list, "Tasks, in the order they were opened")
        .post("/tasks", LEADERS, tasks::create, "Open a task by hand; a room never seen before comes into being")
        .get("/tasks/{id}", READERS, tasks::show, "A task")
        .get("/tasks/{id}/history", READERS, tasks::history, "What happened to a task, oldest first")
        .post(
            "/tasks/{id}/assign",
            LEADERS,
            tasks::assign,
            about(
                "Give a task to somebody who is on shift; with `force` to anybody",
                &[TASK_ILLEGAL_TRANSITION, STAFF_NOT_ON_SHIFT],
            ),
        )
        .post(
            "/tasks/{id}/start",
            WORKERS,
            tasks::start,
            about(
                "Begin a task, and the room with it",
                &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE, ROOM_ILLEGAL_TRANSITION],
            ),
        )
        .post(
            "/tasks/{id}/pause",
            WORKERS,
            tasks::pause,
            about("Pause a task: a break, or something is missing", &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE]),
        )
        .post(
            "/tasks/{id}/resume",
            WORKERS,
            tasks::resume,
            about("Go on with a task", &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE, ROOM_ILLEGAL_TRANSITION]),
        )
        .post(
            "/tasks/{id}/complete",
            WORKERS,
            tasks::complete,
            about(
                "Report a task as done; every required item is checked",
                &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE, CHECKLIST_INCOMPLETE, ROOM_ILLEGAL_TRANSITION],
            ),
        )
        .post(
            "/tasks/{id}/fail",
            WORKERS,
            tasks::fail,
            about(
                "It could not be done: the same work is opened anew",
                &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE, ROOM_ILLEGAL_TRANSITION],
            ),
        )
        .post(
            "/tasks/{id}/cancel",
            LEADERS,
            tasks::cancel,
            about("Call a task off", &[TASK_ILLEGAL_TRANSITION, ROOM_ILLEGAL_TRANSITION]),
        )
        .post(
            "/tasks/{id}/helpers",
            LEADERS,
            helpers::add,
            about(
                "Let somebody who is on shift help whoever has a task; with `force` anybody",
                &[TASK_ILLEGAL_TRANSITION, STAFF_NOT_ON_SHIFT, TOO_MANY_PEOPLE],
            ),
        )
        .delete(
            "/tasks/{id}/helpers/{staffId}",
            LEADERS,
            helpers::remove,
            about("Somebody no longer helps with a task", &[TASK_ILLEGAL_TRANSITION]),
        )
        .patch(
            "/tasks/{id}/priority",
            DESK_AND_LEADERS,
            tasks::priority,
            about("Change how urgent a task is; the desk may only raise it", &[TASK_ILLEGAL_TRANSITION, ONLY_UPWARDS]),
        )
        .post(
            "/tasks/{id}/inspections",
            LEADERS,
            tasks::inspect,
            about("Inspect a cleaned room, or waive it", &[NOTHING_TO_INSPECT, ROOM_ILLEGAL_TRANSITION]),
        )
        .get("/tasks/{id}/inspections/{inspectionId}", READERS, tasks::show_inspection, "An inspection that was held")
}

/// What to do when it cannot go on as planned.
fn trouble_routes(routes: Routes<Housekeeping>) -> Routes<Housekeeping> {
    routes
        .post(
            "/tasks/{id}/maintenance-required",
            WORKERS,
            tasks::require_maintenance,
            about(
                "Report something broken: the task ends or waits, and maintenance is told",
                &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE, ROOM_ILLEGAL_TRANSITION],
            ),
        )
        .post(
            "/tasks/{id}/escalate",
            STAFF,
            tasks::escalate,
            about("Bring a task before somebody with more say", &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE]),
        )
        .post(
            "/tasks/{id}/attempt",
            WORKERS,
            tasks::attempt,
            about(
                "The guest let nobody in: the task waits and comes back; after three times the desk is told",
                &[TASK_ILLEGAL_TRANSITION, NOT_THE_ASSIGNEE],
            ),
        )
        .post(
            "/rooms/{roomId}/occupancy",
            WITNESSES,
            discrepancies::observe,
            "Say whether a room is occupied; where the desk has something else on record, it is asked to look",
        )
        .get(
            "/discrepancies",
            DESK_AND_LEADERS,
            discrepancies::list,
            "What was seen and is not on record, newest first",
        )
        .post(
            "/discrepancies/{id}/resolve",
            DESK_AND_LEADERS,
            discrepancies::resolve,
            about("Say what a discrepancy was", &[DISCREPANCY_RESOLVED]),
        )
}

fn block_routes(routes: Routes<Housekeeping>) -> Routes<Housekeeping> {
    routes
        .post(
            "/rooms/{roomId}/block",
            LEADERS,
            blocks::block,
            about("Block a room; for a repair, or out of sale, it is out of order", &[ROOM_ILLEGAL_TRANSITION]),
        )
        .get("/rooms/{roomId}/block/{blockId}", READERS, blocks::show, "A block of a room, over or not")
        .delete(
            "/rooms/{roomId}/block/{blockId}",
            LEADERS,
            blocks::unblock,
            about("Lift a block; after the last one the room must be cleaned", &[BLOCK_CLEARED, BLOCK_OWNED_ELSEWHERE]),
        )
}

fn routing_routes(routes: Routes<Housekeeping>) -> Routes<Housekeeping> {
    const DECISION: &[platform::http::ProblemKind] =
        &[SUGGESTION_DECIDED, SUGGESTION_ROW_DECIDED, SUGGESTION_ROW_UNKNOWN, TASK_ILLEGAL_TRANSITION];
    routes
        .get("/routing/suggestions", LEADERS, routing::list, "Suggested plans, newest first")
        .get("/routing/suggestions/{id}", LEADERS, routing::show, "A suggested plan, with its reasons")
        .post("/routing/suggest", LEADERS, routing::suggest, "Ask for a plan: who cleans what, and why")
        .post(
            "/routing/what-if",
            LEADERS,
            routing::what_if,
            about("What would come of giving a task to somebody", &[STAFF_NOT_ON_SHIFT]),
        )
        .post(
            "/routing/suggestions/{id}/approve",
            LEADERS,
            routing::approve,
            about("Approve a plan, whole or row by row", DECISION),
        )
        .post(
            "/routing/suggestions/{id}/reject",
            LEADERS,
            routing::reject,
            about("Reject a plan, whole or row by row", DECISION),
        )
}

fn rooms_and_settings(routes: Routes<Housekeeping>) -> Routes<Housekeeping> {
    routes
        .get("/rooms", READERS, rooms::list, "The rooms of a property")
        .get("/rooms/{roomId}", READERS, rooms::show, "A room, and how clean it is")
        .get("/rooms/{roomId}/history", READERS, rooms::history, "The flips of a room, newest first")
        .post(
            "/rooms/{roomId}/status",
            LEADERS,
            rooms::override_status,
            about("Set a room's status by hand", &[ROOM_ILLEGAL_TRANSITION]),
        )
        .get("/checklists", LIST_READERS, settings::checklists, "The checklists in force")
        .post("/checklists", MANAGERS, checklists::publish, "Put a new version of a checklist in force")
        .get("/checklists/{id}", LIST_READERS, checklists::show, "A checklist at one version, in force or not")
        .get("/board", READERS, board::show, "The board: rooms, open tasks, people, alerts, the waiting plan")
        .get("/board/stream", READERS, board::stream, "The board, live")
        .get(
            "/personal-data",
            MANAGERS,
            personal::export,
            "Everything that housekeeping keeps of a person, for that person",
        )
        .get("/settings", MANAGERS, settings::show, "How the hotel works")
        .put("/settings", MANAGERS, settings::put, "Change how the hotel works")
}

fn stock_routes(routes: Routes<Housekeeping>) -> Routes<Housekeeping> {
    const MOVES: &[platform::http::ProblemKind] = &[LINEN_OUT_OF_STOCK, LINEN_TOO_MANY];
    const STEPS: &[platform::http::ProblemKind] = &[LOST_ITEM_ILLEGAL_TRANSITION];
    routes
        .get(
            "/stats/turnover",
            LEADERS,
            stats::turnover,
            "How the work of a property goes: how much, how long, how well",
        )
        .get(
            "/stats/readiness",
            LEADERS,
            readiness::show,
            "How many rooms were in which status through a day, each quarter of an hour",
        )
        .post("/media", WITNESSES, media::keep, "Keep a photo (JPEG); the same photo again is the same one")
        .get("/media/{id}", READERS, media::show, "A photo")
        .get("/linen", STAFF, linen::list, "The linen of a property")
        .post("/linen", LEADERS, linen::open, about("Begin to count a kind of linen", &[LINEN_LINE_EXISTS]))
        .get("/linen/{lineId}", LEADERS, linen::show, "A kind of linen, and how much of it there is")
        .patch("/linen/{lineId}", LEADERS, linen::set_mark, "Fewer than this are too few from now on")
        .get(
            "/linen/{lineId}/movements",
            LEADERS,
            linen::movements,
            "What went out, came back and was counted anew, newest first",
        )
        .post("/linen/{lineId}/issue", WORKERS, linen::issue, about("Linen goes out", MOVES))
        .post("/linen/{lineId}/return", WORKERS, linen::give_back, about("Linen comes back", MOVES))
        .post(
            "/linen/{lineId}/adjust",
            WORKERS,
            linen::adjust,
            about("Linen was counted: by how much it differs", MOVES),
        )
        .get("/lost-and-found", WITNESSES, lost_and_found::list, "Things that were left behind, newest first")
        .post("/lost-and-found", WITNESSES, lost_and_found::record, "Record a thing that was found")
        .get("/lost-and-found/{id}", WITNESSES, lost_and_found::show, "A thing that was found")
        .post("/lost-and-found/{id}/match", DESK, lost_and_found::claim, about("Somebody claims it", STEPS))
        .post("/lost-and-found/{id}/return", DESK, lost_and_found::give_back, about("Its owner has it again", STEPS))
        .post("/lost-and-found/{id}/dispose", DESK, lost_and_found::dispose, about("Nobody came for it", STEPS))
}
