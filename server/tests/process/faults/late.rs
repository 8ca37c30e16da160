//! What comes late, too slowly, or is rubbish: a transaction that commits behind its followers, a worker that stands still for longer
//! than the broker waits, and messages at the broker that nobody can read.

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::json;

use super::callers::discard_all;
use crate::process::until;
use crate::replicas::{CONVERGES, Replicas, Telling};
use crate::story::CHECKED_OUT;

/// What the broker waits for an answer: the same in the product.
const ACK_WAIT: Duration = Duration::from_secs(15);

/// A lower outbox id commits after a higher one was published.
pub(super) fn commits_late(replicas: &mut Replicas, events: usize) {
    let late = replicas.session();
    late.tell(&format!("BEGIN; {}", replicas.rows(Telling::Departure, events)));
    replicas.told += events;
    replicas.tell(events);
    let session = replicas.session();
    until("the followers are published", CONVERGES, || {
        session.count("SELECT count(*) FROM reservation.outbox WHERE published_at IS NULL") == 0
    });
    late.tell("COMMIT");
    let found = replicas.converge();
    found.report("a lower outbox id commits late", replicas.seed, events);
}

/// Both workers in turn: what one has in its hands is given to the other, and then it wakes up and goes on with it.
pub(super) fn slower_than_the_broker_waits(replicas: &mut Replicas, events: usize) {
    for part in 4..6 {
        replicas.tell(events);
        replicas.signal(part, Signal::SIGSTOP);
        replicas.tell(events);
        std::thread::sleep(ACK_WAIT + Duration::from_secs(3));
        replicas.signal(part, Signal::SIGCONT);
    }
    let found = replicas.converge();
    found.report("a worker is slower than the broker waits", replicas.seed, 2);
}

/// Somebody else publishes rubbish to our stream: it is filed with its reason, and other keys go on.
pub(super) fn rubbish_at_the_broker(replicas: &mut Replicas, events: usize) {
    let whole = replicas.hotel.departure(999_997);
    let mut without_rooms = whole.clone();
    without_rooms["id"] = json!("evt_RUBBISH_1");
    without_rooms["payload"]["rooms"] = json!("all of them");
    let mut of_another = whole.clone();
    of_another["id"] = json!("evt_RUBBISH_2");
    of_another["payload"]["tenantId"] = json!("tnt_SPINGHAR");
    let mut huge = whole.clone();
    huge["id"] = json!("evt_RUBBISH_3");
    huge["payload"]["rooms"] = json!("x".repeat(500_000));
    let rubbish: Vec<Vec<u8>> = vec![
        b"\xff\xfe\x00".to_vec(),
        b"the guest has left".to_vec(),
        b"{}".to_vec(),
        whole.to_string().replace("usr_DESK", "usr\\u0000").into_bytes(),
        format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)).into_bytes(),
        without_rooms.to_string().into_bytes(),
        of_another.to_string().into_bytes(),
        huge.to_string().into_bytes(),
    ];
    replicas.tell(events);
    publish(&replicas.nats.url(), &rubbish);
    replicas.tell(events);
    let session = replicas.session();
    let filed = "SELECT count(*) FROM housekeeping.dead_letters WHERE state = 'open' AND error <> '' AND code <> ''";
    let all = i64::try_from(rubbish.len()).expect("a number");
    until("I7: all of it is filed with its reason", CONVERGES, || session.count(filed) == all);
    replicas.assert_all_run();
    discard_all(replicas);
    let found = replicas.converge();
    found.report("rubbish at the broker", replicas.seed, rubbish.len());
}

/// Into the sixteen lanes, as somebody would who knows our subjects.
fn publish(url: &str, messages: &[Vec<u8>]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let jetstream = async_nats::jetstream::new(async_nats::connect(url).await.expect("the broker"));
        for (lane, message) in messages.iter().enumerate() {
            let subject = format!("events.reservation.{}.{CHECKED_OUT}", lane % 16);
            let sent = jetstream.publish(subject, message.clone().into()).await.expect("a connection");
            sent.await.expect("it is stored");
        }
    });
}
