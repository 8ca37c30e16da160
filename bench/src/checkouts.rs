//! Guests leave: the broker pushes check-outs, and each makes a room dirty and opens a turnover.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use platform::Clock;
use serde_json::json;

use crate::Outcome;
use crate::hotel::{self, Hotel, LEAVING};
use crate::limit::{self, Limit, Work};
use crate::load::{self, Connection, Reached, Script, Span, timed};
use crate::stage::{Product, Stage};

/// One connection of the broker, with its messages made beforehand.
pub(crate) struct Broker {
    lane: usize,
    sent: u64,
    requests: Vec<Vec<u8>>,
}

impl Script for Broker {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        let Some(request) = self.requests.pop() else { return Ok(false) };
        self.sent += 1;
        timed(connection, &request, report).await?;
        Ok(true)
    }
}

/// Rooms to leave, and the messages that say so.
pub(crate) async fn prepare(stage: &Stage, hotel: &mut Hotel, connections: usize, span: Span) -> Outcome<Vec<Broker>> {
    let ahead = hotel.prepare_rooms(false, connections, span).await?;
    let brokers = (0..connections).map(|lane| {
        let token = hotel::token(stage, &hotel.tenant(lane), "service", &format!("svc_BENCH{lane}"), None);
        let first = hotel.next_room(lane);
        let requests = (first..first + ahead).rev().map(|number| push(hotel, lane, number, &token)).collect();
        Broker { lane, sent: 0, requests }
    });
    Ok(brokers.collect())
}

/// The product, over HTTP.
pub(crate) async fn ours(hotel: &mut Hotel, product: &Product, brokers: Vec<Broker>, span: Span) -> Outcome<Reached> {
    let (reached, brokers) = load::run(product.address, brokers, span).await?;
    for broker in brokers {
        hotel.left_until(broker.lane, hotel.next_room(broker.lane) + broker.sent);
    }
    hotel.learn(reached.per_second);
    Ok(reached)
}

/// The limit, on rooms that are prepared.
pub(crate) async fn limit(stage: &Stage, hotel: &mut Hotel, clients: usize, span: Span) -> Outcome<Limit> {
    let reached = limit::run(stage, Work::CheckOuts, clients, span).await?;
    hotel.learn(reached.per_second);
    Ok(reached)
}

/// A wrapped message as the broker pushes it.
fn push(hotel: &Hotel, lane: usize, number: u64, token: &str) -> Vec<u8> {
    let number = LEAVING + number;
    let now = Clock::system().now();
    let subject = "melmastoon.reservation.checked_out.v1";
    let envelope = json!({
        "specVersion": "1.0",
        "id": hotel.id("evt", lane, number),
        "subject": subject,
        "tenantId": hotel.tenant(lane),
        "occurredAt": now,
        "producer": "reservation-service@1.0.0",
        "correlationId": "req_01KPTDV30V8VKEYM2XP6Z3R000",
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "actor": { "type": "system", "id": "sys_reservation" },
        "payload": {
            "reservationId": hotel.id("rsv", lane, number), "tenantId": hotel.tenant(lane), "propertyId": hotel.property(lane),
            "checkedOutAt": now, "earlyCheckout": false, "overstayedNights": 0,
            "folio": { "folioId": "fol_BENCH", "finalBalanceMicro": "0", "currency": "AFN", "settled": true },
            "rooms": [{ "itemId": &hotel.id("itm", lane, number)[4..], "roomId": hotel.id("rom", lane, number) }],
            "actor": { "type": "system", "id": "sys_reservation" },
        },
    });
    let data = BASE64.encode(envelope.to_string());
    let body = json!({ "message": { "data": data, "messageId": number.to_string(), "attributes": {} }, "subscription": "bench" });
    let body = body.to_string();
    format!(
        "POST /internal/events/{subject} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
