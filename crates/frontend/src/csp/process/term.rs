//! Process terms: one node of each operator.

use std::rc::Rc;

use super::event::{Event, RelationId, SetId};

/// A term of a store; equal terms have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TermId(pub(super) u32);

/// A process that is known by name and arguments, and unfolded when it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CallId(pub(crate) u32);

/// What a composition synchronises on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sync {
    /// All parts take part in these events; in others, one part alone.
    Interface(SetId),
    /// Each part has an alphabet and takes part in all events of it; it can do nothing else.
    Alphabets(Rc<[SetId]>),
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    /// Has terminated.
    Omega,
    /// A composition all of whose parts have terminated: it terminates itself, and counts as terminated in another
    /// composition.
    Done,
    /// Does nothing.
    Stop,
    /// Terminates.
    Skip,
    /// Does internal steps for ever.
    Div,
    /// Does any of these events, at the choice of the environment, for ever.
    Run(SetId),
    /// Does any of these events, or stops, at its own choice.
    Chaos(SetId),
    /// Offers events; in increasing order.
    Menu(Rc<[(Event, TermId)]>),
    /// `P [] Q`.
    External(Rc<[TermId]>),
    /// `P |~| Q`.
    Internal(Rc<[TermId]>),
    /// `P [> Q`.
    Sliding(TermId, TermId),
    /// `P ; Q`.
    Sequential(TermId, TermId),
    /// `P ; P ; ...`.
    Loop(TermId),
    /// `P /\ Q`.
    Interrupt(TermId, TermId),
    /// `P [| A |> Q`.
    Exception(TermId, SetId, TermId),
    /// `P [+ A +] Q`.
    SynchronisingExternal(TermId, SetId, TermId),
    /// `P /+ A +\ Q`.
    SynchronisingInterrupt(TermId, SetId, TermId),
    /// `P [| A |] Q`, `P [A || B] Q` and their replicated forms.
    Parallel(Rc<[TermId]>, Sync),
    /// `P \ A`.
    Hide(TermId, SetId),
    /// `P [[ R ]]`.
    Rename(TermId, RelationId),
    /// A named process.
    Call(CallId),
}
