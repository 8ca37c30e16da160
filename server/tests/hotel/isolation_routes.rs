//! On no route does anybody reach what another tenant or another property has.

use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, TenantId};
use platform::auth::Role;
use serde_json::{Value, json};

use crate::lived_in::{Employed, Things, lived_in};
use crate::test_hotel::{Ask, Door, TestHotel};

/// A request for every route, about things of the first tenant.
#[expect(clippy::too_many_lines, reason = "one line for each route")]
fn about(route: &str, hotel: &TestHotel, things: &Things) -> (String, Value) {
    let id = match route.split('/').nth(3).unwrap_or_default() {
        "routing" => &things.suggestion,
        "discrepancies" => &things.discrepancy,
        "lost-and-found" => &things.lost_item,
        "checklists" => &things.checklist,
        "staff" => &things.employed.person,
        "positions" => &things.employed.position,
        "departments" => &things.employed.department,
        "shifts" if route.contains("swap-requests") => &things.employed.swap,
        "shifts" => &things.employed.shift,
        "leave" => &things.employed.leave,
        "certifications" => &things.employed.certification,
        "handoff-notes" => &things.employed.note,
        "shift-patterns" => &things.employed.pattern,
        "shift-suggestions" => &things.employed.suggestion,
        "clock" => &things.employed.punch,
        _ => &things.task,
    };
    let path = route
        .replace("{id}", id)
        .replace("{roomId}", things.room.id.as_str())
        .replace("{blockId}", &things.block)
        .replace("{inspectionId}", &things.inspection)
        .replace("{lineId}", &things.line)
        .replace("{staffId}", &things.employed.person)
        .replace("{assignmentId}", &things.employed.place);
    assert!(!path.contains('{'), "{route}: say what of the first tenant's to put in its place");
    let body = match route.rsplit('/').next().unwrap() {
        "assign" | "helpers" => json!({ "staffId": "stf_X", "force": true }),
        "pause" => json!({ "reason": "break" }),
        "complete" => json!({ "checklistResults": [], "noMaintenanceFound": true }),
        "fail" => json!({ "reason": "room_not_vacated" }),
        "cancel" | "terminate" => json!({ "reason": "no" }),
        "priority" => json!({ "priority": "low" }),
        "inspections" => json!({ "outcome": "pass" }),
        "status" => json!({ "status": "dirty" }),
        "maintenance-required" => {
            let issue = json!({ "category": "plumbing", "severity": "blocking", "description": "leak" });
            json!({ "issue": issue, "outcome": "convert_terminal" })
        }
        "escalate" => json!({ "to": { "role": "supervisor" }, "reason": "late" }),
        "attempt" => json!({ "reason": "declined" }),
        "block" => json!({ "reason": "oos" }),
        "occupancy" => json!({ "observed": "occupied" }),
        "resolve" => json!({ "resolution": "other" }),
        // Whoever names a room brings it into being as one of their own: another one, or they would have it too.
        "tasks" => json!({ "propertyId": hotel.property, "roomId": "rom_OF_THE_OTHERS", "kind": TaskKind::Turnover }),
        "staff" => json!({
            "givenName": "A", "familyName": "B", "homePropertyId": hotel.property, "positionId": things.employed.position,
            "employmentType": "casual", "employmentStartedAt": "2026-04-01",
        }),
        "position" => json!({ "positionId": things.employed.position }),
        "pin" => json!({ "pin": "748291" }),
        "shifts" => json!({
            "propertyId": hotel.property, "positionId": things.employed.position,
            "localWindow": { "date": "2026-04-22", "startLocal": "06:00", "endLocal": "14:00" },
        }),
        "assignments" => json!({ "staffId": things.employed.person }),
        "leave" => json!({ "type": "sick", "windowLocal": { "from": "2026-05-01", "to": "2026-05-02" } }),
        "decide" => json!({ "decision": "reject" }),
        "certifications" => json!({ "type": "first_aid", "issuedAt": "2026-04-01" }),
        "handoff-notes" => json!({ "propertyId": hotel.property, "body": "nothing" }),
        "shift-patterns" => json!({
            "propertyId": hotel.property, "positionId": things.employed.position, "name": "A", "startLocal": "06:00",
            "endLocal": "14:00", "daysOfWeek": ["mon"], "validFrom": "2026-04-01", "primaryHeadcount": 1,
        }),
        "generate" => json!({ "propertyId": hotel.property, "from": "2026-04-22", "to": "2026-04-22" }),
        "swap-requests" => {
            json!({ "leftAssignmentId": things.employed.place, "rightAssignmentId": things.employed.place })
        }
        "swap" => json!({ "leftAssignmentId": things.employed.place, "rightAssignmentId": things.employed.place }),
        "punches" => json!({ "kind": "in" }),
        "override" => json!({ "staffId": things.employed.person, "kind": "out", "at": hotel.now(), "reason": "no" }),
        "offline-replay" => json!({
            "deviceId": "dev_X", "sentAt": hotel.now(), "punches": [{ "clientPunchId": "1", "kind": "in", "at": hotel.now() }],
        }),
        "positions" => json!({ "name": "A", "departmentId": things.employed.department }),
        "departments" => json!({ "name": "A" }),
        "linen" => json!({ "propertyId": hotel.property, "line": "towels", "onHand": 3 }),
        "lost-and-found" => {
            json!({ "propertyId": hotel.property, "roomId": "rom_OF_THE_OTHERS", "description": "a hat" })
        }
        "issue" | "return" | "adjust" => json!({ "count": 1 }),
        "{lineId}" => json!({ "lowWatermark": 1 }),
        "checklists" => {
            json!({ "kind": "turnover", "items": [{ "key": "bed", "labelI18n": { "en": "Bed" }, "required": true }] })
        }
        "match" => json!({ "claimantName": "Somebody" }),
        "webhooks" => json!({ "url": "https://example.com/theirs" }),
        "replay" => json!({ "since": hotel.now() }),
        "dispose" => json!({ "method": "trashed" }),
        "suggest" => json!({ "propertyId": hotel.property }),
        "what-if" => json!({ "propertyId": hotel.property, "taskId": things.task, "staffId": "stf_X" }),
        _ => json!({}),
    };
    let query = match route {
        "/housekeeping/v1/tasks"
        | "/housekeeping/v1/rooms"
        | "/housekeeping/v1/board"
        | "/housekeeping/v1/discrepancies"
        | "/housekeeping/v1/linen"
        | "/housekeeping/v1/stats/turnover"
        | "/housekeeping/v1/stats/readiness"
        | "/housekeeping/v1/media"
        | "/housekeeping/v1/lost-and-found"
        | "/housekeeping/v1/routing/suggestions"
        | "/staff/v1/staff"
        | "/staff/v1/shifts"
        | "/staff/v1/clock/entries"
        | "/staff/v1/on-now"
        | "/staff/v1/leave"
        | "/staff/v1/certifications"
        | "/staff/v1/handoff-notes"
        | "/staff/v1/shift-patterns"
        | "/staff/v1/shifts/swap-requests"
        | "/staff/v1/shift-suggestions"
        | "/staff/v1/roster" => {
            format!("?propertyId={}", hotel.property)
        }
        "/staff/v1/timesheets" | "/staff/v1/timesheets/export" => {
            format!("?propertyId={}&from=2026-04-01&to=2026-04-30", hotel.property)
        }
        "/staff/v1/me/shifts" | "/staff/v1/me/timesheet" => "?from=2026-04-01&to=2026-04-30".to_owned(),
        _ => String::new(),
    };
    (format!("{path}{query}"), body)
}

