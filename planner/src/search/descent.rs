//! The last touch: no single task would be better with somebody else.

use super::construct::{cheapest_place, likely_people};
use super::tours::Tours;

/// Steps after which the plan is left as it is.
const MOST_STEPS: u64 = 20_000_000;

/// Moves single tasks to other people, or back to the open ones, as long as that makes the plan cheaper.
pub(crate) fn settle(tours: &mut Tours<'_>) {
    let first_step = tours.steps;
    let mut changed = true;
    while changed {
        changed = false;
        for job in 0..tours.spots.len() {
            if tours.steps - first_step > MOST_STEPS {
                return;
            }
            let spot = tours.spots[job];
            if spot.tour != tours.open() && spot.index < tours.locked(spot.tour) {
                continue;
            }
            let best = likely_people(tours, job, true)
                .into_iter()
                .filter_map(|person| cheapest_place(tours, job, person, -1))
                .min_by_key(|insertion| insertion.added);
            if let Some(insertion) = best {
                tours.apply(&insertion.change);
                changed = true;
            }
        }
    }
}
