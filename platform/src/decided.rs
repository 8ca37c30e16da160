//! What a domain method returns: the new state of an aggregate with the events that explain it.

/// Something with an identity and a version that changes by decisions.
pub trait Aggregate: Sized {
    /// What can happen to it, in the past tense.
    type Event;

    /// How many events it has been through: 1 when it was opened. Only [`Decided`] counts it on.
    fn version_mut(&mut self) -> &mut i32;
}

/// A decision that has been taken and not been saved. It cannot be taken apart: saving it is the only way on, it always
/// explains itself by at least one event, and it knows whether it opens an aggregate or changes one, and from which version.
/// Each event is one version further than the one before it, so that a reader who drops what is stale loses none of them.
///
/// ```compile_fail
/// # use platform::decided::{Aggregate, Decided};
/// struct Room { version: i32 } enum RoomEvent { Flipped }
/// impl Aggregate for Room { type Event = RoomEvent; fn version_mut(&mut self) -> &mut i32 { &mut self.version } }
/// let silent = Decided { state: Room { version: 1 }, from: None, events: vec![] }; // private: no change without its event
/// ```
#[derive(Debug)]
#[must_use = "a decision has no effect until it is saved in a unit of work"]
pub struct Decided<A: Aggregate> {
    pub(crate) state: A,
    pub(crate) from: Option<i32>,
    pub(crate) events: Vec<A::Event>,
}

impl<A: Aggregate> Decided<A> {
    /// The aggregate comes into being with this event, at version 1.
    pub fn opened(mut state: A, event: A::Event) -> Self {
        *state.version_mut() = 1;
        Self { state, from: None, events: vec![event] }
    }

    /// The aggregate, at the version it was read at, becomes this state; its version is counted on.
    pub fn changed(mut state: A, event: A::Event) -> Self {
        let version = state.version_mut();
        let from = Some(*version);
        *version += 1;
        Self { state, from, events: vec![event] }
    }

    /// One more thing that the same decision brought about.
    pub fn and(mut self, event: A::Event) -> Self {
        *self.state.version_mut() += 1;
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

    /// The version that was decided on; `None` where the aggregate comes into being.
    pub fn from_version(&self) -> Option<i32> {
        self.from
    }

    /// A second decision on top of this one, saved with it.
    pub fn then<E>(self, next: impl FnOnce(A) -> Result<Self, E>) -> Result<Self, E> {
        let mut events = self.events;
        let following = next(self.state)?;
        events.extend(following.events);
        Ok(Self { state: following.state, from: self.from, events })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Stay {
        version: i32,
    }

    impl Aggregate for Stay {
        type Event = &'static str;
        fn version_mut(&mut self) -> &mut i32 {
            &mut self.version
        }
    }

    #[test]
    fn a_decision_counts_its_events_from_the_version_it_was_taken_on() {
        let opened = Decided::opened(Stay { version: 0 }, "held").and("confirmed");
        assert_eq!((opened.from_version(), opened.state().version), (None, 2));
        let changed = Decided::changed(Stay { version: 7 }, "left early").and("left");
        assert_eq!((changed.from_version(), changed.state().version), (Some(7), 9));
    }

    #[test]
    fn a_decision_on_top_of_another_is_still_from_the_version_that_was_read() {
        let first = Decided::changed(Stay { version: 3 }, "inspected");
        let both = first.then(|stay| Ok::<_, ()>(Decided::changed(stay, "ready"))).unwrap();
        assert_eq!(
            (both.from_version(), both.state().version, both.events()),
            (Some(3), 5, &["inspected", "ready"][..])
        );
    }
}
