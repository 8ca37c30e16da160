//! Many decide about the same people at once: one truth, no deadlock, nothing that is the server's fault.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::test_hotel::{Answer, TestHotel, text};

/// Every answer is a success or a refusal in words; a clash that was too close to call may be tried again.
fn check(answers: &[Answer]) {
    for answer in answers {
        assert!(answer.status < 500, "{}", answer.text);
    }
}

async fn nobody_is_in_two_places(hotel: &TestHotel) {
    let twice = "staff.shift_assignments a JOIN staff.shift_assignments b
                   ON a.staff_id = b.staff_id AND a.id < b.id AND a.status = 'active' AND b.status = 'active'
                  AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at";
    assert_eq!(hotel.count(twice).await, 0);
    let stale = "staff.shift_assignments a JOIN staff.shifts s ON s.id = a.shift_id
                 WHERE a.status = 'active' AND (a.starts_at <> s.starts_at OR a.ends_at <> s.ends_at)";
    assert_eq!(hotel.count(stale).await, 0, "the copied window is the shift's");
}

#[tokio::test]
async fn of_64_who_assign_swap_and_decide_about_one_person_at_once_there_is_one_truth() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let leave = text(&hotel.ask_for_leave(&gulalai, "2026-04-25", "2026-04-25").await.done()["leaveRequestId"]);
    let (early, late) =
        (hotel.shift_on("2026-04-25", "06:00", "14:00").await, hotel.shift_on("2026-04-26", "06:00", "14:00").await);
    let own = hotel.place(&early, &gulalai).await.done()["assignmentId"].clone();
    let other = hotel.place(&late, &nasrin).await.done()["assignmentId"].clone();
    let mut shifts = Vec::new();
    for hour in 0..16 {
        shifts.push(hotel.shift_on("2026-04-25", &format!("{:02}:00", 7 + hour % 8), "23:00").await);
    }
    let swap = json!({ "leftAssignmentId": own, "rightAssignmentId": other });
    let one = async |at: usize| match at % 4 {
        0 | 1 => hotel.place(&shifts[at / 4], &gulalai).await,
        2 => hotel.post(&hotel.supervisor(), "/staff/v1/shifts/swap", swap.clone()).await,
        _ => hotel.decide_leave(&leave, if at % 8 == 3 { "approve" } else { "reject" }).await,
    };
    let answers = futures_util::future::join_all((0..64).map(one)).await;
    check(&answers);
    let succeeded =
        |kind: usize| answers.iter().enumerate().filter(|(at, one)| at % 4 == kind && one.status < 300).count();
    assert_eq!(succeeded(3), 1, "leave is decided once");
    assert!(succeeded(2) <= 1, "a swap happens once");
    nobody_is_in_two_places(&hotel).await;
    let shown = hotel.get(&hotel.supervisor(), &format!("/staff/v1/leave/{leave}")).await.done();
    if shown["status"] == "approved" {
        let working = format!(
            "staff.shift_assignments a JOIN staff.shifts s ON s.id = a.shift_id
             WHERE a.status = 'active' AND a.staff_id = '{gulalai}' AND s.local_date = '2026-04-25'"
        );
        assert_eq!(hotel.count(&working).await, 0, "nobody on leave has a place");
    }
}

#[tokio::test]
async fn of_64_leaves_for_the_same_days_at_once_one_is_asked_for() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let asks = (0..64).map(|_| hotel.ask_for_leave(&gulalai, "2026-05-01", "2026-05-03"));
    let answers = futures_util::future::join_all(asks).await;
    check(&answers);
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert_eq!(hotel.count("staff.leave_requests").await, 1);
}

#[derive(Clone, Debug)]
enum Step {
    Assign { shift: usize, person: usize },
    Swap { left: usize, right: usize },
    Move { shift: usize, hour: u8, length: u8 },
    Unassign { shift: usize },
    Promote { shift: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..8_usize, 0..4_usize).prop_map(|(shift, person)| Step::Assign { shift, person }),
        2 => (0..8_usize, 0..8_usize).prop_map(|(left, right)| Step::Swap { left, right }),
        3 => (0..8_usize, 0..20_u8, 1..4_u8).prop_map(|(shift, hour, length)| Step::Move { shift, hour, length }),
        1 => (0..8_usize).prop_map(|shift| Step::Unassign { shift }),
        1 => (0..8_usize).prop_map(|shift| Step::Promote { shift }),
    ];
    prop::collection::vec(step, 12..=12)
}

#[tokio::test]
async fn whatever_is_assigned_swapped_and_moved_at_once_nobody_is_in_two_places() {
    let hotel = TestHotel::open().await;
    let mut people = Vec::new();
    for name in ["Gulalai", "Nasrin", "Parwin", "Spogmai"] {
        people.push(hotel.employ(name).await);
    }
    let mut shifts = Vec::new();
    for at in 0..8 {
        shifts.push(hotel.shift_on("2026-04-25", &format!("{:02}:00", at * 2), &format!("{:02}:00", at * 2 + 6)).await);
    }
    let supervisor = hotel.supervisor();
    let mut runner = TestRunner::deterministic();
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..10 {
        let wanted = steps().new_tree(&mut runner).unwrap().current();
        let mut places = Vec::new();
        for shift in &shifts {
            let held = hotel.shift_now(shift).await["assignments"].clone();
            places.push(held.as_array().unwrap().iter().map(|one| text(&one["assignmentId"])).collect::<Vec<_>>());
        }
        let place = |shift: usize| places[shift].first().cloned().unwrap_or_else(|| "sha_NONE".to_owned());
        let act = async |step: &Step| match step {
            Step::Assign { shift, person } => {
                let body = json!({ "staffId": people[*person], "force": true });
                hotel.post(&supervisor, &format!("/staff/v1/shifts/{}/assignments", shifts[*shift]), body).await
            }
            Step::Swap { left, right } => {
                let body = json!({ "leftAssignmentId": place(*left), "rightAssignmentId": place(*right) });
                hotel.post(&supervisor, "/staff/v1/shifts/swap", body).await
            }
            Step::Move { shift, hour, length } => {
                let (start, end) = (format!("{hour:02}:00"), format!("{:02}:00", hour + length));
                let body = json!({ "localWindow": { "date": "2026-04-25", "startLocal": start, "endLocal": end } });
                hotel.patch(&supervisor, &format!("/staff/v1/shifts/{}", shifts[*shift]), body).await
            }
            Step::Unassign { shift } => {
                let path = format!("/staff/v1/shifts/{}/assignments/{}", shifts[*shift], place(*shift));
                hotel.ask(crate::test_hotel::Ask::new(axum::http::Method::DELETE, path).by(&supervisor)).await
            }
            Step::Promote { shift } => {
                let path = format!("/staff/v1/shifts/{}/promote-standby", shifts[*shift]);
                hotel.post(&supervisor, &path, json!({ "force": true })).await
            }
        };
        let answers = futures_util::future::join_all(wanted.iter().map(act)).await;
        check(&answers);
        for answer in answers.iter().filter(|answer| answer.status >= 300) {
            *refusals.entry(answer.code().to_owned()).or_default() += 1;
        }
        nobody_is_in_two_places(&hotel).await;
    }
    assert!(refusals.contains_key("MELMASTOON.STAFF.ASSIGNMENT_OVERLAP"), "it came to a clash: {refusals:?}");
}
