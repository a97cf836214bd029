//! The models by name and size.

use serde::Serialize;

use super::models::{Philosophers, Subject, atm, confused, gas, gas_station, philosopher1, philosopher2};

/// The pumps of the paper's gas stations.
const PUMPS: usize = 5;

/// A model of the paper, of size `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Philosophers of four states, forks that know who holds them.
    Philosopher1,
    /// Philosophers of three states, forks that do not.
    Philosopher2,
    /// The same, the first of whom may be confused.
    ConfusedPhilosopher,
    /// Five pumps, each with `n` customers, and an operator who remembers four.
    GasStation,
    /// `n` pumps with `customers` each, and an operator who remembers one fewer.
    GasStationOfPumps,
    /// Cash machines, one of which has a fault.
    CashMachines,
    /// The same without the fault.
    SoundCashMachines,
    /// As `Philosopher2`, but one takes the right fork first.
    AsymmetricPhilosophers,
    /// `n` pumps with `customers` each, and an operator who forgets nobody.
    SoundGasStation,
}

impl Family {
    /// The model of size `n`; `customers` matters where pumps are counted.
    pub(crate) fn subject(self, n: usize, customers: usize) -> Subject {
        let asymmetric = || Philosophers { n, eats: false, sided_forks: false, asymmetric: true }.network();
        match self {
            Family::Philosopher1 => philosopher1(n).into(),
            Family::Philosopher2 => philosopher2(n).into(),
            Family::ConfusedPhilosopher => confused(n),
            Family::GasStation => gas(PUMPS, n).into(),
            Family::GasStationOfPumps => gas(n, customers).into(),
            Family::CashMachines => atm(n, true).into(),
            Family::SoundCashMachines => atm(n, false).into(),
            Family::AsymmetricPhilosophers => asymmetric().into(),
            Family::SoundGasStation => gas_station(n, customers).into(),
        }
    }
}
