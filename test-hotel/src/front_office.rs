//! Rooms that are sold, and what the desk does with them.

use contracts::ids::{ReservationId, RoomId, RoomTypeId};
use platform::auth::Role;
use serde_json::{Value, json};

use crate::{Answer, Door, TestHotel, text};

impl TestHotel {
    pub fn desk(&self) -> String {
        self.token(Role::FrontDesk, contracts::ids::StaffId::parse("stf_DESK").ok().as_ref())
    }

    /// A room type at 100 a night for two, with so many rooms.
    pub async fn sold_rooms(&self, rooms: usize) -> (RoomTypeId, Vec<Door>) {
        let (manager, id): (_, RoomTypeId) = (self.manager(), self.next());
        let body = json!({ "propertyId": self.property, "name": "Double", "baseRateMicro": "100000000" });
        self.put(&manager, &format!("/reservation/v1/room-types/{id}"), body).await.done();
        let mut doors = Vec::new();
        for at in 0..rooms {
            doors.push(self.sold_room(&id, &format!("{}", 101 + at)).await);
        }
        (id, doors)
    }

    pub async fn sold_room(&self, of: &RoomTypeId, number: &str) -> Door {
        let id: RoomId = self.next();
        let body = json!({ "propertyId": self.property, "roomTypeId": of, "number": number, "floor": "1" });
        self.put(&self.manager(), &format!("/reservation/v1/rooms/{id}"), body).await.done();
        Door { id, number: number.to_owned() }
    }

    /// What it takes to book one room of a type.
    pub fn booking(&self, of: &RoomTypeId, start: &str, end: &str) -> Value {
        json!({
            "propertyId": self.property, "stayWindow": { "start": start, "end": end },
            "items": [{ "roomTypeId": of, "occupants": { "adults": 2 } }],
            "primaryGuest": { "name": "Zarmina Noori", "email": "Zarmina@Example.com ", "phone": "+93 700 123 456" },
        })
    }

    pub async fn book(&self, body: Value) -> Answer {
        self.post(&self.desk(), "/reservation/v1/reservations", body).await
    }

    /// Booked and confirmed, to be paid in cash.
    pub async fn confirmed_stay(&self, body: Value) -> Value {
        let held = self.book(body).await.done();
        self.stay(&held, "confirm", json!({ "payment": { "method": "cash_on_arrival" } })).await.done()
    }

    /// A step at the desk: `hotel.stay(&reservation, "check-in/complete", json!({}))`.
    pub async fn stay(&self, reservation: &Value, step: &str, body: Value) -> Answer {
        let path = format!("/reservation/v1/reservations/{}/{step}", text(&reservation["reservationId"]));
        self.post(&self.desk(), &path, body).await
    }

    pub async fn reservation(&self, reservation: &Value) -> Value {
        let path = format!("/reservation/v1/reservations/{}", text(&reservation["reservationId"]));
        self.get(&self.desk(), &path).await.done()
    }

    /// The night's count of what is left of a type.
    pub async fn available(&self, of: &RoomTypeId, start: &str, end: &str) -> Vec<i64> {
        let path =
            format!("/reservation/v1/availability?propertyId={}&from={start}&to={end}&roomTypeId={of}", self.property);
        let seen = self.get(&self.desk(), &path).await.done();
        seen["roomTypes"][0]["available"].as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect()
    }

    /// Money came in, as the payment service tells it.
    pub fn captured(&self, reservation: &Value, intent: &str, amount: &str) -> super::Happening {
        let id = ReservationId::parse(&text(&reservation["reservationId"])).unwrap();
        let payload = json!({
            "tenantId": self.tenant, "reservationId": id, "paymentIntentId": intent, "amountMicro": amount, "currency": "AFN",
            "method": "card",
        });
        self.happening("payment.transaction.captured.v1", &payload)
    }

    /// Something that another service tells of a reservation.
    pub fn told(&self, subject: &str, reservation: &Value, more: &Value) -> super::Happening {
        let mut payload = json!({ "tenantId": self.tenant, "reservationId": reservation["reservationId"] });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.happening(subject, &payload)
    }

    pub async fn run_tick(&self, name: &str) {
        let tick = self.app.ticker.find(name).expect("a tick");
        self.app.ticker.run_now(tick).await.expect("the tick");
    }
}
