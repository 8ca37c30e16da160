//! Somebody's employment, by every step in every order.

use contracts::ids::UserId;
use contracts::time::Timestamp;
use proptest::prelude::*;
use staff::domain::person::{Cascade, Person, PersonEvent, Termination};
use staff::domain::pin::{Counted, Failures};
use staff::domain::words::Standing;

use crate::{day, gulalai, now};

#[derive(Clone, Copy, Debug)]
enum Step {
    Suspend,
    Activate,
    Invite,
    Terminate,
    Reactivate,
    Link,
}

fn take(person: Person, step: Step) -> Option<(Person, Vec<PersonEvent>)> {
    let same = person.particulars.clone();
    let termination = Termination { reason: "test".to_owned(), on: day("2026-04-22"), note: None };
    let decided = match step {
        Step::Suspend => person.update(same, (Some(Standing::Suspended), false), now()).ok().flatten(),
        Step::Activate => person.update(same, (Some(Standing::Active), false), now()).ok().flatten(),
        Step::Invite => person.update(same, (Some(Standing::PendingInvite), false), now()).ok().flatten(),
        Step::Terminate => person.terminate(termination, Cascade::default(), now()).ok(),
        Step::Reactivate => {
            let linked = person.particulars.user_id.is_some();
            person.reactivate(day("2026-04-23"), linked, now()).ok()
        }
        Step::Link => person.link(UserId::parse("usr_G").unwrap(), now()),
    };
    decided.map(|decided| (decided.state().clone(), decided.events().to_vec()))
}

/// From, step, to: the one table. What is not in it is refused or nothing new.
const STEPS: &[(Standing, Step, Standing)] = &[
    (Standing::PendingInvite, Step::Suspend, Standing::Suspended),
    (Standing::Active, Step::Suspend, Standing::Suspended),
    (Standing::Suspended, Step::Activate, Standing::Active),
    (Standing::PendingInvite, Step::Terminate, Standing::Terminated),
    (Standing::Active, Step::Terminate, Standing::Terminated),
    (Standing::Suspended, Step::Terminate, Standing::Terminated),
    (Standing::PendingInvite, Step::Link, Standing::Active),
];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let one = prop_oneof![
        Just(Step::Suspend),
        Just(Step::Activate),
        Just(Step::Invite),
        Just(Step::Terminate),
        Just(Step::Reactivate),
        Just(Step::Link),
    ];
    prop::collection::vec(one, 0..30)
}

proptest! {
    #[test]
    fn an_employment_changes_only_by_the_table_and_each_change_is_one_event_and_one_version(steps in steps()) {
        let mut person = gulalai();
        for step in steps {
            let (before, linked) = (person.employment.standing(), person.particulars.user_id.is_some());
            let after = take(person.clone(), step);
            let known = STEPS.iter().find(|(from, by, _)| {
                *from == before && std::mem::discriminant(by) == std::mem::discriminant(&step)
            });
            match (&after, known) {
                (Some((after, events)), Some((_, _, to))) => {
                    prop_assert_eq!(after.employment.standing(), *to);
                    prop_assert_eq!(events.len(), 1);
                    prop_assert_eq!(after.version, person.version + 1);
                }
                (Some((after, _)), None) => match step {
                    Step::Reactivate => {
                        prop_assert_eq!(before, Standing::Terminated);
                        let back = if linked { Standing::Active } else { Standing::PendingInvite };
                        prop_assert_eq!(after.employment.standing(), back);
                    }
                    // A login that was not known yet; who is suspended stays so.
                    Step::Link => {
                        prop_assert!(!linked && before != Standing::Terminated);
                        prop_assert_eq!(after.employment.standing(), before);
                    }
                    other => prop_assert!(false, "{other:?} from {before:?}"),
                },
                (None, Some(row)) => prop_assert!(false, "{row:?} was refused"),
                (None, None) => {}
            }
            if let Some((after, _)) = after {
                person = after;
            }
            prop_assert!(person.particulars.property_access.contains(&person.particulars.home_property_id));
        }
    }
}

#[test]
fn a_home_that_changes_is_one_of_the_houses() {
    let person = gulalai();
    let mut moved = person.particulars.clone();
    moved.home_property_id = contracts::ids::PropertyId::parse("prp_BALA").unwrap();
    let decided = person.update(moved, (None, false), now()).unwrap().unwrap();
    assert_eq!(decided.state().particulars.property_access[0].as_str(), "prp_BALA");
    assert_eq!(decided.events(), [PersonEvent::Updated(vec!["homePropertyId", "propertyAccess"])]);
}

#[test]
fn nobody_works_after_their_last_day() {
    let mut person = gulalai();
    person.particulars.employment_ends_at = Some(day("2026-04-30"));
    assert!(person.may_work_on(day("2026-04-30")));
    assert!(!person.may_work_on(day("2026-05-01")));
}

proptest! {
    /// However tries and right ones fall, in any time as long as the limit's no more failures are judged than it says, no more are
    /// remembered, and whoever is refused waits no longer than that time.
    #[test]
    fn never_more_wrong_pins_are_judged_in_any_span_than_may_be(
        which in prop::sample::select(Counted::ALL.to_vec()),
        tries in prop::collection::vec((0..1_000_u32, 0..20_u8), 1..1_200),
    ) {
        let (most, seconds) = which.limit();
        let (most, span) = (usize::try_from(most).unwrap(), i64::from(seconds));
        let mut failures = Failures::default();
        let mut judged: Vec<Timestamp> = Vec::new();
        let mut now = now();
        for (thousandths, kind) in tries {
            // Most come close together; some at the very edge, or after a pause.
            now = now.plus_seconds(match kind {
                0 => span,
                1 => span - 1,
                2 => span * i64::from(thousandths) / 1_000,
                _ => span * i64::from(thousandths % 7) / 6_000,
            });
            match failures.count(which, now) {
                Ok(()) if kind == 19 => failures.take_back(which, now),
                Ok(()) => judged.push(now),
                Err(until) => {
                    let last = judged.last().copied().unwrap_or(now);
                    prop_assert!(now < until && until <= last.plus_seconds(span));
                }
            }
            prop_assert!(failures.len() <= most);
        }
        for first in judged.windows(most + 1) {
            prop_assert!(first[0].plus_seconds(span) <= first[most], "{} in less than {span} s", most + 1);
        }
    }
}
