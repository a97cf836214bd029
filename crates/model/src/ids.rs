//! Typed indices: no bare `usize` names a part of a model across a module border.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $tag:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the element at `index`; models never reach 2^32 elements.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a model has fewer than 2^32 elements of a kind"))
            }

            /// The position in the vector that this id indexes.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($tag, "{}"), self.0)
            }
        }
    };
}

pub(crate) use id;

id!(/// A process of a system.
    ProcessId, "P");
id!(/// A location, numbered within its process.
    LocationId, "l");
id!(/// An object: one cell, even when it was declared as part of an array.
    ObjectId, "o");
id!(/// A transition, in the system's fixed order.
    TransitionId, "t");
id!(/// An action on which processes synchronise.
    ActionId, "a");
