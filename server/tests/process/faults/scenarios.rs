//! What is done to seven processes, their broker and their database. Each heals in the end, waits a minute at most until everything is as it
//! should be, and says so in a line.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use crate::process::until;
use crate::proxy::Mood;
use crate::replicas::{CONVERGES, Replicas, Telling};

fn ends(replicas: &mut Replicas, scenario: &str, faults: usize) {
    let found = replicas.converge();
    found.report(scenario, replicas.seed, faults);
}

/// Any of the seven processes is killed while events go through them.
pub(super) fn any_is_killed(replicas: &mut Replicas, chance: &mut StdRng, rounds: usize, events: usize) {
    for _ in 0..rounds {
        replicas.tell(events);
        let killed = replicas.kill_any(chance);
        println!("  killed {killed}");
    }
    ends(replicas, "any process killed under load", rounds);
}

/// PostgreSQL is killed under load, by force or as `pg_ctl -m immediate` does, and comes back.
pub(super) fn the_database_is_killed(replicas: &mut Replicas, chance: &mut StdRng, rounds: usize, events: usize) {
    for _ in 0..rounds {
        replicas.tell(events);
        if chance.random() {
            replicas.server.kill();
        } else {
            replicas.server.stop_immediately();
        }
        replicas.kills += 1;
    }
    ends(replicas, "PostgreSQL killed under load", rounds);
}

/// The broker is killed under load and comes back; REST serves meanwhile, and says that the bus is away.
pub(super) fn the_broker_is_away(replicas: &mut Replicas, events: usize, away: Duration) {
    replicas.tell(events);
    replicas.nats.kill();
    replicas.kills += 1;
    replicas.tell(events);
    let begun = Instant::now();
    while begun.elapsed() < away {
        let answer = replicas
            .client()
            .get(&format!("/housekeeping/v1/board?propertyId={}", replicas.hotel.property), &replicas.hotel.supervisor);
        assert_eq!(answer.status, 200, "REST goes on: {answer:?}");
        assert!(replicas.client().is_ready());
        std::thread::sleep(Duration::from_millis(100));
    }
    // Whoever looks now is told what waits, and why.
    let status = replicas.house.run(&["bus", "status"]);
    assert!(
        status.out.contains("outbox reservation") && status.out.contains(" waiting, the oldest for "),
        "{status:?}"
    );
    assert!(status.code == Some(1) && status.err.contains("NATS does not answer"), "{status:?}");
    replicas.nats.start_again();
    ends(replicas, "broker killed, away, back", 1);
}

/// Connections that both sides believe in and that carry nothing; then they break.
pub(super) fn half_open(replicas: &mut Replicas, events: usize, length: Duration) {
    replicas.tell(events);
    replicas.proxy.becomes(Mood::HoldsStill);
    replicas.tell(events);
    std::thread::sleep(length);
    replicas.proxy.becomes(Mood::Passes);
    replicas.proxy.cuts();
    ends(replicas, "half-open connections to the broker", 1);
}

/// The broker takes what it is given, and its answers are lost.
pub(super) fn lost_answers(replicas: &mut Replicas, events: usize, length: Duration) {
    replicas.proxy.becomes(Mood::SwallowsAnswers);
    replicas.tell(events);
    std::thread::sleep(length);
    replicas.proxy.becomes(Mood::Passes);
    replicas.proxy.cuts();
    ends(replicas, "the broker's answers are lost", 1);
}

/// A relay is stopped in the middle, its place is taken, and it wakes up again; the same with a worker.
pub(super) fn paused_and_awake(replicas: &mut Replicas, part: usize, events: usize, length: Duration) {
    replicas.tell(events);
    replicas.signal(part, Signal::SIGSTOP);
    replicas.tell(events);
    std::thread::sleep(length);
    replicas.signal(part, Signal::SIGCONT);
    let name = if part < 4 { "a relay stands still and wakes up" } else { "a worker stands still and wakes up" };
    ends(replicas, name, 1);
}

