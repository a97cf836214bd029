//! Whether some run breaks what is claimed of runs, by the product of all states with an automaton.

use std::collections::HashMap;

use automata::automaton::{Edge, Marks, State};
use automata::{Automaton, Options, Pool, translate};
use model::{Claim, Ltl, Property, Proposition, System, Temporal};

/// Whether some run that counts is not as claimed.
pub(crate) fn broken(system: &System, property: &Property) -> bool {
    let temporal = match property {
        Property::Temporal(temporal) => temporal.clone(),
        Property::Invariant(e) => Temporal::formula(Ltl::Always(Box::new(Ltl::state(e.clone())))),
        other => panic!("not about runs: {other:?}"),
    };
    let (atoms, automaton) = watcher(&temporal);
    Product { system, temporal, atoms, automaton }.has_accepting_run()
}

/// The automaton of what must not be.
fn watcher(temporal: &Temporal) -> (Vec<Proposition>, Automaton) {
    match &temporal.claim {
        Claim::Never(acceptor) => (acceptor.atoms.clone(), acceptor.automaton.clone()),
        Claim::Always(formula) => {
            let mut atoms = Vec::new();
            let formula = formula.clone().negate();
            let mut pool = Pool::new();
            let number = pool.add(&formula.numbered(&mut atoms));
            let automaton = translate(&mut pool, number, &Options::default()).expect("a small formula");
            (atoms.into_iter().cloned().collect(), automaton)
        }
    }
}

struct Product<'a> {
    system: &'a System,
    temporal: Temporal,
    atoms: Vec<Proposition>,
    automaton: Automaton,
}

type Node = (Vec<u64>, State);

impl Product<'_> {
    /// The product is an automaton itself: its marks are those of the automaton, one for reading at all, and one for each
    /// process that must be treated fairly.
    fn has_accepting_run(&self) -> bool {
        let sets = self.automaton.sets + 1 + self.temporal.fairness.len() as u32;
        let (mut nodes, mut numbers): (Vec<Node>, HashMap<Node, State>) = (Vec::new(), HashMap::new());
        let mut edges: Vec<Vec<Edge<()>>> = vec![Vec::new()];
        let start = (self.system.initial_state(), self.automaton.initial);
        let mut made = self.read(&start.0, start.1, &start.0, None);
        let mut from = 0;
        loop {
            for (node, marks) in std::mem::take(&mut made) {
                let target = *numbers.entry(node.clone()).or_insert_with(|| {
                    nodes.push(node);
                    edges.push(Vec::new());
                    State(nodes.len() as u32)
                });
                edges[from].push(Edge { label: (), marks, target });
            }
            if from == nodes.len() {
                return !Automaton { atoms: 0, sets, initial: State(0), edges }.is_empty();
            }
            from += 1;
            let (state, q) = nodes[from - 1].clone();
            made = self.successors(&state, q);
        }
    }

    fn successors(&self, state: &[u64], q: State) -> Vec<(Node, Marks)> {
        let mut all = Vec::new();
        let mut ends = self.system.control(state).is_none();
        let mut next = state.to_vec();
        for t in self.system.enabled(state).map(|t| t.expect("no faults here")) {
            ends = false;
            self.system.fire(t, state, &mut next).expect("no faults here");
            if self.system.control(&next).is_some() {
                all.push(((next.clone(), q), self.fair(state, Some(t))));
            } else {
                all.extend(self.read(state, q, &next, Some(t)));
            }
        }
        if ends && self.temporal.finite {
            all.extend(self.read(state, q, state, None));
        }
        all
    }

    /// The steps of the automaton on a state that is reached.
    fn read(&self, from: &[u64], q: State, to: &[u64], t: Option<model::TransitionId>) -> Vec<(Node, Marks)> {
        let mut letter = 0;
        for (k, atom) in self.atoms.iter().enumerate() {
            let Proposition::State(e) = atom else { panic!("not asked in Promela: {atom:?}") };
            let holds = self.system.predicate(e).holds(self.system, to).expect("no faults here");
            letter |= u64::from(holds) << k;
        }
        let fair = self.fair(from, t).with(self.automaton.sets);
        let steps = self.automaton.from(q).iter().filter(|e| e.label.holds(letter));
        steps.map(|e| ((to.to_vec(), e.target), fair.union(e.marks))).collect()
    }

    fn fair(&self, state: &[u64], t: Option<model::TransitionId>) -> Marks {
        let mut marks = Marks::default();
        for (k, fairness) in self.temporal.fairness.iter().enumerate() {
            let taken = t.is_none_or(|t| fairness.to.contains(&t));
            let mut enabled = self.system.enabled(state).flatten();
            if taken || !enabled.any(|t| fairness.to.contains(&t)) {
                marks = marks.with(self.automaton.sets + 1 + k as u32);
            }
        }
        marks
    }
}
