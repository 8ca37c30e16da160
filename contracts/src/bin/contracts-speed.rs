//! What reading and validating an event costs, beside a plain `serde_json::from_slice` into a typed struct, and whether
//! it grows in step with the size: `cargo run --release -p melmastoon-contracts --bin contracts-speed`.
//!
//! A program of its own and not under `benches/`, because a bench would build the judges that only tests need.

use std::hint::black_box;
use std::time::{Duration, Instant};

use contracts::reservation::CheckedOutV1;
use contracts::{Envelope, catalogue, cloudevents};
use serde::Deserialize;
use serde_json::json;

/// The same event as anybody would write it down first: strings all the way.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the fields are there to be read into")]
struct PlainEvent {
    spec_version: String,
    id: String,
    subject: String,
    tenant_id: String,
    occurred_at: String,
    producer: String,
    traceparent: String,
    actor: PlainActor,
    correlation_id: String,
    causation_id: String,
    payload: PlainPayload,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "the fields are there to be read into")]
struct PlainActor {
    r#type: String,
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the fields are there to be read into")]
struct PlainPayload {
    reservation_id: String,
    tenant_id: String,
    property_id: String,
    checked_out_at: String,
    early_checkout: bool,
    overstayed_nights: u32,
    rooms: Vec<PlainRoom>,
    actor: PlainActor,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the fields are there to be read into")]
struct PlainRoom {
    item_id: String,
    room_id: String,
}

fn event(rooms: usize) -> Vec<u8> {
    const ULID: &str = "01J0ABCDEFGHJKMNPQRSTVWXYZ";
    let actor = json!({ "type": "staff", "id": format!("stf_{ULID}") });
    let room = json!({ "itemId": ULID, "roomId": format!("rom_{ULID}") });
    let event = json!({
        "specVersion": "1.0", "id": format!("evt_{ULID}"), "subject": "melmastoon.reservation.checked_out.v1",
        "tenantId": format!("tnt_{ULID}"), "occurredAt": "2026-04-22T11:05:11.451Z", "producer": "reservation-service@1.4.2",
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "actor": actor,
        "correlationId": format!("req_{ULID}"), "causationId": format!("evt_{ULID}"),
        "payload": {
            "reservationId": format!("rsv_{ULID}"), "tenantId": format!("tnt_{ULID}"), "propertyId": format!("prp_{ULID}"),
            "checkedOutAt": "2026-04-22T11:05:11.451Z", "earlyCheckout": false, "overstayedNights": 0,
            "rooms": vec![room; rooms], "actor": actor,
        }
    });
    event.to_string().into_bytes()
}

/// The best of many rounds: the one that the machine disturbed least.
fn best<T>(rounds: u32, per_round: u32, mut work: impl FnMut() -> T) -> Duration {
    let round = |work: &mut dyn FnMut() -> T| {
        let begun = Instant::now();
        for _ in 0..per_round {
            black_box(work());
        }
        begun.elapsed() / per_round
    };
    (0..rounds).map(|_| round(&mut work)).min().unwrap_or_default()
}

fn read_and_validate(bytes: &[u8]) -> CheckedOutV1 {
    let envelope = Envelope::read(bytes).expect("it is a good event");
    envelope.payload().expect("it has a good payload")
}

fn main() {
    let rounds = 300;
    let bytes = event(5);
    assert!(catalogue::find("melmastoon.reservation.checked_out.v1").is_some(), "the catalogue is built once, before");

    let plain = best(rounds, 200, || serde_json::from_slice::<PlainEvent>(&bytes).expect("it is a good event"));
    let ours = best(rounds, 200, || read_and_validate(&bytes));
    let edge =
        best(rounds, 200, || Envelope::read(&bytes).map(|event| event.validate().map(|entry| entry.subject).ok()));
    let cloud = cloudevents::write(&Envelope::read(&bytes).expect("good")).expect("small");
    let from_cloud = best(rounds, 200, || cloudevents::read(&cloud));

    let ratio = |time: Duration| time.as_secs_f64() / plain.as_secs_f64();
    println!("one event of {} bytes", bytes.len());
    println!("plain serde_json into strings      {plain:>10.2?}  1.00");
    println!("envelope, payload, validation      {ours:>10.2?}  {:.2}   (at most 3 is wanted)", ratio(ours));
    println!("the same without keeping the body  {edge:>10.2?}  {:.2}", ratio(edge));
    println!("CloudEvent, envelope alone         {from_cloud:>10.2?}  {:.2}", ratio(from_cloud));

    println!("growth, beside plain serde_json");
    for rooms in [5, 50, 500, 3_000] {
        let bytes = event(rooms);
        let plain = best(20, 20, || serde_json::from_slice::<PlainEvent>(&bytes).expect("it is a good event"));
        let ours = best(20, 20, || read_and_validate(&bytes));
        #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
        let per_byte = |time: Duration| time.as_secs_f64() * 1e9 / bytes.len() as f64;
        println!("{:>9} bytes  {:.2} and {:.2} ns a byte", bytes.len(), per_byte(ours), per_byte(plain));
    }
}
