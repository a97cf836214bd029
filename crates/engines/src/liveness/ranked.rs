//! Ranks that show that no run breaks a claim: the product of the system and a simple reader of the claim is built whole,
//! and its strongly connected components are the ranks.

use std::borrow::Cow;
use std::collections::HashMap;

use automata::Reader;
use automata::automaton::Marks;
use automata::reader::Place;
use evidence::{Budget, ClosedSet, Lack, RankedClass, RankedNode, RankedRuns};
use model::{Property, Strength, System, Temporal, TransitionId};

use super::letters::Letters;
use crate::closed::reachable;
use crate::components::components;

/// About what a node and a step take.
const NODE: u64 = 160;
const STEP: u64 = 40;

/// A certificate that no run breaks the claim; `None` if some does, if the budget does not suffice, if a step is a model
/// error, or if a process can keep control for ever.
pub fn ranked_runs(system: &System, property: &Property, budget: &Budget) -> Option<RankedRuns> {
    let temporal = &*property.claim(system)?;
    if temporal.fairness.len() > u64::BITS as usize {
        return None;
    }
    let states = match system.is_lawful_claim(temporal) {
        true => None,
        false => Some(without_errors(system, temporal, budget)?),
    };
    let graph = Graph::new(system, temporal, budget)?;
    let mut ranking = Ranking { graph: &graph, ranks: vec![Vec::new(); graph.nodes.len()], classes: Vec::new() };
    let all: Vec<usize> = (0..graph.nodes.len()).collect();
    ranking.rank(&all, &[], Left::default(), budget)?;
    Some(RankedRuns { states, nodes: graph.listed(system, ranking.ranks), classes: ranking.classes })
}

/// All reachable states, if neither a step nor an atom of the claim is a model error anywhere.
fn without_errors(system: &System, temporal: &Temporal, budget: &Budget) -> Option<ClosedSet> {
    let states = reachable(system, budget)?;
    let letters = Letters::new(system, &temporal.propositions());
    let mut lawful = true;
    states.all(&system.initial_state(), |state| lawful &= letters.read(state, None).is_ok())?;
    lawful.then_some(states)
}

/// A step between nodes: to which, with which marks, and to which fairness sets it is of.
struct Step {
    to: usize,
    marks: Marks,
    taken: u64,
}

/// The product.
struct Graph {
    nodes: Vec<(Box<[u64]>, Place)>,
    steps: Vec<Vec<Step>>,
    /// By node, the fairness sets that are offered; where somebody has control all weak ones are, so that none is excused.
    offered: Vec<u64>,
    /// By node, whether somebody has control.
    held: Vec<bool>,
    marks: u32,
    weak: u64,
    strong: u64,
}

impl Graph {
    fn new(system: &System, temporal: &Temporal, budget: &Budget) -> Option<Self> {
        let (reader, atoms) = temporal.reader()?;
        let letters = Letters::new(system, &atoms);
        let mut fair = vec![0; system.transitions().len()];
        let (mut weak, mut strong) = (0, 0);
        for (bit, fairness) in temporal.fairness.iter().enumerate() {
            fairness.to.iter().for_each(|t| fair[t.index()] |= 1 << bit);
            match fairness.strength {
                Strength::Weak => weak |= 1 << bit,
                Strength::Strong => strong |= 1 << bit,
            }
        }
        let (nodes, steps, offered, held) = Default::default();
        let mut graph = Self { nodes, steps, offered, held, marks: reader.marks(), weak, strong };
        let mut numbers: HashMap<(Box<[u64]>, Place), usize> = HashMap::new();
        let initial = system.initial_state();
        for (place, _) in reader.ways(&reader.start(), letters.read(&initial, None).ok()?)? {
            graph.number(&mut numbers, (initial.as_slice().into(), place));
        }
        let (mut bytes, mut next) = (0, initial.clone());
        while graph.steps.len() < graph.nodes.len() {
            let (state, place) = graph.nodes[graph.steps.len()].clone();
            bytes += NODE + 16 * (state.len() + place.len()) as u64;
            budget.check(bytes).ok()?;
            let (mut own, mut offered) = (Vec::new(), 0);
            let enabled: Vec<TransitionId> = system.enabled(&state).collect::<Result<_, _>>().ok()?;
            for &t in &enabled {
                system.fire(t, &state, &mut next).ok()?;
                let taken = fair[t.index()];
                offered |= taken;
                if system.control(&next).is_some() {
                    let to = graph.number(&mut numbers, (next.as_slice().into(), place.clone()));
                    own.push(Step { to, marks: Marks::default(), taken });
                    continue;
                }
                let letter = letters.read(&next, Some(t)).ok()?;
                own.extend(graph.ways(&mut numbers, &reader, &next, &place, letter, taken)?);
            }
            if enabled.is_empty() && temporal.finite {
                let letter = letters.read(&state, None).ok()?;
                own.extend(graph.ways(&mut numbers, &reader, &state, &place, letter, 0)?);
            }
            bytes += STEP * own.len() as u64;
            let held = system.control(&state).is_some();
            graph.steps.push(own);
            graph.offered.push(if held { weak } else { offered });
            graph.held.push(held);
        }
        Some(graph)
    }

