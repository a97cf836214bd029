//! Typed indices of the nodes of a prefix.

/// Defines a number of something.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The one with this number.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect(concat!("fewer than 2^32 ", $what)))
            }

            /// Its number.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<$name> for usize {
            fn from(id: $name) -> usize {
                id.index()
            }
        }
    };
}

pub(super) use id;

id!(/// An event: one occurrence of a transition.
    EventId, "events");
id!(/// A condition: one token on a place, put there by one event or there from the start.
    ConditionId, "conditions");
