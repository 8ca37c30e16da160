//! Who of those at work cleans rooms: the clerk at the desk is in the house too, and is given none.

use contracts::staff::PositionRole;

contracts::closed_words! {
    /// What somebody on a shift does, seen from housekeeping.
    Job {
        /// Cleans rooms.
        Cleaning = "cleaning",
        /// Oversees those who clean, and cleans where nobody else does.
        Overseeing = "overseeing",
        /// Something else: rooms are given to them by hand only.
        Other = "other",
    }
}

/// The position that every company has and that has no role.
const MANAGER: &str = "MANAGER";

impl Job {
    /// What a position means here. `None` where nothing is told of it: such people clean, as they did before positions were told.
    pub fn of(code: Option<&str>, role: Option<&PositionRole>) -> Option<Self> {
        match role {
            Some(PositionRole::Housekeeper) => Some(Self::Cleaning),
            Some(PositionRole::Supervisor) => Some(Self::Overseeing),
            Some(PositionRole::FrontDesk | PositionRole::Maintenance) => Some(Self::Other),
            Some(PositionRole::Unknown(_)) => None,
            None => (code == Some(MANAGER)).then_some(Self::Other),
        }
    }
}

/// Those of the people at work who are given rooms by a plan: whoever cleans, and where nobody does, whoever oversees.
pub fn who_clean<P>(people: Vec<P>, job: impl Fn(&P) -> Job) -> Vec<P> {
    let somebody_cleans = people.iter().any(|person| job(person) == Job::Cleaning);
    let wanted = if somebody_cleans { Job::Cleaning } else { Job::Overseeing };
    people.into_iter().filter(|person| job(person) == wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_says_who_cleans() {
        let of = |code, role: &str| Job::of(code, Some(&PositionRole::from_word(role)));
        assert_eq!(of(None, "housekeeper"), Some(Job::Cleaning));
        assert_eq!(of(None, "supervisor"), Some(Job::Overseeing));
        assert_eq!(of(None, "front_desk"), Some(Job::Other));
        assert_eq!(of(None, "maintenance"), Some(Job::Other));
        assert_eq!(of(Some("GARDENER"), "gardener"), None, "a word of a later day says nothing");
        assert_eq!(Job::of(Some("MANAGER"), None), Some(Job::Other));
        assert_eq!(Job::of(Some("UNASSIGNED"), None), None);
        assert_eq!(Job::of(None, None), None);
    }

    #[test]
    fn who_oversees_cleans_where_nobody_else_does() {
        use Job::{Cleaning, Other, Overseeing};
        assert_eq!(who_clean(vec![Other, Cleaning, Overseeing, Cleaning], |job| *job), [Cleaning, Cleaning]);
        assert_eq!(who_clean(vec![Other, Overseeing], |job| *job), [Overseeing]);
        assert_eq!(who_clean(vec![Other], |job| *job), []);
    }
}
