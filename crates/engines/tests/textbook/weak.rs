//! Weak stubborn sets with a visibility that asks what steps do, not what they could (Neele, Valmari and Willemse,
//! FoSSaCS 2020). The conditions are tested by definition on the whole graph.

use model::{Proposition, Temporal, TransitionId};
use testkit::naive::temporal::refutation;
use testkit::naive::{self, Graph, Naive, Semantics, explore};

use crate::{corpus, engines_are_right};

/// Which of the transitions of a stubborn set must stay enabled whatever others do.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    /// One.
    Weak,
    /// All that are enabled.
    Strong,
}

struct Conditions<'a> {
    graph: &'a Graph<naive::State>,
    visible: Vec<TransitionId>,
    keys: Keys,
}

impl Conditions<'_> {
    fn fire(&self, state: usize, t: TransitionId) -> Option<usize> {
        self.graph.edges[state].iter().find(|(u, _)| *u == t).map(|(_, to)| to.expect("no step is a fault"))
    }

    /// The ways that others can go from a state: their steps, and where they lead.
    fn ways(&self, from: usize, set: &[TransitionId]) -> Vec<(Vec<TransitionId>, usize)> {
        let mut ways = vec![(Vec::new(), from)];
        let mut at = 0;
        while at < ways.len() {
            let (steps, state) = ways[at].clone();
            for (t, to) in self.graph.edges[state].iter().filter(|(t, _)| !set.contains(t)) {
                ways.push(([&steps[..], &[*t]].concat(), to.expect("no step is a fault")));
            }
            at += 1;
        }
        ways
    }

    /// Whether a set of enabled transitions is stubborn, and sees enough.
    fn admit(&self, state: usize, set: &[TransitionId]) -> bool {
        let ways = self.ways(state, set);
        let is_key = |t: &TransitionId| ways.iter().all(|(_, end)| self.fire(*end, *t).is_some());
        let moves_to_front = |t: TransitionId, steps: &[TransitionId], end: usize| {
            let first = self.fire(state, t);
            self.fire(end, t)
                .is_none_or(|to| first.and_then(|s| steps.iter().try_fold(s, |s, u| self.fire(s, *u))) == Some(to))
        };
        let keys = match self.keys {
            Keys::Weak => set.iter().any(is_key),
            Keys::Strong => set.iter().all(is_key),
        };
        let sees = !set.iter().any(|t| self.visible.contains(t)) || self.visible.iter().all(|t| set.contains(t));
        keys && sees && set.iter().all(|t| ways.iter().all(|(steps, end)| moves_to_front(*t, steps, *end)))
    }

    /// The graph that is left if in every state the given set is taken where it may be, and else everything.
    fn reduced(&self, wish: &[TransitionId]) -> Graph<naive::State> {
        let mut graph = self.graph.clone();
        for (state, edges) in graph.edges.iter_mut().enumerate() {
            let set: Vec<TransitionId> = edges.iter().map(|(t, _)| *t).filter(|t| wish.contains(t)).collect();
            if set.len() == wish.len() && self.admit(state, &set) {
                edges.retain(|(t, _)| set.contains(t));
            }
        }
        graph
    }
}

/// The transitions that change an atom somewhere.
fn visible(naive: &Naive<'_>, graph: &Graph<naive::State>, claim: &Temporal) -> Vec<TransitionId> {
    let letter = |s: usize| -> Vec<bool> {
        let atoms = claim.propositions().into_iter().map(|p| match p {
            Proposition::State(e) => naive.holds(e, &graph.states[s]).expect("it is no fault"),
            _ => panic!("the claim is about states"),
        });
        atoms.collect()
    };
    let changes = |(s, t): (usize, TransitionId)| {
        let to = graph.edges[s].iter().find(|(u, _)| *u == t).and_then(|(_, to)| to.ok());
        to.is_some_and(|to| letter(s) != letter(to))
    };
    let all = naive.system.transition_ids();
    all.filter(|t| (0..graph.states.len()).any(|s| changes((s, *t)))).collect()
}

#[test]
fn steps_that_change_nothing_can_be_seen_all_the_same() {
    let (system, claim) = corpus("inconsistent-labels");
    let naive = Naive::new(&system);
    let graph = explore(&naive, 200).expect("it is small");
    let of = |process: &str| {
        let p = system.find_process(process).expect("it is there");
        system.transition_ids().find(|t| system.transition(*t).part(p).is_some()).expect("it has a step")
    };
    let wish = [of("Marker"), of("Closer")];
    let conditions = |keys| Conditions { graph: &graph, visible: visible(&naive, &graph, &claim), keys };
    let (weak, strong) = (conditions(Keys::Weak), conditions(Keys::Strong));
    assert!(weak.visible.iter().all(|t| !wish.contains(t)), "no atom changes by their steps");
    assert!(weak.admit(0, &wish) && !strong.admit(0, &wish), "Marker is hindered by Mover");
    assert!(refutation(&naive, &graph, &claim).is_some(), "up, past, mark and ring break the claim");
    assert_eq!(refutation(&naive, &weak.reduced(&wish), &claim), None, "which the weak sets overlook");
    assert!(refutation(&naive, &strong.reduced(&wish), &claim).is_some());
    engines_are_right(&system, &claim);
}
