//! Typed indices of what a contextual prefix has besides events and conditions.

/// An event together with one of its histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HistoryId(pub u32);

/// An enriched condition: a condition together with a history of the event that made it, or of one that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnrichedId(pub u32);

impl HistoryId {
    /// The history with this number.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 histories"))
    }

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EnrichedId {
    /// The enriched condition with this number.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 enriched conditions"))
    }

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
