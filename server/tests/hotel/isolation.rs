//! No tenant reads, writes or learns the existence of another tenant's rows: by table, by route, by catalogue.

use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, TenantId, UserId};
use platform::auth::Role;
use platform::database::{DbRole, connect, leaks};
use serde_json::{Value, json};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::test_hotel::{Ask, Door, Happening, TestHotel, text};

/// Every table of ours that is no partition.
async fn tables(client: &Client) -> Vec<String> {
    let sql =
        "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1";
    let schemas: Vec<&str> = server::contexts::schemas();
    client.query(sql, &[&schemas]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

/// What no tenant owns: how the database came to be as it is, who listens to what, and what is due when.
fn is_nobodys(table: &str) -> bool {
    table.ends_with(".schema_history")
        || table == "bus.subscriptions"
        || table == "bus.ticks"
        || table == "bus.set_aside"
        || table == "bus.retention_runs"
}

/// Rows touched, or `None` where the role may not even try.
fn outcome(result: Result<u64, tokio_postgres::Error>, what: &str) -> Option<u64> {
    match result {
        Ok(rows) => Some(rows),
        Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => None,
        Err(error) => panic!("{what}: {error:?}"),
    }
}

/// Things of the first tenant.
struct Things {
    room: Door,
    task: String,
    suggestion: String,
    block: String,
    discrepancy: String,
    line: String,
    lost_item: String,
    checklist: String,
    employed: Employed,
}

/// What of staff the first tenant has.
struct Employed {
    person: String,
    position: String,
    department: String,
    shift: String,
    place: String,
    punch: String,
    leave: String,
    certification: String,
    note: String,
    pattern: String,
    swap: String,
    suggestion: String,
}

/// Something in every table of staff.
async fn employed(hotel: &TestHotel) -> Employed {
    let ask = Ask::post("/staff/v1/staff").by(&hotel.manager()).key("one");
    let person = hotel.ask(ask.json(&hotel.application_of("Zarmina").await)).await.done();
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "locale": "de-CH" })).await.done();
    for staff in [&person["staffId"], &json!("stf_NOBODY")] {
        let registered = json!({ "tenantId": hotel.tenant, "userId": hotel.next::<UserId>(), "staffId": staff });
        hotel.deliver(&hotel.happening("iam.user.registered.v1", &registered)).await;
    }
    let (id, shift) = (text(&person["staffId"]), hotel.shift("07:00", "15:00").await);
    hotel.clock.advance_seconds(20 * 60);
    hotel.shift("11:00", "19:00").await;
    staff::application::timers::auto_close_shifts(hotel.app.db.clone()).await.unwrap();
    let closed = json!({ "tenantId": hotel.tenant, "propertyId": "prp_CLOSED", "deactivatedAt": hotel.now() });
    hotel.deliver(&hotel.happening("property.deactivated.v1", &closed)).await;
    let known = hotel.with_pin("Nasrin", "748291").await;
    hotel.sign_in(&known.code, "748291").await.done();
    hotel
        .post(&hotel.manager(), &format!("/staff/v1/staff/{}/pin", known.staff), json!({ "pin": "564738" }))
        .await
        .done();
    hotel.sign_in(&known.code, "748291").await.refused(401, "MELMASTOON.STAFF.PIN_REFUSED");
    let place = text(&hotel.place(&shift, &id).await.done()["assignmentId"]);
    let punch = text(&hotel.punch_clock(&id, "in").await.done()["clockEntryId"]);
    let earlier = json!({ "clockEntryId": punch, "at": "2026-04-22T03:00:00Z", "reason": "forgot" });
    hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", earlier).await.done();
    let (position, department) = (text(&person["positionId"]), text(&person["departmentId"]));
    let planned = hotel.planned_things(&id, &shift, &place).await;
    let [leave, certification, note, pattern, swap, suggestion] = planned;
    Employed {
        person: id,
        position,
        department,
        shift,
        place,
        punch,
        leave,
        certification,
        note,
        pattern,
        swap,
        suggestion,
    }
}

