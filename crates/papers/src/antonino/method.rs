//! The methods that are compared, as engines with switches.

use driver::Choice;
use engines::Problem;
use engines::local::sdd::{self, Cycles};
use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Reason, Silent, Verdict};
use model::Property;
use model::views::Network;

/// A way to ask whether a network is free of deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Method {
    /// Cycles of the state dependency digraph.
    Sdd,
    /// Pair candidates, as in the paper.
    Pair,
    /// All of local analysis.
    Whole,
    /// A search of the whole state space.
    Search,
    /// A search with stubborn sets.
    Reduced,
    /// For a batch: whatever the others found out about it, and a search for what they left open.
    Exact,
}

impl Method {
    const ALL: [Method; 6] = [Method::Sdd, Method::Pair, Method::Whole, Method::Search, Method::Reduced, Method::Exact];

    /// The engine with its switches, as `impasse check --engine` reads them.
    pub(crate) fn engine(self) -> &'static str {
        match self {
            Method::Sdd => "local:sdd",
            Method::Pair => "local:pairs",
            Method::Whole => "local",
            Method::Search => "explore:order=depth,finish=0",
            Method::Reduced => "explore:order=depth,finish=0,persistent=stubborn",
            Method::Exact => "auto",
        }
    }

    /// The method that is spelled like this.
    pub(crate) fn of(engine: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.engine() == engine)
    }

    /// Whether the network is free of deadlocks; `None` if the method does not tell.
    pub(crate) fn decide(self, network: &Network, budget: &Budget, threads: usize) -> Result<Option<bool>, Reason> {
        let engine = if self == Method::Exact { Method::Search } else { self }.engine();
        match engine.parse().expect("the switches of a method exist") {
            // The engine goes on when there is a cycle: without pairs, too, some networks have no candidates.
            Choice::Local(_) if self == Method::Sdd => {
                sdd::cycle(network, threads, budget).map(|cycles| (cycles == Cycles::Acyclic).then_some(true))
            }
            Choice::Local(local) => analyse(&Local { threads, ..local }, network, budget),
            other => explore(&other, network, budget),
        }
    }
}

fn analyse(local: &Local, network: &Network, budget: &Budget) -> Result<Option<bool>, Reason> {
    match local.analyse(network, budget, &Silent).verdict {
        LocalVerdict::Proved(_) | LocalVerdict::Exhausted => Ok(Some(true)),
        LocalVerdict::Reached(_) => Ok(Some(false)),
        LocalVerdict::Open(_) => Ok(None),
        LocalVerdict::Stopped(reason) => Err(reason),
    }
}

fn explore(choice: &Choice, network: &Network, budget: &Budget) -> Result<Option<bool>, Reason> {
    let system = network.to_system().map_err(|e| Reason::Unsupported(e.message))?;
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    match choice.engine().run(&problem, budget, &Silent).verdict {
        Verdict::Holds(_) => Ok(Some(true)),
        Verdict::Violated(_) => Ok(Some(false)),
        Verdict::Unknown(reason) => Err(reason),
    }
}
