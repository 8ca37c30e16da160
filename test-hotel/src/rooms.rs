//! What others tell of rooms and stays, and what is done about rooms that cannot be used.

use axum::http::Method;
use contracts::ids::{ReservationId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::{Answer, Ask, Door, Happening, TestHotel};

impl TestHotel {
    pub fn front_desk(&self) -> String {
        self.token(Role::FrontDesk, StaffId::parse("stf_DESK").ok().as_ref())
    }

    pub async fn delete(&self, token: &str, path: &str) -> Answer {
        self.ask(Ask::new(Method::DELETE, path).by(token)).await
    }

    pub async fn block(&self, door: &Door, body: Value) -> Answer {
        self.post(&self.supervisor(), &format!("/housekeeping/v1/rooms/{}/block", door.id), body).await
    }

    pub async fn unblock(&self, door: &Door, block: &str) -> Answer {
        self.delete(&self.supervisor(), &format!("/housekeeping/v1/rooms/{}/block/{block}", door.id)).await
    }

    /// A supervisor looks into a room.
    pub async fn observe(&self, door: &Door, observed: &str) -> Answer {
        let path = format!("/housekeeping/v1/rooms/{}/occupancy", door.id);
        self.post(&self.supervisor(), &path, json!({ "observed": observed })).await
    }

    /// The blocks of a room as the board shows them.
    pub async fn blocks(&self, door: &Door) -> Vec<Value> {
        let board = self.board().await;
        let rooms = board.0["rooms"].as_array().unwrap();
        let room = rooms.iter().find(|room| room["roomId"] == door.id.as_str()).expect("on the board");
        room["blocks"].as_array().unwrap().clone()
    }

    /// The codes of the board's alerts.
    pub async fn alerts(&self) -> Vec<String> {
        let board = self.board().await;
        board.0["alerts"].as_array().unwrap().iter().map(|alert| crate::text(&alert["code"])).collect()
    }

    pub fn work_order_opened(&self, id: &str, door: &Door, severity: Option<&str>) -> Happening {
        let payload = json!({
            "workOrderId": id, "tenantId": self.tenant, "propertyId": self.property, "roomId": door.id, "severity": severity,
            "openedAt": self.now(),
        });
        self.happening("maintenance.work_order.opened.v1", &payload)
    }

    pub fn work_order_completed(&self, id: &str, door: &Door) -> Happening {
        let payload = json!({
            "workOrderId": id, "tenantId": self.tenant, "propertyId": self.property, "roomId": door.id,
            "completedAt": self.now(),
        });
        self.happening("maintenance.work_order.completed.v1", &payload)
    }

    pub fn taken_out_of_order(&self, door: &Door) -> Happening {
        let payload = json!({
            "tenantId": self.tenant, "propertyId": self.property, "roomId": door.id, "reason": "burst pipe",
        });
        self.happening("property.room.taken_out_of_order.v1", &payload)
    }

    pub fn room_archived(&self, door: &Door) -> Happening {
        let payload = json!({
            "tenantId": self.tenant, "propertyId": self.property, "roomId": door.id, "archivedAt": self.now(),
        });
        self.happening("property.room.archived.v1", &payload)
    }

    pub fn room_created(&self, door: &Door) -> Happening {
        let payload = json!({
            "tenantId": self.tenant, "propertyId": self.property, "roomId": door.id, "number": door.number, "floor": "3",
            "section": "west", "roomTypeId": "rmt_TWIN",
        });
        self.happening("property.room.created.v1", &payload)
    }

    /// The guest will come on a day.
    pub fn confirmed(&self, reservation: &ReservationId, day: &str) -> Happening {
        let payload = json!({
            "reservationId": reservation, "tenantId": self.tenant, "propertyId": self.property,
            "reservationCode": "GM-9F4K2C", "stayWindow": { "start": day, "end": "2026-06-01", "nights": 3 },
            "totals": { "grandTotalMicro": "0", "currency": "AFN" },
            "payment": { "method": "cash_on_arrival", "status": "pending_cash", "paymentIntentIds": [], "capturedMicro": "0" },
            "channel": { "channel": "direct" }, "primaryGuest": { "guestId": "gst_TEST", "locale": "ps-AF" },
            "confirmedAt": self.now(),
        });
        self.happening("reservation.confirmed.v1", &payload)
    }

    pub fn dates_changed(&self, reservation: &ReservationId, day: &str) -> Happening {
        let payload = json!({
            "reservationId": reservation, "tenantId": self.tenant, "propertyId": self.property, "modificationId": "m-1",
            "occurredAt": self.now(), "actor": { "type": "guest", "id": "gst_TEST" },
            "before": { "start": "2026-05-01", "end": "2026-05-04", "nights": 3 },
            "after": { "start": day, "end": "2026-06-01", "nights": 3 },
        });
        self.happening("reservation.dates_changed.v1", &payload)
    }

    /// Another room for a guest; `from` is where they are, or were to be.
    pub fn room_changed(&self, stay: &ReservationId, from: Option<&Door>, to: &Door) -> Happening {
        let side = |door: Option<&Door>| match door {
            Some(door) => json!({ "itemId": "itm_1", "roomId": door.id }),
            None => json!({ "itemId": "itm_1" }),
        };
        let payload = json!({
            "reservationId": stay, "tenantId": self.tenant, "propertyId": self.property, "modificationId": "m-1",
            "type": "room_change", "occurredAt": self.now(), "actor": { "type": "staff", "id": "stf_DESK" },
            "before": side(from), "after": side(Some(to)),
        });
        self.happening("reservation.modified.v1", &payload)
    }

    /// A person puts a reservation where it stood before, with these rooms.
    pub fn put_back(&self, stay: &ReservationId, (from, to): (&str, &str), doors: &[&Door]) -> Happening {
        let item = |door: &&Door| json!({ "itemId": format!("itm_{}", door.number), "roomId": door.id });
        let rooms: Vec<_> = doors.iter().map(item).collect();
        let payload = json!({
            "reservationId": stay, "tenantId": self.tenant, "propertyId": self.property, "modificationId": "m-1",
            "type": "manual_state_override", "occurredAt": self.now(), "actor": { "type": "staff", "id": "stf_DESK" },
            "before": { "status": from, "rooms": rooms }, "after": { "status": to, "rooms": rooms, "reason": "the wrong button" },
        });
        self.happening("reservation.modified.v1", &payload)
    }

    /// The booking is off, or these items of it.
    pub fn cancelled(&self, stay: &ReservationId, items: &[&str]) -> Happening {
        let payload = json!({
            "reservationId": stay, "tenantId": self.tenant, "propertyId": self.property, "cancelledAt": self.now(),
            "reason": "no flight", "reasonCode": "guest_cancelled", "policyApplied": { "ref": "flexible-24h" },
            "paymentRefundsRequested": [], "itemsCancelled": items, "actor": { "type": "guest", "id": "gst_TEST" },
        });
        self.happening("reservation.cancelled.v1", &payload)
    }

    /// The guest asks for a clean of the room.
    pub fn clean_requested(&self, stay: &ReservationId) -> Happening {
        let payload = json!({
            "reservationId": stay, "tenantId": self.tenant, "propertyId": self.property,
            "requestedMods": ["late_checkout", "mid_stay_clean"], "requestedAt": self.now(),
            "actor": { "type": "guest", "id": "gst_TEST" },
        });
        self.happening("reservation.modification.requested.v1", &payload)
    }

    /// The same, as a wish.
    pub fn clean_wished(&self, stay: &ReservationId) -> Happening {
        let payload = json!({
            "reservationId": stay, "tenantId": self.tenant, "requestId": "r-1", "tags": ["mid_stay_clean"], "locale": "ps-AF",
            "source": "guest", "occurredAt": self.now(), "actor": { "type": "guest", "id": "gst_TEST" },
        });
        self.happening("reservation.special_request.added.v1", &payload)
    }

    pub fn settings_changed(&self) -> Happening {
        let payload = json!({ "tenantId": self.tenant, "changedKeys": ["timezone"] });
        self.happening("tenant.settings.changed.v1", &payload)
    }

    /// A shift at other hours than the usual.
    pub fn shift_scheduled_at(&self, shift: &ShiftId, starts: Timestamp) -> Happening {
        let window = json!({ "startUtc": starts, "endUtc": starts.plus_seconds(8 * 3_600) });
        self.shift_scheduled(shift).with("/payload/windowUtc", window)
    }

    pub fn shift_swapped(&self, left: (&ShiftId, &StaffId), right: (&ShiftId, &StaffId)) -> Happening {
        // Who was on the left is on the right now: `staffId` is whoever holds the new place.
        let side = |comes: &StaffId, went: &StaffId| {
            json!({ "newId": format!("sha_NEW_{}", &comes.as_str()[10..]),
                    "previousId": format!("sha_{}", &went.as_str()[4..]), "staffId": comes })
        };
        let payload = json!({
            "shiftLeftId": left.0, "shiftRightId": right.0, "leftAssignment": side(right.1, left.1),
            "rightAssignment": side(left.1, right.1), "tenantId": self.tenant, "swappedAt": self.now(),
        });
        self.happening("staff.shift.swapped.v1", &payload)
    }

    pub fn shift_cancelled(&self, shift: &ShiftId) -> Happening {
        let payload = json!({
            "shiftId": shift, "tenantId": self.tenant, "propertyId": self.property, "reason": "manual",
            "unassignedAssignmentIds": [], "version": 3, "cancelledAt": self.now(),
        });
        self.happening("staff.shift.cancelled.v1", &payload)
    }

    /// `break_started` or `break_ended`.
    pub fn rested(&self, verb: &str, shift: Option<&ShiftId>, staff: &StaffId) -> Happening {
        let punch = self.clocked_in(shift, staff).envelope["payload"].clone();
        self.happening(&format!("staff.clock.{verb}.v1"), &punch)
    }
}
