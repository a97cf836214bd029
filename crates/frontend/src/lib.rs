//! Model languages: text in, a model or diagnostics out. Nothing here reads files, prints or exits.

pub mod automata;
pub mod bip;
pub mod bisimulation;
mod choose;
pub mod csp;
mod cursor;
mod diagnostic;
pub mod fairness;
mod hoa;
pub mod ll_net;
mod loaded_net;
pub mod lola;
pub mod mcc;
mod name;
pub mod native;
mod net_notes;
mod node_ids;
mod notes;
mod nupn;
pub mod outline;
pub mod pnml;
pub mod promela;
pub mod sources;
pub mod tina;
pub mod write;
mod xml;

pub use choose::{is_net, read_net};
pub use diagnostic::{Diagnostic, Severity};
pub use hoa::{NeverClaim, refuting_automaton};
pub use loaded_net::{LoadedNet, MAX_NET_TEXT, Origin};
pub use net_notes::net_expectations;
pub use node_ids::NodeIds;
pub use nupn::{Nupn, Unit, UnitId};

use model::{NamedProperty, System};

/// A model that was read, with the questions that its author asks.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The system.
    pub system: System,
    /// Its properties, in the order of the text; never empty: without any, deadlock freedom is asked.
    pub properties: Vec<NamedProperty>,
    /// The size of the full state space that the author expects with default parameters.
    pub size: ExpectedSize,
    /// Remarks that do not prevent an answer.
    pub warnings: Vec<Diagnostic>,
}

/// The size of a state space, as far as an author stated it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpectedSize {
    /// Reachable states.
    pub states: Option<u64>,
    /// Transitions between them.
    pub transitions: Option<u64>,
    /// Deadlocks among them.
    pub deadlocks: Option<u64>,
}

/// The largest text that is accepted, in bytes.
pub const MAX_TEXT: usize = 64 << 20;
