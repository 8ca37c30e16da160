//! What must hold whatever happens, checked from the database after a busy, disorderly morning.

use contracts::housekeeping::{RoomStatus, RoomStatusCause, TaskKind};
use contracts::ids::{ReservationId, StaffId};
use futures_util::future::join_all;
use housekeeping::domain::room::allows;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::linen::on_hand_is_the_sum_of_the_movements;
use crate::test_hotel::{Answer, Ask, Door, Happening, TestHotel, text, whole_report};

/// Something that somebody does.
enum Deed {
    Asks(Ask),
    Tells(Happening),
}

struct Morning<'a> {
    hotel: &'a TestHotel,
    chance: StdRng,
    doors: Vec<Door>,
    people: Vec<StaffId>,
    stays: Vec<ReservationId>,
    lines: Vec<String>,
    blocks: Vec<String>,
    discrepancies: Vec<String>,
    found: Vec<String>,
}

impl Morning<'_> {
    fn door(&mut self) -> Door {
        self.doors.choose(&mut self.chance).unwrap().clone()
    }

    /// A command on some task: mostly what comes next, sometimes anything.
    fn command(&mut self, tasks: &[Value]) -> Option<Ask> {
        let task = tasks.choose(&mut self.chance)?;
        let next = match task["status"].as_str().unwrap() {
            "pending" => "assign",
            "assigned" => "start",
            "in_progress" => "complete",
            "paused" => "resume",
            _ => "inspections",
        };
        let any = ["assign", "start", "pause", "resume", "complete", "inspections", "fail", "cancel"];
        let verb = if self.chance.random_bool(0.6) { next } else { any.choose(&mut self.chance).unwrap() };
        let body = match verb {
            "assign" => json!({ "staffId": self.people.choose(&mut self.chance).unwrap() }),
            "pause" => json!({ "reason": "break" }),
            "complete" => whole_report(TaskKind::from_word(task["kind"].as_str().unwrap()).unwrap()),
            "inspections" => {
                let outcome = ["pass", "fail", "waived"].choose(&mut self.chance).unwrap();
                json!({ "outcome": outcome, "reason": "x" })
            }
            "fail" | "cancel" => json!({ "reason": "other" }),
            _ => json!({}),
        };
        let path = format!("/housekeeping/v1/tasks/{}/{verb}", text(&task["id"]));
        Some(Ask::post(path).by(&self.hotel.supervisor()).json(&body))
    }

    /// Blocks, linen, found things, what was seen, and work that somebody else should look at or help with.
    fn around_the_house(&mut self, door: &Door, tasks: &[Value]) -> Ask {
        let chance = &mut self.chance;
        let pick = |list: &[String], chance: &mut StdRng| list.choose(chance).cloned().unwrap_or("blk_NONE".to_owned());
        let task = tasks.choose(chance).map_or("hkt_NONE".to_owned(), |task| text(&task["id"]));
        let hk = "/housekeeping/v1";
        let (path, body) = match chance.random_range(0..9) {
            0 | 1 => {
                let reason = ["maintenance", "oos", "cleaning"].choose(chance).unwrap();
                let until = self.hotel.now().plus_seconds(chance.random_range(30..600));
                (format!("{hk}/rooms/{}/block", door.id), json!({ "reason": reason, "blockedUntil": until }))
            }
            2 => {
                let path = format!("{hk}/rooms/{}/block/{}", door.id, pick(&self.blocks, chance));
                return Ask::new(axum::http::Method::DELETE, path).by(&self.hotel.supervisor());
            }
            3 | 4 => {
                let verb = ["issue", "return", "adjust"].choose(chance).unwrap();
                let count = if *verb == "adjust" { [-3, 2].choose(chance) } else { [1, 4].choose(chance) };
                (format!("{hk}/linen/{}/{verb}", pick(&self.lines, chance)), json!({ "count": count }))
            }
            5 => {
                let observed = ["vacant", "occupied"].choose(chance).unwrap();
                (format!("{hk}/rooms/{}/occupancy", door.id), json!({ "observed": observed }))
            }
            6 => {
                let path = format!("{hk}/discrepancies/{}/resolve", pick(&self.discrepancies, chance));
                (path, json!({ "resolution": "other" }))
            }
            7 => {
                let found = pick(&self.found, chance);
                let (verb, body) = [
                    ("match", json!({ "claimantName": "Laila" })),
                    ("return", json!({})),
                    ("dispose", json!({ "method": "donated" })),
                ]
                .choose(chance)
                .unwrap()
                .clone();
                (format!("{hk}/lost-and-found/{found}/{verb}"), body)
            }
            _ => {
                let staff = self.people.choose(chance).unwrap();
                let (verb, body) = [
                    ("escalate", json!({ "to": { "role": "supervisor" }, "reason": "late" })),
                    ("helpers", json!({ "staffId": staff })),
                    ("attempt", json!({ "reason": "declined" })),
                ]
                .choose(chance)
                .unwrap()
                .clone();
                (format!("{hk}/tasks/{task}/{verb}"), body)
            }
        };
        Ask::post(path).by(&self.hotel.supervisor()).json(&body)
    }

    /// What there is to be lifted, resolved, taken and claimed.
    async fn look_around(&mut self) {
        let ids = async |table: &str| -> Vec<String> {
            let rows = self.hotel.behind.query(&format!("SELECT id FROM housekeeping.{table} ORDER BY id"), &[]).await;
            rows.unwrap().iter().map(|row| row.get(0)).collect()
        };
        let blocks = ids("room_blocks WHERE cleared_at IS NULL").await;
        let discrepancies = ids("discrepancies WHERE resolved_at IS NULL").await;
        let found = ids("lost_and_found").await;
        (self.blocks, self.discrepancies, self.found) = (blocks, discrepancies, found);
    }

    fn deed(&mut self, tasks: &[Value]) -> Deed {
        let (door, stay) = (self.door(), self.stays.choose(&mut self.chance).unwrap().clone());
        match self.chance.random_range(0..49) {
            0 | 1 => Deed::Tells(self.hotel.checked_out_of(&stay, &[&door])),
            2 => Deed::Tells(self.hotel.left_early(&stay)),
            3 => Deed::Tells(self.hotel.checked_in(&stay, &[&door])),
            4 => {
                let path = format!("/housekeeping/v1/rooms/{}/status", door.id);
                let usual = [RoomStatus::Dirty, RoomStatus::Clean, RoomStatus::Ready];
                let any = self.chance.random_bool(0.2);
                let status = if any { RoomStatus::ALL } else { &usual[..] }.choose(&mut self.chance).unwrap();
                Deed::Asks(Ask::post(path).by(&self.hotel.supervisor()).json(&json!({ "status": status, "note": "x" })))
            }
            5 | 6 => {
                let kind = TaskKind::ALL.choose(&mut self.chance).unwrap();
                let body = json!({ "propertyId": self.hotel.property, "roomId": door.id, "kind": kind });
                Deed::Asks(Ask::post("/housekeeping/v1/tasks").by(&self.hotel.supervisor()).json(&body))
            }
            44..46 => {
                let steps = [("checked_out", "checked_in"), ("checked_in", "confirmed")];
                let step = *steps.choose(&mut self.chance).unwrap();
                Deed::Tells(self.hotel.put_back(&stay, step, &[&door]))
            }
            46 => Deed::Tells(self.hotel.cancelled(&stay, &[])),
            47.. => Deed::Tells(self.hotel.clean_requested(&stay)),
            30..44 => Deed::Asks(self.around_the_house(&door, tasks)),
            _ => match self.command(tasks) {
                Some(ask) => Deed::Asks(ask),
                None => Deed::Tells(self.hotel.checked_out_of(&stay, &[&door])),
            },
        }
    }
}

