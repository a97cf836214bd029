//! Automata as `pan -d` prints them, and how two of them differ.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The automaton of a proctype or a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Automaton {
    pub(super) name: String,
    pub(super) start: u32,
    pub(super) states: BTreeMap<u32, State>,
}

/// A control state with what leaves it, in order. The end of a body is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) accept: bool,
    pub(super) end: bool,
    pub(super) progress: bool,
    pub(super) steps: Vec<Step>,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) to: u32,
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// What is compared of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// A jump, or a joint.
    pub(super) is_jump: bool,
    pub(super) is_else: bool,
    /// A whole `d_step`; what SPIN shows for control there is not what it does.
    pub(super) is_d_step: bool,
    pub(super) keeps: bool,
}

impl Automaton {
    /// Where two automata differ, walking both from their starts: the numbers of their states are the same, too.
    pub(super) fn difference(&self, other: &Automaton) -> Option<String> {
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        let mut work = VecDeque::from([(self.start, other.start)]);
        while let Some((a, b)) = work.pop_front() {
            if a != b {
                return Some(format!("{}: state {a} is state {b}", self.name));
            }
            if !seen.insert(a) {
                continue;
            }
            match self.states.get(&a).zip(other.states.get(&b)) {
                Some((x, y)) if x.alike(y) => {
                    work.extend(x.sorted().iter().zip(y.sorted()).map(|(s, t)| (s.to, t.to)));
                }
                None if !self.states.contains_key(&a) && !other.states.contains_key(&b) => {}
                both => return Some(format!("{}: state {a} and {b} differ: {both:#?}", self.name)),
            }
        }
        None
    }
}

impl State {
    fn alike(&self, other: &State) -> bool {
        let kinds = |s: &State| s.sorted().iter().map(|t| t.kind).collect::<Vec<_>>();
        (self.accept, self.end, self.progress) == (other.accept, other.end, other.progress)
            && kinds(self) == kinds(other)
    }

    /// SPIN throws a coin for the order of the two options of a `select` that counts.
    fn sorted(&self) -> Vec<Step> {
        let mut steps = self.steps.clone();
        if steps.len() == 2 && steps[0].kind.is_jump && !steps[1].kind.is_jump && !steps[1].kind.is_else {
            steps.swap(0, 1);
        }
        steps
    }
}