#[tokio::test]
async fn on_every_route_another_tenants_things_are_not_there() {
    let (hotel, things) = lived_in().await;
    let before = hotel.count("housekeeping.audit_events").await;
    let other: TenantId = hotel.next();
    let unknown = Things {
        room: Door { id: hotel.next(), ..things.room.clone() },
        task: hotel.next::<contracts::ids::TaskId>().as_str().to_owned(),
        suggestion: hotel.next::<contracts::ids::SuggestionId>().as_str().to_owned(),
        block: hotel.next::<contracts::ids::BlockId>().as_str().to_owned(),
        inspection: hotel.next::<contracts::ids::InspectionId>().as_str().to_owned(),
        discrepancy: hotel.next::<contracts::ids::DiscrepancyId>().as_str().to_owned(),
        line: hotel.next::<contracts::ids::LinenLineId>().as_str().to_owned(),
        lost_item: hotel.next::<contracts::ids::LostItemId>().as_str().to_owned(),
        checklist: hotel.next::<contracts::ids::ChecklistId>().as_str().to_owned(),
        employed: Employed {
            person: "stf_NOBODY".to_owned(),
            position: "pos_NONE".to_owned(),
            department: "dpt_NONE".to_owned(),
            shift: "shf_NONE".to_owned(),
            place: "sha_NONE".to_owned(),
            punch: "clk_NONE".to_owned(),
            leave: "lvr_NONE".to_owned(),
            certification: "crt_NONE".to_owned(),
            note: "hno_NONE".to_owned(),
            pattern: "shp_NONE".to_owned(),
            swap: "swp_NONE".to_owned(),
            suggestion: "sug_NONE".to_owned(),
        },
    };
    // The desk's routes have a test of their own: see `reservation_isolation`.
    let routes = hotel.app.routes.iter().filter(|route| route.context != "reservation" && !route.roles.is_empty());
    for (at, route) in routes.enumerate() {
        let (path, body) = about(&route.path, &hotel, &things);
        if route.path.ends_with("/stream") {
            continue; // never ends: see `live_board`
        }
        let token = hotel.token_of_tenant(route.roles[0], &other);
        let ask = |path: String| {
            let ask = Ask::new(route.method.clone(), path).by(&token).key(&format!("key-{at}"));
            if route.method == axum::http::Method::GET { ask } else { ask.json(&body) }
        };
        let answer = hotel.ask(ask(path.clone())).await;
        if route.path.contains('{') {
            answer.refused(404, &format!("MELMASTOON.{}.NOT_FOUND", route.context.to_uppercase()));
            // The same words as for a thing that does not exist at all.
            let (nowhere, _) = about(&route.path, &hotel, &unknown);
            let absent = hotel.ask(ask(nowhere).key("another")).await;
            assert_eq!((answer.status, answer.detail()), (absent.status, absent.detail()), "{path}");
        } else {
            for secret in [
                &things.task,
                &things.suggestion,
                &things.block,
                &things.discrepancy,
                &things.line,
                &things.lost_item,
                &things.employed.person,
                "a watch",
                "\"101\"",
                "de-CH",
                "stf_SUPERVISOR",
            ] {
                assert!(!answer.text.contains(secret), "{} tells {secret}: {}", route.path, answer.text);
            }
        }
    }
    assert_eq!(hotel.count(&format!("housekeeping.audit_events WHERE tenant_id = '{}'", hotel.tenant)).await, before);
}

