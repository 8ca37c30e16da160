//! The fair share of each person: equal use of capacity, as water fills a vessel.

use crate::instance::Instance;

/// Parts of a whole in which the level is searched.
const LEVELS: i64 = 1_000_000;

/// Seconds of work that would be fair for each person: the same part of everybody's capacity, never less than
/// what the person has already, never more than the rest of the shift can hold.
pub(crate) fn fair_shares(instance: &Instance) -> Vec<i64> {
    let at_level = |level: i64| -> Vec<i64> {
        instance
            .staff
            .iter()
            .map(|person| {
                let least = person.load_min * 60;
                let most = least + (person.shift_end_min - person.available_from_min).max(0) * 60;
                (person.capacity_min * 60 * level / LEVELS).max(least).min(most)
            })
            .collect()
    };
    let work = instance.staff.iter().map(|person| person.load_min * 60).sum::<i64>()
        + instance.tasks.iter().map(|task| task.minutes * 60).sum::<i64>();
    let (mut low, mut high) = (0, 3 * LEVELS);
    while low < high {
        let middle = i64::midpoint(low, high);
        if at_level(middle).iter().sum::<i64>() >= work {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    at_level(low)
}