    fn number(&mut self, numbers: &mut HashMap<(Box<[u64]>, Place), usize>, node: (Box<[u64]>, Place)) -> usize {
        *numbers.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            self.nodes.len() - 1
        })
    }

    /// The steps to a state, by each way to read it.
    fn ways(
        &mut self,
        numbers: &mut HashMap<(Box<[u64]>, Place), usize>,
        reader: &Reader<'_>,
        state: &[u64],
        place: &[u32],
        letter: u64,
        taken: u64,
    ) -> Option<Vec<Step>> {
        let ways = reader.ways(place, letter)?.into_iter();
        Some(
            ways.map(|(place, marks)| Step { to: self.number(numbers, (state.into(), place)), marks, taken }).collect(),
        )
    }

    /// The nodes with their ranks, as a certificate has them.
    fn listed(&self, system: &System, ranks: Vec<Vec<u32>>) -> Vec<RankedNode> {
        let mut last: Cow<'_, [u64]> = Cow::Owned(system.initial_state());
        let listed = |((state, place), ranks): (&'_ (Box<[u64]>, Place), Vec<u32>)| {
            let changed = (0..).zip(last.iter().zip(state)).filter(|(_, (old, new))| old != new);
            let changes = changed.map(|(i, (_, &new))| (i, new)).collect();
            last = Cow::Owned(state.to_vec());
            RankedNode { state: changes, place: place.clone(), ranks }
        };
        self.nodes.iter().zip(ranks).map(listed).collect()
    }
}

/// Ranks while they are given.
struct Ranking<'a> {
    graph: &'a Graph,
    ranks: Vec<Vec<u32>>,
    classes: Vec<RankedClass>,
}

/// Which steps are not looked at any more, because every cycle with one of them lacks something already.
#[derive(Clone, Copy, Default)]
struct Left {
    /// Those from nodes that offer any of these sets.
    offered: u64,
    /// All but those within which control is kept.
    positions: bool,
}

impl Ranking<'_> {
    /// Ranks some nodes below a rank.
    fn rank(&mut self, part: &[usize], above: &[u32], left: Left, budget: &Budget) -> Option<()> {
        budget.check(0).ok()?;
        let graph = self.graph;
        let is_kept = |n: usize, step: &Step| graph.held[n] && graph.held[step.to];
        let looks = |n: usize, step: &Step| match left.positions {
            true => is_kept(n, step),
            false => graph.offered[n] & left.offered == 0,
        };
        // A step to where it came from changes nothing.
        let step = |n: usize, i: usize| graph.steps[n].get(i).map(|s| if looks(n, s) { s.to } else { n });
        for (rank, component) in (0..).zip(components(part, graph.nodes.len(), step)) {
            let ranks: Vec<u32> = above.iter().copied().chain([rank]).collect();
            component.iter().for_each(|&n| self.ranks[n].push(rank));
            let of_component = |n: usize| self.ranks[n].starts_with(&ranks);
            let inner = component.iter().flat_map(|&n| graph.steps[n].iter().map(move |s| (n, s)));
            let inner: Vec<(usize, &Step)> = inner.filter(|(n, s)| looks(*n, s) && of_component(s.to)).collect();
            if inner.is_empty() {
                continue;
            }
            if left.positions {
                return None;
            }
            let lacks = self.lack(&inner)?;
            self.classes.push(RankedClass { ranks: ranks.clone(), lacks });
            if let Lack::Strong(number) = lacks {
                self.rank(&component, &ranks, Left { offered: left.offered | 1 << number, ..left }, budget)?;
            } else if inner.iter().any(|(n, s)| is_kept(*n, s)) {
                self.rank(&component, &ranks, Left { positions: true, ..left }, budget)?;
            }
        }
        Some(())
    }

    /// What every run lacks that takes no other steps than these for ever.
    fn lack(&self, inner: &[(usize, &Step)]) -> Option<Lack> {
        let graph = self.graph;
        let marks = inner.iter().fold(0, |all, (_, step)| all | step.marks.0);
        let taken = inner.iter().fold(0, |all, (_, step)| all | step.taken);
        let always = inner.iter().fold(u64::MAX, |all, (n, _)| all & graph.offered[*n]);
        let sometimes = inner.iter().fold(0, |all, (n, _)| all | graph.offered[*n]);
        let first = |set: u64| (set != 0).then(|| set.trailing_zeros());
        let missing = (0..graph.marks).find(|mark| marks >> mark & 1 == 0).map(Lack::Mark);
        let weak = || first(graph.weak & always & !taken).map(|n| Lack::Weak(n as usize));
        let strong = || first(graph.strong & sometimes & !taken).map(|n| Lack::Strong(n as usize));
        missing.or_else(weak).or_else(strong)
    }
}