#[tokio::test]
async fn on_every_route_a_token_for_another_property_finds_nothing() {
    let (hotel, things) = lived_in().await;
    let before = hotel.count("housekeeping.audit_events").await;
    let elsewhere: PropertyId = hotel.next();
    // What is the tenant's or the caller's own, and no property's.
    let tenants = ["/settings", "/checklists", "/positions", "/departments", "/me/"];
    let routes = hotel.app.routes.iter().filter(|route| route.context != "reservation" && !route.roles.is_empty());
    let routes = routes.filter(|route| !tenants.iter().any(|word| route.path.contains(word)));
    for route in routes {
        let (path, body) = about(&route.path, &hotel, &things);
        let path = if route.path.ends_with("/stream") { format!("{path}?propertyId={}", hotel.property) } else { path };
        if route.path.starts_with("/events") {
            continue; // the feed is the tenant's
        }
        let token = hotel.token_for_property(route.roles[0], &elsewhere);
        if route.path.ends_with("/personal-data") {
            let asked = format!("{path}?staffId={}", things.employed.person);
            assert_eq!(hotel.get(&token, &asked).await.done()["records"], json!([]), "nothing of it is in that house");
            continue;
        }
        let ask = Ask::new(route.method.clone(), path).by(&token);
        let ask = if route.method == axum::http::Method::GET { ask } else { ask.json(&body) };
        let answer = hotel.ask(ask).await;
        assert!(
            matches!(answer.status, 403 | 404) || answer.code() == "MELMASTOON.STAFF.REFERENCE_UNKNOWN",
            "{} {}: {} {}",
            route.method,
            route.path,
            answer.status,
            answer.text
        );
        assert!(!answer.text.contains("\"101\""));
    }
    let audited = "housekeeping.audit_events WHERE subject <> 'internal.person.exported'";
    assert_eq!(
        hotel.count(audited).await,
        before,
        "that somebody asked for all of a person is on record, and nothing else"
    );
    let all = hotel.get(&hotel.token_for_property(Role::Supervisor, &elsewhere), "/housekeeping/v1/tasks").await.done();
    assert_eq!(all["items"], json!([]), "without a property the list is about those of the token");
}