async fn done(hotel: &TestHotel, deed: &Deed) -> Answer {
    match deed {
        Deed::Asks(ask) => hotel.ask(ask.clone()).await,
        Deed::Tells(happening) => hotel.push(happening).await,
    }
}

/// How the clock goes on between two rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hands {
    Steady,
    /// Up to six minutes ahead, up to five minutes back, and never far from where it began.
    Leap,
}

async fn a_busy_morning(hotel: &TestHotel, seed: u64, hands: Hands) {
    let mut morning = Morning {
        hotel,
        chance: StdRng::seed_from_u64(seed),
        doors: vec![],
        people: vec![],
        stays: vec![],
        lines: vec![hotel.linen("towels", 6, 4).await, hotel.linen("sheets", 100, 4).await],
        blocks: vec![],
        discrepancies: vec![],
        found: vec![],
    };
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "linenLine": "sheets" })).await.done();
    for number in ["101", "102"] {
        morning.doors.push(hotel.ready_room(number).await);
        morning.people.push(hotel.person_on_shift().await);
        morning.stays.extend([hotel.next(), hotel.next()]);
        hotel.found(&morning.doors[morning.doors.len() - 1], "a hat").await;
    }
    let mut since = 0;
    for round in 0..50 {
        let step: i64 = if hands == Hands::Leap { morning.chance.random_range(-300..=360) } else { 30 };
        // Turned round where it would leave the twenty minutes around the end of the month.
        let step = if hands == Hands::Leap && !(0..=1_200).contains(&(since + step)) { -step } else { step };
        since += step;
        hotel.clock.advance_seconds(step);
        morning.look_around().await;
        let mut tasks = Vec::new();
        for door in &morning.doors {
            tasks.extend(hotel.tasks(door).await.into_iter().rev().take(4));
        }
        let deeds: Vec<_> = (0..5).map(|_| morning.deed(&tasks)).collect();
        // Timers go on meanwhile.
        let timer = ["blocks_over", "escalation", "boards", "replanning", "staffing_gap"][round % 5];
        let (answers, _) =
            futures_util::future::join(join_all(deeds.iter().map(|deed| done(hotel, deed))), hotel.tick(timer)).await;
        for answer in answers {
            assert!(answer.status < 500, "seed {seed}: {}", answer.text);
        }
    }
    hotel.drain().await;
}

