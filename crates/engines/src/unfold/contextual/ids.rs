//! Typed indices of what a contextual prefix has besides events and conditions.

use crate::unfold::ids::id;

id!(/// An event together with one of its histories.
    HistoryId, "histories");
id!(/// An enriched condition: a condition together with a history of the event that made it, or of one that reads it.
    EnrichedId, "enriched conditions");
