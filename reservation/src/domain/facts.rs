//! What others told of a reservation: money that moved, rooms that another inventory set aside, keys. They come in any order and more
//! than once.

use contracts::ids::RoomId;
use contracts::reservation::PaymentMethod;
use contracts::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::money::{Money, TooMuch};

/// Something that another service told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    Captured { intent: String, amount: Money, method: Option<PaymentMethod>, event: String },
    PaymentFailed { intent: String },
    Refunded { intent: String, amount: Money },
    AllocationCommitted { ids: Vec<String> },
    AllocationFailed { reason: Option<String> },
    KeyIssued { key: String, room: Option<RoomId> },
    KeyFailed { room: Option<RoomId> },
}

impl Fact {
    /// The word it is kept under.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Captured { .. } => "captured",
            Self::PaymentFailed { .. } => "payment_failed",
            Self::Refunded { .. } => "refunded",
            Self::AllocationCommitted { .. } => "allocation_committed",
            Self::AllocationFailed { .. } => "allocation_failed",
            Self::KeyIssued { .. } => "key_issued",
            Self::KeyFailed { .. } => "key_failed",
        }
    }
}

/// A capture of money.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'a> {
    pub intent: &'a str,
    pub amount: Money,
    pub method: Option<&'a PaymentMethod>,
    pub event: &'a str,
    pub at: Option<Timestamp>,
}

/// All that was told, in the order in which it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(Vec<(String, Fact)>, Vec<Option<Timestamp>>);

impl Facts {
    /// Takes note of something, unless it was told before.
    pub fn note(&mut self, key: &str, fact: Fact) -> bool {
        self.note_at(key, fact, None)
    }

    /// With when it was told.
    pub fn note_at(&mut self, key: &str, fact: Fact, at: Option<Timestamp>) -> bool {
        let known = self.0.iter().any(|(old, other)| old == key && other.kind() == fact.kind());
        if !known {
            self.0.push((key.to_owned(), fact));
            self.1.push(at);
        }
        !known
    }

