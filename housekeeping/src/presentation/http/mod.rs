//! REST of housekeeping: routes with their roles, handlers that translate.

mod board;
mod bodies;
mod rooms;
mod routing;
mod settings;
mod tasks;

use axum::Router;
use platform::auth::Role::{self, Admin, FrontDesk, Housekeeper, PropertyManager, Supervisor};
use platform::http::{Gate, RouteSpec, Routes};

use super::Housekeeping;

const READERS: &[Role] = &[Housekeeper, Supervisor, PropertyManager, FrontDesk];
const LEADERS: &[Role] = &[Supervisor, PropertyManager];
const WORKERS: &[Role] = &[Housekeeper, Supervisor];
const MANAGERS: &[Role] = &[PropertyManager, Admin];

/// Every route of this context, with who may use it.
pub fn routes(state: Housekeeping, gate: Gate) -> (Router, Vec<RouteSpec>) {
    Routes::new("/housekeeping/v1", gate)
        .get("/tasks", READERS, tasks::list)
        .post("/tasks", LEADERS, tasks::create)
        .get("/tasks/{id}", READERS, tasks::show)
        .get("/tasks/{id}/history", READERS, tasks::history)
        .post("/tasks/{id}/assign", LEADERS, tasks::assign)
        .post("/tasks/{id}/start", WORKERS, tasks::start)
        .post("/tasks/{id}/pause", WORKERS, tasks::pause)
        .post("/tasks/{id}/resume", WORKERS, tasks::resume)
        .post("/tasks/{id}/complete", WORKERS, tasks::complete)
        .post("/tasks/{id}/fail", WORKERS, tasks::fail)
        .post("/tasks/{id}/cancel", LEADERS, tasks::cancel)
        .patch("/tasks/{id}/priority", LEADERS, tasks::priority)
        .post("/tasks/{id}/inspections", LEADERS, tasks::inspect)
        .get("/rooms", READERS, rooms::list)
        .get("/rooms/{roomId}", READERS, rooms::show)
        .get("/rooms/{roomId}/history", READERS, rooms::history)
        .post("/rooms/{roomId}/status", LEADERS, rooms::override_status)
        .get("/checklists", LEADERS, settings::checklists)
        .get("/routing/suggestions", LEADERS, routing::list)
        .get("/routing/suggestions/{id}", LEADERS, routing::show)
        .post("/routing/suggest", LEADERS, routing::suggest)
        .post("/routing/what-if", LEADERS, routing::what_if)
        .post("/routing/suggestions/{id}/approve", LEADERS, routing::approve)
        .post("/routing/suggestions/{id}/reject", LEADERS, routing::reject)
        .get("/board", READERS, board::show)
        .get("/board/stream", READERS, board::stream)
        .get("/settings", MANAGERS, settings::show)
        .put("/settings", MANAGERS, settings::put)
        .finish(state)
}
