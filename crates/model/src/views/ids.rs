//! Typed indices of the parts of views.

use std::fmt;

use crate::ids::id;

id!(/// A component of a network.
    ComponentId, "C");
id!(/// A local state, numbered within its component.
    StateId, "s");
id!(/// An event, numbered within its component.
    EventId, "e");
id!(/// A synchronisation rule of a network.
    RuleId, "r");
id!(/// A place of a net.
    PlaceId, "p");
id!(/// A transition of a net.
    NetTransitionId, "n");
