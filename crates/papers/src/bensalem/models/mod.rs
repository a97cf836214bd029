//! The models of the paper and of its predecessors, one file a family. Interactions are the rules of the networks, so
//! that components, locations and interactions are as many as the paper's tables say.

mod cash_machine;
mod gas_station;
mod philosophers;

pub use cash_machine::atm;
pub use gas_station::{counting_gas_station, gas, gas_station};
pub use philosophers::{Philosophers, confused, philosopher1, philosopher2};

use model::views::{Network, StateId};

use crate::parts::Given;

/// A network with a choice of where it starts.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The network; its own initial state is one of those below.
    pub network: Network,
    /// For each component, the states that it may start in.
    pub initial: Vec<Vec<StateId>>,
}

impl From<Network> for Subject {
    /// Starts where the network does.
    fn from(network: Network) -> Self {
        let initial = network.components().iter().map(|c| vec![c.initial()]).collect();
        Self { network, initial }
    }
}

/// A rule of components and their events.
fn interaction(label: String, who: &[(usize, &str)]) -> Given {
    (label, who.iter().map(|&(component, event)| (component, event.to_owned())).collect())
}
