//! Whether the people who are there can do the work that waits.

use contracts::housekeeping::{StaffingGapAction, TaskPriority};
use contracts::ids::{PropertyId, ShiftId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

use super::job::{Job, who_clean};

/// So much more than there is time for is borne, in percent of it: estimates are estimates.
const BORNE_PERCENT: i64 = 120;
/// So many tasks are named at most.
const MOST_NAMED: usize = 200;

/// Somebody who is at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    pub property_id: PropertyId,
    pub shift_id: ShiftId,
    pub capacity_minutes: i32,
    pub ends_at: Timestamp,
    pub job: Job,
}

/// A task that nobody has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub property_id: PropertyId,
    pub task_id: TaskId,
    pub priority: TaskPriority,
    pub estimated_minutes: i32,
    pub scheduled_for: Option<Timestamp>,
}

/// There is more to do in a house than the people there have time for. It is told of the shift that ends last: whatever is left will be
/// left to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffingGap {
    pub property_id: PropertyId,
    pub shift_id: ShiftId,
    pub detected_at: Timestamp,
    pub pending_minutes: u32,
    pub capacity_minutes: u32,
    pub action: StaffingGapAction,
    pub affected: Vec<TaskId>,
    pub version: i32,
}

/// A gap was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noticed;

impl Aggregate for StaffingGap {
    type Event = Noticed;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl StaffingGap {
    pub fn noticed(self) -> Decided<Self> {
        Decided::opened(self, Noticed)
    }
}

/// The houses in which the work that waits is more than a fifth above what the people there have time for. `work` comes most urgent
/// first, oldest first.
pub fn gaps(people: &[Present], work: &[Waiting], now: Timestamp) -> Vec<StaffingGap> {
    let mut houses: Vec<&PropertyId> = people.iter().map(|person| &person.property_id).collect();
    houses.sort();
    houses.dedup();
    houses.into_iter().filter_map(|house| gap_of(house, people, work, now)).collect()
}

fn gap_of(house: &PropertyId, people: &[Present], work: &[Waiting], now: Timestamp) -> Option<StaffingGap> {
    let here = people.iter().filter(|person| person.property_id == *house);
    let here = who_clean(here.collect(), |person| person.job);
    let minutes_left =
        |person: &Present| i64::from(person.capacity_minutes).min(person.ends_at.minutes_since(now)).max(0);
    let capacity: i64 = here.iter().map(|person| minutes_left(person)).sum();
    let last = here.iter().max_by_key(|person| (person.ends_at, &person.shift_id))?;
    // Work for tomorrow is tomorrow's people's.
    let is_theirs =
        |task: &&Waiting| task.property_id == *house && task.scheduled_for.is_none_or(|at| at < last.ends_at);
    let waiting: Vec<_> = work.iter().filter(is_theirs).collect();
    let minutes = |task: &Waiting| i64::from(task.estimated_minutes);
    let pending: i64 = waiting.iter().map(|task| minutes(task)).sum();
    if pending * 100 <= capacity * BORNE_PERCENT {
        return None;
    }
    let mut planned = 0;
    let late = waiting.iter().filter(|task| {
        planned += minutes(task);
        planned > capacity
    });
    let affected = late.map(|task| task.task_id.clone()).take(MOST_NAMED).collect();
    let can_wait: i64 =
        waiting.iter().filter(|task| task.priority == TaskPriority::Low).map(|task| minutes(task)).sum();
    let action = if pending - can_wait <= capacity {
        StaffingGapAction::DeferLowPriority
    } else {
        StaffingGapAction::CallRelief
    };
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Some(StaffingGap {
        property_id: house.clone(),
        shift_id: last.shift_id.clone(),
        detected_at: now,
        pending_minutes: number(pending),
        capacity_minutes: number(capacity),
        action,
        affected,
        version: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_millis(1_776_839_400_000)
    }

    fn house(name: &str) -> PropertyId {
        PropertyId::parse(&format!("prp_{name}")).unwrap()
    }

    fn present(shift: &str, capacity_minutes: i32, hours_left: i64) -> Present {
        let shift_id = ShiftId::parse(&format!("shf_{shift}")).unwrap();
        let ends_at = now().plus_seconds(hours_left * 3_600);
        Present { property_id: house("A"), shift_id, capacity_minutes, ends_at, job: Job::Cleaning }
    }

    fn waiting(count: usize, priority: TaskPriority) -> Vec<Waiting> {
        let task = |n| Waiting {
            property_id: house("A"),
            task_id: TaskId::parse(&format!("hkt_{n}")).unwrap(),
            priority,
            estimated_minutes: 50,
            scheduled_for: None,
        };
        (0..count).map(task).collect()
    }

    #[test]
    fn a_fifth_more_than_there_is_time_for_is_borne_and_not_a_minute_more() {
        let people = [present("A", 500, 10)];
        assert_eq!(gaps(&people, &waiting(12, TaskPriority::Normal), now()), []);
        let found = gaps(&people, &waiting(13, TaskPriority::Normal), now());
        assert_eq!((found[0].pending_minutes, found[0].capacity_minutes), (650, 500));
        assert_eq!(found[0].affected.len(), 3, "ten of them can be done");
        assert_eq!(found[0].action, StaffingGapAction::CallRelief);
    }

    #[test]
    fn who_goes_home_in_an_hour_has_an_hour() {
        let people = [present("A", 500, 1), present("B", 500, 2)];
        let found = gaps(&people, &waiting(5, TaskPriority::Normal), now());
        assert_eq!(
            (found[0].capacity_minutes, found[0].shift_id.as_str()),
            (180, "shf_B"),
            "told of the last to leave"
        );
        let gone = [present("A", 500, -1)];
        assert_eq!(gaps(&gone, &waiting(1, TaskPriority::Normal), now())[0].capacity_minutes, 0);
    }

    #[test]
    fn what_can_wait_is_left_for_later_before_anybody_is_called_in() {
        let people = [present("A", 500, 10)];
        let mut work = waiting(9, TaskPriority::Normal);
        work.extend(waiting(5, TaskPriority::Low));
        assert_eq!(gaps(&people, &work, now())[0].action, StaffingGapAction::DeferLowPriority);
    }

    #[test]
    fn work_for_later_than_anybody_stays_is_left_to_those_who_come_then() {
        let people = [present("A", 500, 10), present("B", 500, 1)];
        let mut work = waiting(20, TaskPriority::Normal);
        for task in &mut work[8..] {
            task.scheduled_for = Some(now().plus_seconds(10 * 3_600));
        }
        assert_eq!(gaps(&people, &work, now()), []);
        for task in &mut work[8..] {
            task.scheduled_for = Some(now().plus_seconds(9 * 3_600));
        }
        assert_eq!(gaps(&people, &work, now())[0].pending_minutes, 1_000);
    }

    #[test]
    fn the_clerk_at_the_desk_does_none_of_it() {
        let clerk = Present { job: Job::Other, ..present("DESK", 500, 20) };
        let found = gaps(&[clerk.clone(), present("A", 500, 10)], &waiting(13, TaskPriority::Normal), now());
        assert_eq!((found[0].capacity_minutes, found[0].shift_id.as_str()), (500, "shf_A"));
        assert_eq!(gaps(&[clerk], &waiting(13, TaskPriority::Normal), now()), [], "nobody is there whose gap it is");
    }

    #[test]
    fn a_house_is_measured_by_its_own_people_and_work() {
        let elsewhere = Present { property_id: house("B"), ..present("B", 10, 10) };
        assert_eq!(gaps(&[elsewhere, present("A", 500, 10)], &waiting(10, TaskPriority::Normal), now()), []);
    }
}
