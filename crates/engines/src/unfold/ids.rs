//! Typed indices of the nodes of a prefix.

/// An event: one occurrence of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

/// A condition: one token on a place, put there by one event or there from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConditionId(pub u32);

impl EventId {
    /// The event with this number.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 events"))
    }

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ConditionId {
    /// The condition with this number.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 conditions"))
    }

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
