//! Strongly connected components, by Tarjan's algorithm with an explicit stack.

use super::{Automaton, Marks, State};

/// The components of an automaton's graph. Numbers rise against the edges: a component comes after those it reaches.
#[derive(Clone, Debug)]
pub struct Components {
    of: Vec<usize>,
    info: Vec<Component>,
}

#[derive(Clone, Copy, Debug)]
struct Component {
    /// Some edge stays inside.
    cyclic: bool,
    accepting: bool,
}

impl Components {
    /// The components of all states, reachable or not.
    pub fn of<L>(automaton: &Automaton<L>) -> Self {
        let of = Tarjan::run(automaton);
        let count = of.iter().max().map_or(0, |last| last + 1);
        let mut inner: Vec<Option<Marks>> = vec![None; count];
        for state in automaton.states() {
            for edge in automaton.from(state).iter().filter(|e| of[e.target.index()] == of[state.index()]) {
                let seen = &mut inner[of[state.index()]];
                *seen = Some(seen.unwrap_or_default().union(edge.marks));
            }
        }
        let all = automaton.all_marks();
        let component =
            |m: &Option<Marks>| Component { cyclic: m.is_some(), accepting: m.is_some_and(|m| m.contains(all)) };
        Self { info: inner.iter().map(component).collect(), of }
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.info.len()
    }

    /// The component of a state.
    pub fn at(&self, state: State) -> usize {
        self.of[state.index()]
    }

    /// Whether the component has a cycle.
    pub fn is_cyclic(&self, component: usize) -> bool {
        self.info[component].cyclic
    }

    /// Whether a run can stay in the component and be accepting.
    pub fn is_accepting(&self, component: usize) -> bool {
        self.info[component].accepting
    }

    /// Whether the state's component is accepting.
    pub fn is_accepting_at(&self, state: State) -> bool {
        self.is_accepting(self.at(state))
    }
}

struct Tarjan {
    /// Order of discovery, from 1; 0 is undiscovered.
    order: Vec<u32>,
    low: Vec<u32>,
    component: Vec<usize>,
    stack: Vec<usize>,
    discovered: u32,
    components: usize,
}

const OPEN: usize = usize::MAX;

impl Tarjan {
    fn run<L>(automaton: &Automaton<L>) -> Vec<usize> {
        let n = automaton.size();
        let mut t = Tarjan {
            order: vec![0; n],
            low: vec![0; n],
            component: vec![OPEN; n],
            stack: Vec::new(),
            discovered: 0,
            components: 0,
        };
        for root in 0..n {
            if t.order[root] == 0 {
                t.visit(automaton, root);
            }
        }
        t.component
    }

    fn discover(&mut self, state: usize) {
        self.discovered += 1;
        self.order[state] = self.discovered;
        self.low[state] = self.discovered;
        self.stack.push(state);
    }

    fn visit<L>(&mut self, automaton: &Automaton<L>, root: usize) {
        self.discover(root);
        let mut path = vec![(root, 0)];
        while let Some((state, next)) = path.last_mut() {
            let state = *state;
            if let Some(edge) = automaton.edges[state].get(*next) {
                *next += 1;
                let target = edge.target.index();
                if self.order[target] == 0 {
                    self.discover(target);
                    path.push((target, 0));
                } else if self.component[target] == OPEN {
                    self.low[state] = self.low[state].min(self.order[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[state]);
            }
            if self.low[state] == self.order[state] {
                self.close(state);
            }
        }
    }

    fn close(&mut self, root: usize) {
        loop {
            let state = self.stack.pop().expect("the root is on the stack");
            self.component[state] = self.components;
            if state == root {
                break;
            }
        }
        self.components += 1;
    }
}
