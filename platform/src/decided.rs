//! What a domain method returns: the new state of an aggregate with the events that explain it.

/// Something with an identity and a version that changes by decisions.
pub trait Aggregate: Sized {
    /// What can happen to it, in the past tense.
    type Event;
}

/// A decision that has been taken and not been saved. It cannot be taken apart: saving it is the only way on, and
/// it always explains itself by at least one event.
///
/// ```compile_fail
/// # use platform::decided::{Aggregate, Decided};
/// struct Room; enum RoomEvent { Flipped }
/// impl Aggregate for Room { type Event = RoomEvent; }
/// let silent = Decided { state: Room, events: vec![] }; // private fields: no change without its event
/// ```
#[derive(Debug)]
#[must_use = "a decision has no effect until it is saved in a unit of work"]
pub struct Decided<A: Aggregate> {
    pub(crate) state: A,
    pub(crate) events: Vec<A::Event>,
}

impl<A: Aggregate> Decided<A> {
    pub fn new(state: A, event: A::Event) -> Self {
        Self { state, events: vec![event] }
    }

    /// One more thing that the same decision brought about.
    pub fn and(mut self, event: A::Event) -> Self {
        self.events.push(event);
        self
    }

    /// What the aggregate looks like if this is saved.
    pub fn state(&self) -> &A {
        &self.state
    }

    pub fn events(&self) -> &[A::Event] {
        &self.events
    }

    /// A second decision on top of this one, saved with it.
    pub fn then<E>(self, next: impl FnOnce(A) -> Result<Self, E>) -> Result<Self, E> {
        let mut events = self.events;
        let following = next(self.state)?;
        events.extend(following.events);
        Ok(Self { state: following.state, events })
    }
}
