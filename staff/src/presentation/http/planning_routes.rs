//! Routes of leave, papers, notes, patterns, wishes and suggestions, with their roles.

use platform::http::{Routes, about};

use super::{ANY, LEADERS, MANAGERS, PEOPLE, PLANNERS};
use super::{certifications, handoffs, leave, patterns, suggestions, swap_requests};
use crate::presentation::Staff;
use crate::presentation::problems::{
    ALREADY_ASSIGNED, ASSIGNMENT_OVERLAP, CERTIFICATION_ILLEGAL_TRANSITION, CERTIFICATION_MISSING,
    LEAVE_ILLEGAL_TRANSITION, LEAVE_OVERLAP, NO_PROPERTY_ACCESS, NOT_SELF, PROPERTY_INACTIVE, REFERENCE_UNKNOWN,
    SELF_DECISION, SHIFT_ILLEGAL_TRANSITION, STAFF_NOT_ACTIVE, STAFF_ON_LEAVE, SUGGESTION_DECIDED,
    SUGGESTION_ROW_DECIDED, SUGGESTION_ROW_UNKNOWN, SWAP_ILLEGAL_TRANSITION, SWAP_IMPOSSIBLE,
};

pub(super) fn planning_routes(routes: Routes<Staff>) -> Routes<Staff> {
    suggestion_routes(swap_routes(pattern_routes(handoff_routes(certification_routes(leave_routes(routes))))))
}

fn leave_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/leave", PEOPLE, leave::list, about("Requests for leave, newest first", &[NOT_SELF]))
        .post(
            "/leave",
            PEOPLE,
            leave::submit,
            about("Ask for leave", &[NOT_SELF, STAFF_NOT_ACTIVE, LEAVE_OVERLAP, REFERENCE_UNKNOWN]),
        )
        .get("/leave/{id}", PEOPLE, leave::show, "A request for leave, and the places it is in the way of")
        .post(
            "/leave/{id}/decide",
            LEADERS,
            leave::decide,
            about(
                "Approve or reject; places on shifts of those days are free then",
                &[LEAVE_ILLEGAL_TRANSITION, SELF_DECISION, SHIFT_ILLEGAL_TRANSITION],
            ),
        )
        .post(
            "/leave/{id}/cancel",
            PEOPLE,
            leave::cancel,
            about("Give leave back; approved leave of one's own before its first day", &[LEAVE_ILLEGAL_TRANSITION]),
        )
}

fn certification_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .post(
            "/staff/{id}/certifications",
            MANAGERS,
            certifications::add,
            about("Put a certificate on record; an older one of its kind holds no more", &[STAFF_NOT_ACTIVE]),
        )
        .get(
            "/certifications",
            PEOPLE,
            certifications::list,
            about("Certificates, newest first; with `expiringBefore` those that soon run out", &[NOT_SELF]),
        )
        .post(
            "/certifications/{id}/revoke",
            MANAGERS,
            certifications::revoke,
            about("Take a certificate back", &[CERTIFICATION_ILLEGAL_TRANSITION]),
        )
}

fn handoff_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/handoff-notes", ANY, handoffs::list, "Notes from one shift to the next, newest first")
        .post(
            "/handoff-notes",
            ANY,
            handoffs::write,
            about("Tell the next shift", &[STAFF_NOT_ACTIVE, REFERENCE_UNKNOWN]),
        )
        .get("/handoff-notes/{id}", ANY, handoffs::show, "A note, whole, and who has read it")
        .post(
            "/handoff-notes/{id}/acknowledge",
            ANY,
            handoffs::acknowledge,
            about("Say that one has read it", &[STAFF_NOT_ACTIVE]),
        )
}

fn pattern_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/shift-patterns", LEADERS, patterns::list, "Patterns that shifts are made of")
        .post(
            "/shift-patterns",
            LEADERS,
            patterns::add,
            about("Add a pattern", &[REFERENCE_UNKNOWN, PROPERTY_INACTIVE]),
        )
        .get("/shift-patterns/{id}", LEADERS, patterns::show, "A pattern")
        .patch(
            "/shift-patterns/{id}",
            LEADERS,
            patterns::change,
            about(
                "Change a pattern, or put it out of use; shifts made of it stay",
                &[REFERENCE_UNKNOWN, PROPERTY_INACTIVE],
            ),
        )
        .post(
            "/shifts/generate",
            PLANNERS,
            patterns::generate,
            about("Make the shifts of some days; what is there already stays", &[REFERENCE_UNKNOWN, PROPERTY_INACTIVE]),
        )
}

fn swap_routes(routes: Routes<Staff>) -> Routes<Staff> {
    routes
        .get("/shifts/swap-requests", PEOPLE, swap_requests::list, about("Wishes to change places", &[NOT_SELF]))
        .post(
            "/shifts/swap-requests",
            PEOPLE,
            swap_requests::propose,
            about("Ask somebody to change places", &[NOT_SELF, SWAP_IMPOSSIBLE, REFERENCE_UNKNOWN]),
        )
        .get("/shifts/swap-requests/{id}", PEOPLE, swap_requests::show, "A wish to change places")
        .post(
            "/shifts/swap-requests/{id}/accept",
            PEOPLE,
            swap_requests::accept,
            about("Agree to change places; the other person", &[NOT_SELF, SWAP_ILLEGAL_TRANSITION, SWAP_IMPOSSIBLE]),
        )
        .post(
            "/shifts/swap-requests/{id}/decline",
            PEOPLE,
            swap_requests::decline,
            about("Say no; the other person or whoever leads", &[NOT_SELF, SWAP_ILLEGAL_TRANSITION, SWAP_IMPOSSIBLE]),
        )
        .post(
            "/shifts/swap-requests/{id}/withdraw",
            PEOPLE,
            swap_requests::withdraw,
            about("Not want it any more; whoever asked", &[NOT_SELF, SWAP_ILLEGAL_TRANSITION, SWAP_IMPOSSIBLE]),
        )
        .post(
            "/shifts/swap-requests/{id}/approve",
            LEADERS,
            swap_requests::approve,
            about(
                "Let the two change places, by the rules of every swap",
                &[
                    NOT_SELF,
                    SWAP_ILLEGAL_TRANSITION,
                    SWAP_IMPOSSIBLE,
                    SHIFT_ILLEGAL_TRANSITION,
                    STAFF_NOT_ACTIVE,
                    NO_PROPERTY_ACCESS,
                    ALREADY_ASSIGNED,
                    STAFF_ON_LEAVE,
                    ASSIGNMENT_OVERLAP,
                    CERTIFICATION_MISSING,
                ],
            ),
        )
}

fn suggestion_routes(routes: Routes<Staff>) -> Routes<Staff> {
    let refusals = &[SUGGESTION_DECIDED, SUGGESTION_ROW_DECIDED, SUGGESTION_ROW_UNKNOWN];
    routes
        .get("/shift-suggestions", LEADERS, suggestions::list, "What a program proposes, newest first")
        .get("/shift-suggestions/{id}", LEADERS, suggestions::show, "A suggestion, row by row")
        .post(
            "/shift-suggestions/{id}/approve",
            LEADERS,
            suggestions::approve,
            about("Do what the rows say, as far as it can be done", refusals),
        )
        .post("/shift-suggestions/{id}/reject", LEADERS, suggestions::reject, about("Leave the rows undone", refusals))
}