/// A hotel in which something is in every table.
async fn lived_in() -> (TestHotel, Things) {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    hotel.deliver(&hotel.staff_created(&gulalai)).await;
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room])).await;
    hotel.deliver(&hotel.check_in_started(&hotel.next(), &[&room])).await;
    let verdict = json!({ "outcome": "fail", "reason": "dust" });
    hotel.command(&hotel.supervisor(), &task, "inspections", verdict).await.done();
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "locale": "de-CH" })).await.done();
    let priority = Ask::new(
        axum::http::Method::PATCH,
        format!("/housekeeping/v1/tasks/{}/priority", hotel.open_task(&room).await),
    );
    hotel.ask(priority.by(&hotel.supervisor()).key("one").json(&json!({ "priority": "urgent" }))).await.done();
    hotel.deliver(&hotel.checked_out(&room).with("/payload/checkedOutAt", json!("yesterday"))).await;
    let suggestion = text(&hotel.suggest().await.done()["id"]);
    let employed = employed(&hotel).await;
    hotel.deliver(&hotel.no_show(&hotel.next())).await;
    hotel.deliver(&hotel.work_order_opened("wo-1", &room, Some("minor"))).await;
    let block = text(&hotel.block(&room, json!({ "reason": "cleaning" })).await.done()["id"]);
    let seen = hotel.observe(&room, "vacant").await.done();
    let discrepancy = text(&seen["discrepancy"]["id"]);
    let line = hotel.linen("sheets", 9, 10).await;
    let lost_item = hotel.found(&room, "a watch").await;
    hotel.deliver(&hotel.clocked_in(None, &gulalai)).await;
    hotel.deliver(&hotel.shift_ended(&hotel.next(), &gulalai)).await;
    hotel.board().await;
    let photos = format!("/housekeeping/v1/media?propertyId={}", hotel.property);
    let photo = [0xff, 0xd8, 0xff, 0xe0, 0x00];
    hotel.ask(Ask::post(photos).by(&hotel.front_desk()).body("image/jpeg", photo)).await.done();
    let lists = hotel.get(&hotel.supervisor(), "/housekeeping/v1/checklists").await.done();
    let checklist = text(&lists["items"][0]["id"]);
    crate::days::at_the_desk(&hotel).await;
    let nonsense =
        hotel.captured(&json!({ "reservationId": "rsv_X" }), "pyi_X", "1").with("/payload/amountMicro", json!(true));
    hotel.deliver(&nonsense).await;
    let (kind, doors) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&kind, "2026-06-01", "2026-06-02")).await;
    hotel.deliver(&hotel.captured(&stay, "pyi_1", "100000000")).await;
    let next = Ask::post("/reservation/v1/reservations").by(&hotel.desk()).key("one");
    hotel.ask(next.json(&hotel.booking(&kind, "2026-07-01", "2026-07-02"))).await.done();
    hotel.deliver(&hotel.taken_out_of_order(&doors[0])).await;
    let elsewhere = json!({ "tenantId": hotel.tenant, "propertyId": hotel.next::<PropertyId>() });
    hotel.deliver(&hotel.happening("property.deactivated.v1", &elsewhere)).await;
    hotel.drain().await;
    let waiting = "INSERT INTO bus.deliveries (subscription, log_offset, tenant_id, ordering_key, next_attempt_at)
                   SELECT 'somebody', log_offset, tenant_id, ordering_key, now() FROM bus.event_log LIMIT 1";
    hotel.behind.execute(waiting, &[]).await.unwrap();
    let url = json!({ "url": "https://example.com/hook" });
    hotel.post(&hotel.token(Role::Admin, None), "/events/v1/webhooks", url).await.done();
    let told = "INSERT INTO bus.webhook_deliveries (endpoint_id, log_offset, tenant_id, event_id, subject, ordering_key, next_attempt_at)
                SELECT e.id, l.log_offset, e.tenant_id, l.event_id, l.subject, l.ordering_key, now()
                FROM bus.event_log l JOIN bus.webhook_endpoints e USING (tenant_id) LIMIT 1";
    hotel.behind.execute(told, &[]).await.unwrap();
    let archived = "INSERT INTO bus.archives (context, table_name, tenant_id, month, part, path, rows, bytes, sha256, values_sha256, row_sum, state, written_at)
                    VALUES ('housekeeping', 'inspections', $1, '2020-01-01', 1, 'a', 1, 1, '', '', 0, 'removed', now())";
    hotel.behind.execute(archived, &[&hotel.tenant.as_str()]).await.unwrap();
    (hotel, Things { room, task, suggestion, block, discrepancy, line, lost_item, checklist, employed })
}