pub(crate) async fn the_audit_chain_of_every_room_is_continuous(hotel: &TestHotel, at_least: usize) {
    let sql =
        "SELECT room_id, previous_status, status, cause, lag(status) OVER (PARTITION BY room_id ORDER BY id) AS before
               FROM housekeeping.room_status_audit ORDER BY id";
    let steps = hotel.behind.query(sql, &[]).await.unwrap();
    assert!(steps.len() > at_least, "there should be more than {} steps", steps.len());
    for step in &steps {
        let word = |column: &str| -> String { step.get(column) };
        let before = step.get::<_, Option<String>>("before").unwrap_or_else(|| "ready".to_owned());
        assert_eq!(word("previous_status"), before, "a gap in {}", word("room_id"));
        let status = |column: &str| RoomStatus::from_word(&word(column)).unwrap();
        let cause = RoomStatusCause::from_word(&word("cause")).unwrap();
        assert!(allows(status("previous_status"), status("status"), cause), "{step:?}");
    }
    let wrong = "housekeeping.room_status r WHERE r.status <> (SELECT a.status FROM housekeeping.room_status_audit a
                 WHERE a.room_id = r.room_id ORDER BY a.id DESC LIMIT 1)";
    assert_eq!(hotel.count(wrong).await, 0, "the room is what its last step says");
    let wrong =
        "housekeeping.room_status r WHERE r.version <> 1 + (SELECT count(*) FROM housekeeping.room_status_audit a
                 WHERE a.room_id = r.room_id)";
    assert_eq!(hotel.count(wrong).await, 0, "one version a step");
}

async fn every_change_was_published_once(hotel: &TestHotel) {
    // Settings, plans, blocks and the like are the house's own affair: who and what is kept, and nobody is told.
    let audited = hotel.count("housekeeping.audit_events WHERE subject LIKE 'melmastoon.%'").await;
    let both =
        "housekeeping.audit_events a JOIN housekeeping.outbox o USING (event_id) JOIN bus.event_log l USING (event_id)";
    assert_eq!(hotel.count(both).await, audited);
    // What only nudges a board is no event.
    let told = "WHERE subject NOT LIKE 'internal.%'";
    assert_eq!(hotel.count(&format!("housekeeping.outbox {told}")).await, audited);
    assert_eq!(hotel.count(&format!("bus.event_log {told}")).await, audited);
    let versions = "housekeeping.housekeeping_tasks t WHERE version <>
                    (SELECT count(*) FROM housekeeping.audit_events a WHERE a.aggregate_kind = 'task' AND a.aggregate_id = t.id)";
    assert_eq!(hotel.count(versions).await, 0, "one version an event");
    let order = "(SELECT log_offset, (envelope->'payload'->>'aggregateVersion')::INT AS version,
                   lag((envelope->'payload'->>'aggregateVersion')::INT) OVER (PARTITION BY ordering_key ORDER BY log_offset) AS before
                   FROM bus.event_log WHERE subject LIKE '%.task.%') AS told WHERE version <= before";
    assert_eq!(hotel.count(order).await, 0, "in order for each task");
}

