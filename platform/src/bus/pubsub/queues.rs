//! Who goes next: of each key one at a time, in the order in which they came, and all keys side by side.

use std::collections::{HashMap, VecDeque};

/// What waits behind what is at work. A key is here as long as one of its messages is at work.
#[derive(Debug)]
pub(super) struct Queues<M> {
    behind: HashMap<String, VecDeque<M>>,
}

impl<M> Default for Queues<M> {
    fn default() -> Self {
        Self { behind: HashMap::new() }
    }
}

impl<M> Queues<M> {
    /// Gives it back if it may begin at once.
    pub(super) fn arrives(&mut self, key: &str, message: M) -> Option<M> {
        if key.is_empty() {
            return Some(message);
        }
        if let Some(queue) = self.behind.get_mut(key) {
            queue.push_back(message);
            return None;
        }
        self.behind.insert(key.to_owned(), VecDeque::new());
        Some(message)
    }

    /// The one at work has ended: the next of its key, if one waits.
    pub(super) fn ended(&mut self, key: &str) -> Option<M> {
        let next = self.behind.get_mut(key)?.pop_front();
        if next.is_none() {
            self.behind.remove(key);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::Queues;

    #[test]
    fn of_a_key_one_is_at_work_and_the_others_follow_in_their_order() {
        let mut queues = Queues::default();
        assert_eq!(queues.arrives("a", 1), Some(1));
        assert_eq!(queues.arrives("a", 2), None);
        assert_eq!(queues.arrives("b", 3), Some(3), "another key waits for nobody");
        assert_eq!(queues.arrives("a", 4), None);
        assert_eq!((queues.ended("a"), queues.ended("a"), queues.ended("a")), (Some(2), Some(4), None));
        assert_eq!(queues.arrives("a", 5), Some(5), "the key is free again");
        assert_eq!((queues.arrives("", 6), queues.arrives("", 7)), (Some(6), Some(7)), "no key, no order");
    }
}