#[tokio::test]
async fn in_every_table_another_tenant_sees_changes_and_removes_nothing() {
    let (hotel, ..) = lived_in().await;
    let other: TenantId = hotel.next();
    let strangers =
        [("another tenant", hotel.as_application(Some(&other)).await), ("no tenant", hotel.as_application(None).await)];
    for table in tables(&hotel.behind).await {
        if is_nobodys(&table) {
            continue; // see below
        }
        let sql = format!("SELECT to_jsonb(t)::TEXT FROM {table} t WHERE tenant_id = '{}' LIMIT 1", hotel.tenant);
        let row = hotel.behind.query_opt(&sql, &[]).await.unwrap();
        let row: String = row.unwrap_or_else(|| panic!("{table} is empty: let `lived_in` put something there")).get(0);
        // What the database makes itself cannot be written.
        let sql = "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                   WHERE attrelid = $1::TEXT::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''";
        let columns: String = hotel.behind.query_one(sql, &[&table]).await.unwrap().get(0);
        for (who, stranger) in &strangers {
            let what = format!("{table} as {who}");
            // What they tried here may have left something of their own.
            let select = format!("SELECT * FROM {table} WHERE tenant_id <> '{other}'");
            let select = stranger.query(&select, &[]).await.map(|rows| rows.len() as u64);
            assert!(outcome(select, &what).unwrap_or(0) == 0, "SELECT on {what}");
            let update = stranger.execute(&format!("UPDATE {table} SET tenant_id = tenant_id"), &[]).await;
            assert!(outcome(update, &what).unwrap_or(0) == 0, "UPDATE on {what}");
            let delete = stranger.execute(&format!("DELETE FROM {table}"), &[]).await;
            assert!(outcome(delete, &what).unwrap_or(0) == 0, "DELETE on {what}");
            // A row for the first tenant, written by somebody else.
            let insert = format!(
                "INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE
                 SELECT {columns} FROM jsonb_populate_record(NULL::{table}, $1::TEXT::JSONB)"
            );
            let insert = stranger.execute(&insert, &[&row]).await;
            assert!(outcome(insert, &what).is_none(), "INSERT into {what}");
        }
        let left = hotel.count(&format!("{table} WHERE tenant_id = '{}'", hotel.tenant)).await;
        assert!(left > 0, "{table}");
    }
}

#[tokio::test]
async fn the_application_sees_its_tenants_rows_in_the_tables_it_works_with() {
    let (hotel, ..) = lived_in().await;
    let own = hotel.as_application(Some(&hotel.tenant)).await;
    for table in tables(&hotel.behind).await {
        let select = own.query(&format!("SELECT * FROM {table}"), &[]).await.map(|rows| rows.len() as u64);
        let closed = ["bus.archives", "bus.deliveries"].contains(&table.as_str()) || is_nobodys(&table);
        assert_eq!(outcome(select, &table).is_none(), closed, "{table}");
    }
}

#[tokio::test]
async fn the_relay_reads_outboxes_and_the_bus_and_the_operator_dead_letters() {
    let (hotel, ..) = lived_in().await;
    // The operator also removes what has been kept long enough; by the server's clock all of this is. See `upkeep`.
    let roles = [
        (
            DbRole::Relay,
            vec![
                "bus.deliveries",
                "bus.event_log",
                "bus.subscriptions",
                "bus.webhook_deliveries",
                "bus.webhook_endpoints",
                "housekeeping.outbox",
                "reservation.outbox",
                "staff.outbox",
            ],
        ),
        (
            DbRole::Operator,
            vec!["bus.archives", "housekeeping.dead_letters", "reservation.dead_letters", "staff.dead_letters"],
        ),
    ];
    for (role, seen) in roles {
        let client = hotel.app.db.connect_as(role).await.unwrap();
        for table in tables(&hotel.behind).await {
            let rows = client.query(&format!("SELECT * FROM {table}"), &[]).await.map(|rows| rows.len() as u64);
            let rows = outcome(rows, &table).unwrap_or(0);
            assert_eq!(rows > 0, seen.contains(&table.as_str()), "{role:?} sees {rows} rows of {table}");
        }
    }
}