    pub fn captured(&self) -> impl Iterator<Item = Capture<'_>> {
        self.0.iter().zip(&self.1).filter_map(|((_, fact), at)| match fact {
            // What somebody only said is no more than what the payment service told of the same payment.
            Fact::Captured { intent, event, .. } if event.is_empty() && self.was_told(intent) => None,
            Fact::Captured { intent, amount, method, event } => {
                Some(Capture { intent, amount: *amount, method: method.as_ref(), event, at: *at })
            }
            _ => None,
        })
    }

    fn was_told(&self, intent: &str) -> bool {
        let told =
            |fact: &Fact| matches!(fact, Fact::Captured { intent: of, event, .. } if of == intent && !event.is_empty());
        self.0.iter().any(|(_, fact)| told(fact))
    }

    pub fn captured_sum(&self) -> Result<Money, TooMuch> {
        Money::sum(self.captured().map(|capture| capture.amount))
    }

    pub fn captured_of(&self, intent: &str) -> Result<Money, TooMuch> {
        Money::sum(self.captured().filter(|capture| capture.intent == intent).map(|capture| capture.amount))
    }

    /// What somebody only said was captured, as far as it counts.
    pub fn said_of(&self, intent: &str) -> Result<Money, TooMuch> {
        let said = self.captured().filter(|capture| capture.intent == intent && capture.event.is_empty());
        Money::sum(said.map(|capture| capture.amount))
    }

    pub fn refunded_of(&self, intent: &str) -> Result<Money, TooMuch> {
        Money::sum(self.0.iter().filter_map(|(_, fact)| match fact {
            Fact::Refunded { intent: of, amount } if of == intent => Some(*amount),
            _ => None,
        }))
    }

    pub fn refunded_sum(&self) -> Result<Money, TooMuch> {
        Money::sum(self.0.iter().filter_map(|(_, fact)| match fact {
            Fact::Refunded { amount, .. } => Some(*amount),
            _ => None,
        }))
    }

    /// How it was paid: one way, or mixed; `card` where nobody said, or said what is no way that others know.
    pub fn method(&self) -> PaymentMethod {
        let mut methods: Vec<&PaymentMethod> = self.captured().filter_map(|capture| capture.method).collect();
        methods.sort_unstable();
        methods.dedup();
        match methods[..] {
            [] | [PaymentMethod::Unknown(_)] => PaymentMethod::Card,
            [one] => one.clone(),
            _ => PaymentMethod::Mixed,
        }
    }

    /// Whether the payment that this reservation waits for has failed. Without an intent of its own any failure is its own.
    pub fn payment_failed(&self, own: Option<&str>) -> bool {
        self.0.iter().any(|(_, fact)| match fact {
            Fact::PaymentFailed { intent } => own.is_none_or(|own| own == intent),
            _ => false,
        })
    }

    /// Whether another inventory said no before it said yes.
    pub fn allocation_failed(&self) -> bool {
        let verdict = self.0.iter().find_map(|(_, fact)| match fact {
            Fact::AllocationCommitted { .. } => Some(false),
            Fact::AllocationFailed { .. } => Some(true),
            _ => None,
        });
        verdict == Some(true)
    }

    /// Whether another inventory said yes before it said no.
    pub fn is_allocated(&self) -> bool {
        let verdict = self.0.iter().find_map(|(_, fact)| match fact {
            Fact::AllocationCommitted { .. } => Some(true),
            Fact::AllocationFailed { .. } => Some(false),
            _ => None,
        });
        verdict == Some(true)
    }

    /// Whether a key could not be made for one of these rooms, and has not been since. `loose`: see [`Self::keyed`].
    pub fn key_failed(&self, rooms: &[&RoomId], loose: usize) -> bool {
        let is_keyed = |room: &RoomId| {
            self.0.iter().any(|(_, fact)| matches!(fact, Fact::KeyIssued { room: Some(keyed), .. } if keyed == room))
        };
        self.0.iter().any(|(_, fact)| match fact {
            Fact::KeyFailed { room: Some(room) } => rooms.contains(&room) && !is_keyed(room),
            Fact::KeyFailed { room: None } => self.keyed(rooms, loose) < rooms.len(),
            _ => false,
        })
    }

    /// What another inventory has set aside, each once however often it was told.
    pub fn allocation_ids(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for (_, fact) in &self.0 {
            let Fact::AllocationCommitted { ids } = fact else { continue };
            for id in ids {
                if !all.contains(id) {
                    all.push(id.clone());
                }
            }
        }
        all
    }

    pub fn keys(&self) -> Vec<String> {
        let mut keys = Vec::new();
        for (_, fact) in &self.0 {
            if let Fact::KeyIssued { key, .. } = fact
                && !keys.contains(key)
            {
                keys.push(key.clone());
            }
        }
        keys
    }

    /// Those of these rooms that no key names.
    pub(super) fn without_key<'a>(&self, rooms: &[&'a RoomId]) -> Vec<&'a RoomId> {
        let is_named = |room: &RoomId| {
            self.0.iter().any(|(_, fact)| matches!(fact, Fact::KeyIssued { room: Some(keyed), .. } if keyed == room))
        };
        rooms.iter().copied().filter(|room| !is_named(room)).collect()
    }

    /// How many keys name no room.
    pub(super) fn unnamed_keys(&self) -> usize {
        self.0.iter().filter(|(_, fact)| matches!(fact, Fact::KeyIssued { room: None, .. })).count()
    }

    /// How many of these rooms have a key: one that names them, or one of so many that name no room, which are for the first without.
    pub(super) fn keyed(&self, rooms: &[&RoomId], loose: usize) -> usize {
        (rooms.len() - self.without_key(rooms).len() + loose).min(rooms.len())
    }
}
