//! Ample sets that are chosen for nodes of a product with an automaton that guesses (Siegel, CAV 2019).

use std::collections::HashSet;

use automata::Automaton;
use automata::automaton::{Cube, Edge, Label, Marks, State};
use model::{Acceptor, Claim, Expr, LocationId, Proposition, System, Temporal, TransitionId};
use testkit::naive::temporal::refutation;
use testkit::naive::{self, Graph, Naive, Semantics, explore};

use crate::{corpus, engines_are_right};

/// Accepts what has the first atom false at first and true some time later: one part the words where that is at an odd
/// position, the other those where it is at an even one. Which, is guessed at the second position.
fn guessing(atom: Proposition) -> Acceptor {
    const NOT: Cube = Cube { positive: 0, negative: 1 };
    const YES: Cube = Cube { positive: 1, negative: 0 };
    let edge = |cube: Cube, target| Edge { label: Label([cube].into()), marks: Marks(0), target: State(target) };
    let edges = vec![
        vec![edge(NOT, 1)],
        vec![edge(YES, 7), edge(NOT, 2), edge(NOT, 4)],
        // Even positions count.
        vec![edge(YES, 7), edge(NOT, 3)],
        vec![edge(NOT, 2)],
        // Odd positions count.
        vec![edge(NOT, 5)],
        vec![edge(YES, 7), edge(NOT, 6)],
        vec![edge(NOT, 5)],
        vec![Edge { label: Label::always(), marks: Marks(1), target: State(7) }],
    ];
    let automaton = Automaton { atoms: 1, sets: 1, initial: State(0), edges };
    Acceptor { atoms: vec![atom], automaton }
}

/// The textbook's search of the product, depth first: in each node the transitions of one process are taken if they are
/// independent of all others and change no atom, unless one of them leads back to the stack; else all.
struct Textbook<'a> {
    graph: &'a Graph<naive::State>,
    letters: Vec<u64>,
    automaton: &'a Automaton,
    /// The transitions that may be taken alone wherever one of them is enabled.
    ample: &'a [TransitionId],
    seen: HashSet<(usize, State)>,
    stack: Vec<(usize, State)>,
}

impl Textbook<'_> {
    fn read(&self, from: State, state: usize) -> Vec<State> {
        let edges = self.automaton.from(from).iter();
        edges.filter(|e| e.label.holds(self.letters[state])).map(|e| e.target).collect()
    }

    /// The successors of a node by these transitions.
    fn next(&self, (state, at): (usize, State), only: impl Fn(TransitionId) -> bool) -> Vec<(usize, State)> {
        let steps = self.graph.edges[state].iter().filter(|(t, _)| only(*t));
        let targets = steps.map(|(_, to)| to.expect("no step is a fault"));
        targets.flat_map(|to| self.read(at, to).into_iter().map(move |q| (to, q))).collect()
    }

    /// Visits what is left; the states of the automaton that are met are kept in `seen`.
    fn visit(&mut self, node: (usize, State)) {
        if !self.seen.insert(node) {
            return;
        }
        self.stack.push(node);
        let alone = self.next(node, |t| self.ample.contains(&t));
        let is_ample = !alone.is_empty() && !alone.iter().any(|n| self.stack.contains(n));
        let next = if is_ample { alone } else { self.next(node, |_| true) };
        next.into_iter().for_each(|n| self.visit(n));
        self.stack.pop();
    }
}

/// Whether the textbook's search comes to the accepting state.
fn textbook_accepts(system: &System, acceptor: &Acceptor, ample: &[TransitionId]) -> bool {
    let naive = Naive::new(system);
    let graph = explore(&naive, 100).expect("it is small");
    let Proposition::State(atom) = &acceptor.atoms[0] else { panic!("the atom is about states") };
    let letter = |s| u64::from(naive.holds(atom, s).expect("it is no fault"));
    let letters = graph.states.iter().map(letter).collect();
    let (seen, stack) = (HashSet::new(), Vec::new());
    let mut search = Textbook { graph: &graph, letters, automaton: &acceptor.automaton, ample, seen, stack };
    search.read(acceptor.automaton.initial, 0).into_iter().for_each(|q| search.visit((0, q)));
    search.seen.iter().any(|(_, q)| acceptor.automaton.from(*q).iter().any(|e| e.marks == Marks(1)))
}

#[test]
fn ample_sets_must_not_depend_on_guesses() {
    let (system, claim) = corpus("never-done");
    let [spinner, worker] = ["Spinner", "Worker"].map(|name| system.find_process(name).expect("it is there"));
    let acceptor = guessing(Proposition::State(Expr::At(worker, LocationId(1))));
    let ample: Vec<TransitionId> =
        system.transition_ids().filter(|t| system.transition(*t).part(spinner).is_some()).collect();
    let never = Temporal { claim: Claim::Never(acceptor.clone()), ..claim.clone() };
    let naive = Naive::new(&system);
    let graph = explore(&naive, 100).expect("it is small");
    assert!(refutation(&naive, &graph, &never).is_some(), "the worker can finish");
    assert!(textbook_accepts(&system, &acceptor, &[]), "without reduction it is found");
    assert!(!textbook_accepts(&system, &acceptor, &ample), "the textbook's search overlooks it");
    engines_are_right(&system, &never);
    engines_are_right(&system, &claim);
}

/// With an automaton that does not guess the same search is right.
#[test]
fn who_does_not_guess_overlooks_nothing() {
    let (system, _) = corpus("never-done");
    let worker = system.find_process("Worker").expect("it is there");
    let mut acceptor = guessing(Proposition::State(Expr::At(worker, LocationId(1))));
    let edges = &mut acceptor.automaton.edges;
    edges[1] = vec![edges[2][0].clone(), Edge { target: State(1), ..edges[0][0].clone() }];
    let ample: Vec<TransitionId> =
        system.transition_ids().filter(|t| system.transition(*t).part(worker).is_none()).collect();
    assert!(textbook_accepts(&system, &acceptor, &ample));
}