#[tokio::test]
async fn a_partition_asked_for_by_its_own_name_shows_nothing() {
    let (hotel, ..) = lived_in().await;
    let partition = "housekeeping.housekeeping_tasks_2026_04";
    assert!(hotel.count(partition).await > 0);
    let own = hotel.as_application(Some(&hotel.tenant)).await;
    let refused = own.query(&format!("SELECT * FROM {partition}"), &[]).await.expect_err("no grant");
    assert_eq!(refused.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
    // And if somebody granted it one day, the policy would still hold.
    hotel.behind.batch_execute(&format!("GRANT SELECT ON {partition} TO melmastoon_app")).await.unwrap();
    let other = hotel.as_application(Some(&hotel.next())).await;
    assert!(other.query(&format!("SELECT * FROM {partition}"), &[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_connection_that_was_used_for_one_tenant_carries_nothing_to_the_next() {
    let (hotel, Things { room, .. }) = lived_in().await;
    let other: TenantId = hotel.next();
    let path = format!("/housekeeping/v1/rooms/{}", room.id);
    for _ in 0..20 {
        assert_eq!(hotel.get(&hotel.supervisor(), &path).await.status, 200);
        assert_eq!(hotel.get(&hotel.token_of_tenant(Role::Supervisor, &other), &path).await.status, 404);
    }
    let role = hotel.as_application(None).await;
    role.batch_execute("BEGIN; SELECT set_config('app.tenant_id', 'tnt_A', true); COMMIT; RESET ROLE").await.unwrap();
    let row = role.query_one("SELECT current_user::TEXT, housekeeping.current_tenant_id()", &[]).await.unwrap();
    assert_eq!(
        (row.get(0), row.get(1)),
        ("melmastoon_app".to_owned(), None::<String>),
        "RESET ROLE leads nowhere else"
    );
}

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
    assert_eq!(hotel.count("housekeeping.audit_events").await, before);
    let all = hotel.get(&hotel.token_for_property(Role::Supervisor, &elsewhere), "/housekeeping/v1/tasks").await.done();
    assert_eq!(all["items"], json!([]), "without a property the list is about those of the token");
}

/// The same departure as another tenant tells it, under the same event id.
fn told_by(hotel: &TestHotel, departure: &Happening, tenant: &TenantId, room: &str) -> Ask {
    let told = departure.clone().with("/tenantId", json!(tenant)).with("/payload/tenantId", json!(tenant));
    let told = told.with("/payload/rooms/0/roomId", json!(room));
    let ask = hotel.wrapped(&told.subject, told.envelope.to_string().as_bytes());
    Ask { headers: vec![], ..ask }.by(&hotel.token_of_tenant(Role::Service, tenant))
}

#[tokio::test]
async fn two_hotels_that_count_their_events_alike_both_have_their_guests_check_out() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (first, other): (_, TenantId) = (hotel.checked_out(&room).with("/id", json!("evt_1")), hotel.next());
    hotel.deliver(&first).await;
    for _ in 0..2 {
        assert_eq!(hotel.ask(told_by(&hotel, &first, &other, "rom_THEIRS")).await.status, 204);
        hotel.deliver(&first).await;
    }
    let tasks = |tenant: &TenantId| format!("housekeeping.housekeeping_tasks WHERE tenant_id = '{tenant}'");
    assert_eq!(hotel.count(&tasks(&hotel.tenant)).await, 1, "once, however often it is told");
    assert_eq!(hotel.count(&tasks(&other)).await, 1, "and the other hotel's once as well");
    assert_eq!(hotel.count("housekeeping.inbox").await, 2);
}

#[tokio::test]
async fn what_the_inbox_knew_before_it_told_tenants_apart_it_still_knows_for_that_tenant_alone() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (first, other): (_, TenantId) = (hotel.checked_out(&room).with("/id", json!("evt_1")), hotel.next());
    let known =
        "INSERT INTO housekeeping.inbox (topic, message_id, tenant_id, received_at) VALUES ($1, 'evt_1', $2, now())";
    hotel.behind.execute(known, &[&first.subject, &hotel.tenant.as_str()]).await.unwrap();
    hotel.deliver(&first).await;
    assert!(hotel.tasks(&room).await.is_empty(), "it was applied by an earlier release");
    assert_eq!(hotel.ask(told_by(&hotel, &first, &other, "rom_THEIRS")).await.status, 204);
    assert_eq!(hotel.count("housekeeping.housekeeping_tasks").await, 1, "of the other hotel nothing was known");
}

#[tokio::test]
async fn the_catalogue_shows_no_leak() {
    let hotel = TestHotel::open().await;
    assert_eq!(leaks(&hotel.behind, &server::contexts::schemas()).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn the_catalogue_reports_every_kind_of_leak() {
    let made = [
        ("CREATE TABLE housekeeping.bare (tenant_id TEXT)", "bare"),
        ("CREATE TABLE housekeeping.unforced (tenant_id TEXT); ALTER TABLE housekeeping.unforced ENABLE ROW LEVEL SECURITY;
          CREATE POLICY p ON housekeeping.unforced USING (true)", "unforced"),
        ("CREATE TABLE housekeeping.no_policy (tenant_id TEXT); ALTER TABLE housekeeping.no_policy ENABLE ROW LEVEL SECURITY;
          ALTER TABLE housekeeping.no_policy FORCE ROW LEVEL SECURITY", "no_policy"),
        ("CREATE VIEW housekeeping.definer AS SELECT * FROM housekeeping.rooms", "definer"),
        ("CREATE MATERIALIZED VIEW housekeeping.snapshot AS SELECT * FROM housekeeping.rooms", "snapshot"),
        ("GRANT SELECT ON housekeeping.housekeeping_tasks_2026_04 TO melmastoon_app", "housekeeping_tasks_2026_04"),
        ("CREATE FUNCTION housekeeping.open_to_all() RETURNS BIGINT LANGUAGE SQL SECURITY DEFINER SET search_path = pg_catalog
          AS 'SELECT count(*) FROM housekeeping.rooms'", "open_to_all"),
        ("CREATE FUNCTION housekeeping.lost() RETURNS BIGINT LANGUAGE SQL SECURITY DEFINER AS 'SELECT count(*) FROM housekeeping.rooms';
          REVOKE ALL ON FUNCTION housekeeping.lost() FROM PUBLIC", "lost"),
        ("GRANT EXECUTE ON FUNCTION housekeeping.tenants_short_of_people(TIMESTAMPTZ) TO melmastoon_app", "tenants_short_of_people"),
        ("GRANT USAGE ON SCHEMA housekeeping TO PUBLIC", "PUBLIC"),
        ("RESET ROLE; ALTER TABLE housekeeping.rooms OWNER TO melmastoon", "housekeeping.rooms"),
    ];
    let database = crate::test_hotel::new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    for (sql, name) in made {
        client.batch_execute(&format!("BEGIN; SET LOCAL ROLE melmastoon_owner; {sql}")).await.unwrap();
        let found = leaks(&client, &server::contexts::schemas()).await.unwrap();
        client.batch_execute("ROLLBACK").await.unwrap();
        assert!(found.iter().any(|leak| leak.contains(name)), "{name} is not reported: {found:?}");
    }
}

#[tokio::test]
async fn everything_a_tenant_has_names_the_tenant() {
    let hotel = TestHotel::open().await;
    for table in tables(&hotel.behind).await {
        let sql = "SELECT count(*) FROM pg_attribute WHERE attrelid = $1::TEXT::regclass AND attname = 'tenant_id' AND attnotnull";
        let has: i64 = hotel.behind.query_one(sql, &[&table]).await.unwrap().get(0);
        assert!(has == 1 || is_nobodys(&table), "{table} has no tenant_id");
    }
}
