//! Orders of the components of a network, from its structure alone: who moves together should be near each other.
//!
//! A diagram grows with what its upper variables must tell the lower ones, and it is mostly the rules whose participants
//! lie on both sides that tell. So all these orders keep the sum of the spans of the rules small. They work on the
//! graph of components *and* rules, as Meijer and van de Pol do (2016): a rule with thousands of participants is one
//! vertex and never a clique, so that everything takes little more than linear time.
//!
//! Measured: nodes of the diagram of all reachable states (- is none within 8 s).
//!
//! | model | declared | search | Cuthill-McKee | Sloan | FORCE | hub first |
//! |---|--:|--:|--:|--:|--:|--:|
//! | 60 philosophers of four states | - | 945 | 946 | 950 | 946 | |
//! | 100 philosophers of three states | - | 1,187 | 1,286 | 1,289 | 1,286 | |
//! | 60 with a confused one | - | 708 | 769 | 770 | 769 | |
//! | gas station, 5 pumps, 30 customers | 9,171 | 791 | 793 | 793 | 791 | 1,201 |
//! | gas station, 12 pumps, 36 customers | - | 1,906 | 1,906 | 1,906 | 1,906 | 3,497 |
//! | 5 cash machines | 537 | 453 | 16,324 | 448 | 422 | 548 |
//! | 15 cash machines | 1,857 | 1,792 | 1,757 | 1,792 | 1,757 | 1,870 |
//!
//! So the span tells orders that work from those that do not, and whoever has the shorter one mostly has the smaller
//! diagram; but a ring is better cut open by search than folded, which is shorter by a hundredth or so. Hence a later
//! heuristic must be shorter by a clear margin to be taken. Hubs belong in the midst of their partners.

mod cuthill_mckee;
mod force;
mod graph;
mod hubs;
mod search;
mod sloan;
mod sweep;

use model::views::{ComponentId, Network, Rule};

use super::codes::bits;
use graph::{Graph, Vertex};

/// How to find an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// As the model has them.
    Declared,
    /// Depth first through the rules, from a component at the periphery.
    Search,
    /// Breadth first from the periphery, backwards: Cuthill and McKee, reversed by George.
    CuthillMcKee,
    /// Sloan's order, which weighs how much an extension opens against how far the end still is.
    Sloan,
    /// Aloul, Markov and Sakallah's FORCE, which draws the participants of each rule together, from the best of the
    /// orders above.
    Force,
}

impl Heuristic {
    /// All of them.
    pub const ALL: [Heuristic; 5] =
        [Heuristic::Declared, Heuristic::Search, Heuristic::CuthillMcKee, Heuristic::Sloan, Heuristic::Force];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Declared => "declared",
            Heuristic::Search => "search",
            Heuristic::CuthillMcKee => "cuthill-mckee",
            Heuristic::Sloan => "sloan",
            Heuristic::Force => "force",
        }
    }
}

/// The order of a heuristic: every component once.
pub fn order(network: &Network, heuristic: Heuristic) -> Vec<ComponentId> {
    let structure = Structure::new(network);
    match heuristic {
        Heuristic::Force => structure.refined(&structure.shortest().1),
        other => structure.direct(other),
    }
}

/// The order of a heuristic, or the best one, and whose it is.
pub fn chosen(network: &Network, heuristic: Option<Heuristic>) -> (Heuristic, Vec<ComponentId>) {
    heuristic.map_or_else(|| best(network), |heuristic| (heuristic, order(network, heuristic)))
}

/// An order with nearly the smallest span, and whose it is: that of the first heuristic that no later one is clearly
/// better than.
pub fn best(network: &Network) -> (Heuristic, Vec<ComponentId>) {
    let structure = Structure::new(network);
    let (heuristic, start) = structure.shortest();
    let refined = structure.refined(&start);
    if clearly_less(span(network, &refined), span(network, &start)) {
        (Heuristic::Force, refined)
    } else {
        (heuristic, start)
    }
}

/// The sum, over all rules, of the bits from the first bit of the first participant to that of the last one.
///
/// The order must have every component once.
pub fn span(network: &Network, order: &[ComponentId]) -> u64 {
    let starts = starts(network, order);
    let of_rule = |rule: &Rule| {
        let at = || rule.participants.iter().map(|(c, _)| starts[c.index()]);
        at().max().unwrap_or(0) - at().min().unwrap_or(0)
    };
    network.rules().iter().map(of_rule).sum()
}

/// Where the bits of each component begin.
fn starts(network: &Network, order: &[ComponentId]) -> Vec<u64> {
    let mut starts = vec![0; order.len()];
    let mut next = 0;
    for &c in order {
        starts[c.index()] = next;
        next += u64::from(bits(network.component(c).states().len()));
    }
    starts
}

/// Less by more than a sixteenth.
fn clearly_less(one: u64, other: u64) -> bool {
    one < other - other / 16
}

/// What the heuristics work on.
struct Structure<'a> {
    network: &'a Network,
    graph: Graph,
    hubs: Vec<ComponentId>,
    /// The graph without the hubs, if there are any.
    trimmed: Option<Graph>,
}

impl<'a> Structure<'a> {
    fn new(network: &'a Network) -> Self {
        let graph = Graph::new(network);
        let hubs = hubs::hubs(&graph);
        let trimmed = (!hubs.is_empty()).then(|| graph.without(&hubs));
        Self { network, graph, hubs, trimmed }
    }

    /// The best order but for FORCE.
    fn shortest(&self) -> (Heuristic, Vec<ComponentId>) {
        let mut best = (Heuristic::Declared, self.direct(Heuristic::Declared));
        let mut least = span(self.network, &best.1);
        for heuristic in [Heuristic::Search, Heuristic::CuthillMcKee, Heuristic::Sloan] {
            let order = self.direct(heuristic);
            let span = span(self.network, &order);
            if clearly_less(span, least) {
                (best, least) = ((heuristic, order), span);
            }
        }
        best
    }

    fn direct(&self, heuristic: Heuristic) -> Vec<ComponentId> {
        let heuristic: fn(&Graph) -> Vec<Vertex> = match heuristic {
            Heuristic::Search => search::order,
            Heuristic::CuthillMcKee => cuthill_mckee::order,
            Heuristic::Sloan => sloan::order,
            Heuristic::Declared | Heuristic::Force => return self.network.component_ids().collect(),
        };
        let components = |graph| heuristic(graph).into_iter().filter_map(|v| self.graph.component(v)).collect();
        let trimmed = self.trimmed.as_ref().map(|graph| self.settled(components(graph)));
        self.shorter(components(&self.graph), trimmed)
    }

    fn refined(&self, start: &[ComponentId]) -> Vec<ComponentId> {
        let trimmed = self.trimmed.as_ref();
        let trimmed = trimmed.map(|graph| force::refine(self.network, graph, start, |order| self.settled(order)));
        self.shorter(force::refine(self.network, &self.graph, start, |order| order), trimmed)
    }

    fn settled(&self, order: Vec<ComponentId>) -> Vec<ComponentId> {
        hubs::amid_partners(&self.graph, &self.hubs, &order)
    }

    fn shorter(&self, one: Vec<ComponentId>, other: Option<Vec<ComponentId>>) -> Vec<ComponentId> {
        match other {
            Some(other) if span(self.network, &other) < span(self.network, &one) => other,
            _ => one,
        }
    }
}