/// Publishes the whole log again, under new message ids, and waits until all of it was heard: as long as it takes, if less and less waits.
fn seek_back(replicas: &Replicas) {
    replicas.house.output(&["republish", "--since", "2020-01-01T00:00:00Z"]);
    let (mut least, mut moved) = (u64::MAX, Instant::now());
    loop {
        let status: Value = serde_json::from_str(&replicas.house.output(&["bus", "status", "--json"])).expect("JSON");
        let lags = status["subscriptions"].as_array().expect("a list").clone();
        let waits: u64 = lags.iter().filter_map(|lag| Some(lag["waiting"].as_u64()? + lag["atWork"].as_u64()?)).sum();
        if waits == 0 {
            return;
        }
        if waits < least {
            (least, moved) = (waits, Instant::now());
        }
        assert!(moved.elapsed() < CONVERGES, "seed {}: {waits} repetitions are not heard", replicas.seed);
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Everything that was told is told again, and nothing happens.
pub(super) fn told_again(replicas: &mut Replicas) {
    seek_back(replicas);
    let doctor: Value = serde_json::from_str(&replicas.house.run(&["doctor", "--json"]).out).expect("JSON");
    let bus = doctor.as_array().expect("a list").iter().find(|check| check["check"] == "bus").expect("the bus").clone();
    assert_eq!(bus["ok"], true, "{bus}");
    ends(replicas, "everything published again, with new ids", 1);
}

/// The inboxes have forgotten everything when it is told again: what has had its effect is known by the effect.
pub(super) fn told_again_after_the_purge(replicas: &mut Replicas, events: usize) {
    replicas.tell(events);
    replicas.converge().report("told, and forgotten by the inboxes", replicas.seed, 0);
    replicas.session().tell("TRUNCATE housekeeping.inbox, staff.inbox, reservation.inbox");
    seek_back(replicas);
    let found = replicas.converge();
    found.report("published again after the inbox purge", replicas.seed, 1);
    assert_eq!(found.events, 0, "what had its effect before has none now, and nobody is told of any");
}

/// The database refuses every fifth change as it does when changes meet, or when it is too full or too busy.
pub(super) fn changes_meet(replicas: &mut Replicas, events: usize) {
    let seed = replicas.seed % 1_000;
    let session = replicas.session();
    session.tell(&format!(
        "DROP SEQUENCE IF EXISTS public.asked; CREATE SEQUENCE public.asked; GRANT USAGE ON SEQUENCE public.asked TO PUBLIC;
         CREATE OR REPLACE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
         DECLARE n BIGINT := nextval('public.asked') + {seed};
         BEGIN
           IF n % 5 = 0 THEN
             RAISE EXCEPTION 'as the test asks' USING ERRCODE =
               (ARRAY['40001', '40P01', '53100', '55P03', '57014', '53200', '58030'])[1 + n / 5 % 7];
           END IF;
           RETURN NEW;
         END $$;
         CREATE TRIGGER refuse BEFORE INSERT ON housekeeping.outbox FOR EACH ROW EXECUTE FUNCTION public.refuse()"
    ));
    replicas.tell(events);
    let (mut made, mut again) = (0, 0);
    for number in 0..20 {
        let body =
            json!({ "propertyId": replicas.hotel.property, "roomId": format!("rom_{number}"), "kind": "deep_clean" });
        let key = format!("meets-{}-{number}", replicas.told);
        until("the command is taken in the end", CONVERGES, || {
            let answer = replicas
                .client()
                .try_post_once("/housekeeping/v1/tasks", &replicas.hotel.supervisor, &key, &body)
                .expect("an answer");
            if answer.status == 201 {
                made += 1;
                return true;
            }
            again += 1;
            let problem = answer.status == 409 || answer.status == 503;
            assert!(problem && answer.kind == "application/problem+json", "{answer:?}");
            assert!(answer.retry_after.is_some(), "it says when to come again: {answer:?}");
            false
        });
    }
    let refused = usize::try_from(session.count("SELECT last_value / 5 FROM public.asked")).unwrap_or(0);
    assert!(refused > 0 && made == 20, "{refused} refused, {made} made, {again} told to come again");
    // All of it is through before the fault is gone.
    ends(replicas, "serialization failures, deadlocks, no room", refused);
    replicas.session().tell("DROP TRIGGER refuse ON housekeeping.outbox");
}

/// What the database can never hold is in the dead letters with its reason; once that is mended it is delivered again, twice.
pub(super) fn buried_and_replayed(replicas: &mut Replicas, events: usize) {
    let session = replicas.session();
    session.tell(
        "CREATE OR REPLACE FUNCTION public.never() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'as the test asks' USING ERRCODE = '22003'; END $$;
         CREATE TRIGGER never BEFORE INSERT ON housekeeping.housekeeping_tasks FOR EACH ROW EXECUTE FUNCTION public.never()",
    );
    replicas.tell(events);
    let buried = "SELECT count(*) FROM housekeeping.dead_letters WHERE state = 'open' AND code LIKE '%.EVENT_UNSTORABLE' AND error LIKE '%22003%'";
    let all = i64::try_from(events).expect("a number");
    until("everything is in the dead letters, with its reason", CONVERGES, || session.count(buried) == all);
    session.tell("DROP TRIGGER never ON housekeeping.housekeeping_tasks");
    let listed: Value = serde_json::from_str(&replicas.house.output(&["dlq", "list", "--json"])).expect("JSON");
    assert_eq!(listed.as_array().map(Vec::len), Some(events));
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| replicas.house.run(&["dlq", "replay", "all"]));
        }
    });
    replicas.house.output(&["dlq", "replay", "all"]);
    ends(replicas, "dead letters, replayed by two at once", events);
}

/// Two versions of an event side by side, with fields and words that nobody knows yet.
pub(super) fn two_versions(replicas: &mut Replicas, events: usize) {
    replicas.tell_as(Telling::TwoVersions, events);
    ends(replicas, "v1 and v2 side by side, unknown fields", events);
}
