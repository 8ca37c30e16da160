//! Rosters as they were composed last, and whether they still hold.
//!
//! They are kept in the memory of the process: composing one costs less than what other processes would have to be told. Whether one
//! still holds is asked of the database each time, so no process shows what another one has changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use contracts::ids::{PropertyId, TenantId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::database::Columns;
use platform::{UnitOfWork, columns, statements};

use crate::StaffError;

/// So much of them is kept, those that were asked for last.
const MOST_BYTES: usize = 16 * 1024 * 1024;

statements! {
    SEEN = "sql/roster_seen.sql" () -> columns![seen: text];
    HOLDS = "sql/roster_holds.sql" (text) -> columns![holds: bool];
}

/// What the database has committed by now, in its own words.
#[derive(Clone, Debug)]
pub struct Seen(String);

/// To be asked before the first row is read.
pub async fn seen(uow: &mut UnitOfWork) -> Result<Option<Seen>, StaffError> {
    Ok(uow.read_one(&SEEN, &[]).await?.map(|row| row.read("seen").map(Seen)).transpose()?)
}

/// Whether nothing of the tenant's that a roster shows was changed since.
pub async fn holds(uow: &mut UnitOfWork, Seen(seen): &Seen) -> Result<bool, StaffError> {
    Ok(uow.read_one(&HOLDS, &[seen]).await?.map(|row| row.read("holds")).transpose()?.unwrap_or(false))
}

/// Seven days of a house of somebody.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RosterKey {
    pub tenant: TenantId,
    pub house: PropertyId,
    pub from: LocalDate,
}

/// A composed roster.
#[derive(Clone, Debug)]
pub struct KeptRoster {
    /// As it goes out.
    pub document: Arc<[u8]>,
    pub seen: Seen,
    pub composed_at: Timestamp,
    /// Until when it says the same if nobody does anything.
    pub steady_until: Timestamp,
}

/// The rosters that this process has composed last.
#[derive(Clone, Debug, Default)]
pub struct Rosters(Arc<Mutex<Shelf>>);

#[derive(Debug, Default)]
struct Shelf {
    kept: HashMap<RosterKey, (KeptRoster, u64)>,
    bytes: usize,
    /// Counts who asked, so that it is known which was asked for last.
    asked: u64,
}

impl Rosters {
    /// The roster, if time alone has not changed it. Whether anybody has is [`holds`]' to say.
    pub fn find(&self, key: &RosterKey, now: Timestamp) -> Option<KeptRoster> {
        let mut kept_here = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept_here.asked += 1;
        let asked = kept_here.asked;
        let (roster, last) = kept_here.kept.get_mut(key)?;
        *last = asked;
        (roster.composed_at <= now && now < roster.steady_until).then(|| roster.clone())
    }

    pub fn keep(&self, key: RosterKey, roster: KeptRoster) {
        let mut kept_here = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept_here.asked += 1;
        let asked = kept_here.asked;
        kept_here.bytes += roster.document.len();
        if let Some((before, _)) = kept_here.kept.insert(key, (roster, asked)) {
            kept_here.bytes -= before.document.len();
        }
        while kept_here.bytes > MOST_BYTES {
            let oldest = kept_here.kept.iter().min_by_key(|(_, (_, asked))| *asked).map(|(key, _)| key.clone());
            let Some((gone, _)) = oldest.and_then(|oldest| kept_here.kept.remove(&oldest)) else { break };
            kept_here.bytes -= gone.document.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(house: usize) -> RosterKey {
        RosterKey {
            tenant: TenantId::parse("tnt_A").unwrap(),
            house: PropertyId::parse(&format!("prp_{house}")).unwrap(),
            from: LocalDate(jiff::civil::date(2026, 4, 22)),
        }
    }

    fn roster(at: i64, bytes: usize) -> KeptRoster {
        KeptRoster {
            document: vec![b' '; bytes].into(),
            seen: Seen("1:1:".to_owned()),
            composed_at: Timestamp::from_millis(at),
            steady_until: Timestamp::from_millis(at + 60_000),
        }
    }

    #[test]
    fn a_roster_is_found_until_time_changes_it_and_not_before_it_was_composed() {
        let rosters = Rosters::default();
        rosters.keep(key(1), roster(600_000, 10));
        let at = |millis| rosters.find(&key(1), Timestamp::from_millis(millis)).is_some();
        assert_eq!([at(599_999), at(600_000), at(659_999), at(660_000)], [false, true, true, false]);
        assert!(rosters.find(&key(2), Timestamp::from_millis(600_000)).is_none());
    }

    #[test]
    fn those_that_were_asked_for_last_are_kept() {
        let rosters = Rosters::default();
        let now = Timestamp::from_millis(600_000);
        for house in 1..=3 {
            rosters.keep(key(house), roster(600_000, MOST_BYTES / 3));
        }
        rosters.keep(key(2), roster(600_000, MOST_BYTES / 3));
        assert!(rosters.find(&key(1), now).is_some());
        rosters.keep(key(4), roster(600_000, MOST_BYTES / 3));
        let kept: Vec<_> = (1..=4).filter(|house| rosters.find(&key(*house), now).is_some()).collect();
        assert_eq!(kept, [1, 2, 4]);
    }
}