/// Who stayed after all, or was not in after all, may depart once more.
async fn one_departure_has_one_turnover(hotel: &TestHotel) {
    let once = "NOT EXISTS (SELECT FROM housekeeping.expected_stays e WHERE e.reservation_id = t.reservation_id
                AND (e.came_back_at IS NOT NULL OR e.undone_at IS NOT NULL))";
    let twice = format!(
        "(SELECT FROM housekeeping.housekeeping_tasks t
          WHERE kind = 'turnover' AND reservation_id IS NOT NULL AND retry_of IS NULL AND {once}
          GROUP BY reservation_id, room_id HAVING count(*) > 1) AS twice"
    );
    assert_eq!(hotel.count(&twice).await, 0);
    let open = format!(
        "(SELECT FROM housekeeping.housekeeping_tasks t
          WHERE kind = 'turnover' AND reservation_id IS NOT NULL AND status IN ('pending', 'assigned', 'in_progress', 'paused') AND {once}
          GROUP BY reservation_id, room_id HAVING count(*) > 1) AS open"
    );
    assert_eq!(hotel.count(&open).await, 0);
}

/// A room that is being cleaned is being cleaned by somebody, unless a supervisor said otherwise.
async fn nobody_cleans_without_a_task(hotel: &TestHotel) {
    let orphaned =
        "housekeeping.room_status r WHERE r.status = 'cleaning' AND r.last_cause <> 'manual_override' AND NOT EXISTS
                    (SELECT FROM housekeeping.housekeeping_tasks t
                     WHERE t.id = r.last_task_id AND t.status IN ('assigned', 'in_progress', 'paused'))";
    assert_eq!(hotel.count(orphaned).await, 0, "a room is in cleaning and nobody is at it");
}

/// What keeps a room out of order is a block, a job, or a supervisor's word; and no room that is blocked so is in use, unless a
/// supervisor said otherwise.
async fn rooms_are_out_of_order_for_a_reason(hotel: &TestHotel) {
    let held = "EXISTS (SELECT FROM housekeeping.room_blocks_view b WHERE b.tenant_id = r.tenant_id AND b.property_id = r.property_id
                AND b.room_id = r.room_id AND b.cleared_at IS NULL AND b.reason IN ('maintenance', 'oos', 'oos_echo'))";
    let without = format!(
        "housekeeping.room_status r WHERE r.status = 'out_of_order' AND r.last_cause <> 'manual_override' AND NOT {held}"
    );
    assert_eq!(hotel.count(&without).await, 0, "out of order, and nothing is wrong with it");
    let overridden = "EXISTS (SELECT FROM housekeeping.room_status_audit a WHERE a.room_id = r.room_id AND a.cause = 'manual_override')";
    let in_use = format!(
        "housekeeping.room_status r WHERE r.status NOT IN ('out_of_order', 'out_of_service') AND {held} AND NOT {overridden}"
    );
    assert_eq!(hotel.count(&in_use).await, 0, "blocked, and in use all the same");
    let twice =
        "(SELECT FROM housekeeping.discrepancies WHERE resolved_at IS NULL GROUP BY tenant_id, property_id, room_id
                  HAVING count(*) > 1) AS twice";
    assert_eq!(hotel.count(twice).await, 0, "one question of a room at a time");
}

/// Whatever happened before, this holds.
pub(crate) async fn check_everything(hotel: &TestHotel) {
    the_audit_chain_of_every_room_is_continuous(hotel, 10).await;
    every_change_was_published_once(hotel).await;
    one_departure_has_one_turnover(hotel).await;
    nobody_cleans_without_a_task(hotel).await;
    rooms_are_out_of_order_for_a_reason(hotel).await;
    on_hand_is_the_sum_of_the_movements(hotel).await;
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn a_busy_morning_leaves_everything_in_order() {
    for seed in [1, 22, 333] {
        println!("seed {seed}");
        let hotel = TestHotel::open().await;
        a_busy_morning(&hotel, seed, Hands::Steady).await;
        check_everything(&hotel).await;
    }
}

#[tokio::test]
async fn a_morning_whose_clock_leaps_to_and_fro_over_the_end_of_a_month_leaves_everything_in_order() {
    for seed in [4, 55] {
        println!("seed {seed}");
        let hotel = TestHotel::open().await;
        // 2026-04-30T23:50:00Z in the partitions, half past four in the morning of the next day at the hotel.
        hotel.clock.advance_seconds(8 * 24 * 3_600 + 17 * 3_600 + 20 * 60);
        a_busy_morning(&hotel, seed, Hands::Leap).await;
        check_everything(&hotel).await;
        let months = "(SELECT DISTINCT date_trunc('month', created_at) FROM housekeeping.housekeeping_tasks) AS months";
        assert_eq!(hotel.count(months).await, 2, "seed {seed}: there was work on both sides");
    }
}
