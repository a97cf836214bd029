//! A set of states as a certificate: it has the initial one, no step leaves it, and none of its states is what must not be.

use serde::{Deserialize, Serialize};

/// States, packed as the system packs them; of a property with an observer, those of the system with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedSet {
    /// Each state as what differs from the one before it: the number of a word, and the word. The first one differs from
    /// the initial state.
    pub states: Vec<Vec<(u32, u64)>>,
}

impl ClosedSet {
    /// The set of these states.
    pub fn new<'a>(initial: &[u64], states: impl IntoIterator<Item = &'a [u64]>) -> Self {
        let mut last = initial.to_vec();
        let changes = |state: &[u64]| {
            let changed = (0..).zip(last.iter().zip(state)).filter(|(_, (old, new))| old != new);
            let changes = changed.map(|(i, (_, &new))| (i, new)).collect();
            last.copy_from_slice(state);
            changes
        };
        Self { states: states.into_iter().map(changes).collect() }
    }

    /// Hands the states on, one after the other. `None` if one has more words than the initial one.
    pub fn all(&self, initial: &[u64], mut take: impl FnMut(&[u64])) -> Option<()> {
        let mut state = initial.to_vec();
        for changes in &self.states {
            for &(word, value) in changes {
                *state.get_mut(word as usize)? = value;
            }
            take(&state);
        }
        Some(())
    }
}
