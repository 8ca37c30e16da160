//! A hotel in which something is in every table, and what it has.

use contracts::ids::{PropertyId, UserId};
use platform::auth::Role;
use serde_json::json;

use crate::test_hotel::{Ask, Door, TestHotel, text};

/// Things of the first tenant.
pub(crate) struct Things {
    pub(crate) room: Door,
    pub(crate) task: String,
    pub(crate) suggestion: String,
    pub(crate) block: String,
    pub(crate) inspection: String,
    pub(crate) discrepancy: String,
    pub(crate) line: String,
    pub(crate) lost_item: String,
    pub(crate) checklist: String,
    pub(crate) employed: Employed,
}

/// What of staff the first tenant has.
pub(crate) struct Employed {
    pub(crate) person: String,
    pub(crate) position: String,
    pub(crate) department: String,
    pub(crate) shift: String,
    pub(crate) place: String,
    pub(crate) punch: String,
    pub(crate) leave: String,
    pub(crate) certification: String,
    pub(crate) note: String,
    pub(crate) pattern: String,
    pub(crate) swap: String,
    pub(crate) suggestion: String,
}

/// Something in every table of staff.
pub(crate) async fn employed(hotel: &TestHotel) -> Employed {
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
pub(crate) async fn lived_in() -> (TestHotel, Things) {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    hotel.deliver(&hotel.staff_created(&gulalai)).await;
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room])).await;
    hotel.deliver(&hotel.check_in_started(&hotel.next(), &[&room])).await;
    let verdict = json!({ "outcome": "fail", "reason": "dust" });
    let inspection = text(&hotel.command(&hotel.supervisor(), &task, "inspections", verdict).await.done()["id"]);
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
    (hotel, Things { room, task, suggestion, block, inspection, discrepancy, line, lost_item, checklist, employed })
}
