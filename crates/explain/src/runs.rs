//! Why a run breaks what is claimed of whole runs: which part of the formula is false, where, and what never comes; and
//! why the run is fair.

use automata::lasso::{Shape, truth};
use check::{CheckedTrace, Finding};
use model::{Acceptor, Claim, Fairness, Ltl, Proposition, Strength, System, Temporal, TransitionId};
use serde::Serialize;

use crate::claim::{ClaimMove, moves};
use crate::formula::{show, show_proposition};
use crate::source::SourceText;

/// A run that counts and breaks a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenClaim {
    /// The formula, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The number of the first step that repeats; none if the run ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// The number of the last step.
    pub last: usize,
    /// Why the formula is false of the run, a sentence each.
    pub reasons: Vec<String>,
    /// Whether an automaton accepts whatever follows the last step.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
    /// Where a claim goes meanwhile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claim: Vec<ClaimMove>,
    /// Why the run is fair, a sentence for each way to be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fair: Vec<String>,
}

/// Explains a run that breaks a claim.
pub(crate) fn broken_claim(trace: &CheckedTrace<'_>, temporal: &Temporal, source: &SourceText) -> BrokenClaim {
    let (system, run) = (trace.system(), trace.trace());
    let first = (!run.cycle.is_empty()).then(|| run.stem.len() + 1);
    let (mut reasons, mut formula) = (Vec::new(), None);
    let story = Story::of(trace);
    let ended = trace.finding() == Finding::Ended;
    reasons.extend(story.why_unseen(trace).filter(|_| !ended));
    let mut claim = Vec::new();
    match &temporal.claim {
        Claim::Always(claimed) => {
            story.why(claimed, 0, &mut reasons);
            reasons.dedup();
            formula = Some(show(system, claimed));
        }
        Claim::Never(acceptor) => claim = story.moves(acceptor, source),
    }
    let fair = first.map_or_else(Vec::new, |_| temporal.fairness.iter().map(|way| why_fair(trace, way)).collect());
    BrokenClaim { formula, first, last: run.steps(), reasons, ended, claim, fair }
}

/// The positions of a run.
struct Story<'a> {
    system: &'a System,
    shape: Shape,
    positions: Vec<Position>,
}

struct Position {
    /// The number of the step that led to it, 0 for the first.
    step: usize,
    taken: Option<TransitionId>,
    state: Vec<u64>,
}

impl<'a> Story<'a> {
    fn of(trace: &'a CheckedTrace<'_>) -> Self {
        let (system, run) = (trace.system(), trace.trace());
        let mut positions: Vec<Position> = Vec::new();
        for (step, state) in trace.states().enumerate() {
            let taken = (step > 0).then(|| run.step(step - 1));
            if system.control(&state).is_none() {
                positions.push(Position { step, taken, state });
            }
        }
        let stem = positions.iter().filter(|p| p.step <= run.stem.len()).count();
        if stem == positions.len() {
            let Position { step, state, .. } = &positions[stem - 1];
            positions.push(Position { step: *step, taken: None, state: state.clone() });
        }
        let shape = Shape::new(stem, positions.len() - stem).expect("something repeats");
        Self { system, shape, positions }
    }

    /// That somebody keeps control for ever, if that is so.
    fn why_unseen(&self, trace: &CheckedTrace<'_>) -> Option<String> {
        let last = self.positions.last()?;
        let keeper = self.system.control(trace.last()).filter(|_| last.taken.is_none())?;
        let name = &self.system.process(keeper).name;
        Some(format!(
            "{} {name} keeps control for ever: what was true before counts as true from then on",
            after(last.step + 1)
        ))
    }

    /// Where an atom is true.
    fn atom(&self, proposition: &Proposition) -> Vec<bool> {
        let all = self.positions.iter();
        match proposition {
            Proposition::State(e) => {
                let predicate = self.system.predicate(e);
                all.map(|p| predicate.holds(self.system, &p.state) == Ok(true)).collect()
            }
            Proposition::Enabled(some) => all.map(|p| is_one_enabled(self.system, some, &p.state)).collect(),
            Proposition::Taken(some) => all.map(|p| p.taken.is_some_and(|t| some.contains(&t))).collect(),
        }
    }

    /// Where a claim goes that accepts the run.
    fn moves(&self, acceptor: &Acceptor, source: &SourceText) -> Vec<ClaimMove> {
        let rows: Vec<Vec<bool>> = acceptor.atoms.iter().map(|p| self.atom(p)).collect();
        let letter = |i: usize| rows.iter().enumerate().fold(0, |set, (atom, row)| set | u64::from(row[i]) << atom);
        moves(acceptor, self.shape, letter, |i| self.positions[i].step, source)
    }

    /// Where a formula is true.
    fn row(&self, formula: &Ltl) -> Vec<bool> {
        let mut atoms = Vec::new();
        let numbered = formula.numbered(&mut atoms);
        let rows: Vec<Vec<bool>> = atoms.into_iter().map(|p| self.atom(p)).collect();
        truth(&numbered, self.shape, &|atom, i| rows[atom.index()][i])
    }

    /// The positions from one on, each once, in order.
    fn onwards(&self, position: usize) -> impl Iterator<Item = usize> + use<> {
        // Of the cycle also what lies before it.
        (position..self.shape.positions()).chain(self.shape.cycle_start()..position)
    }

    fn when(&self, position: usize) -> String {
        match self.positions[position].step {
            0 => "at first".to_owned(),
            step => after(step),
        }
    }

    fn since(&self, position: usize) -> String {
        match self.positions[position].step {
            0 => "from the beginning on".to_owned(),
            step => format!("from step {step} on"),
        }
    }

    /// Says why a formula is as true or false as it is at a position.
    fn why(&self, formula: &Ltl, at: usize, reasons: &mut Vec<String>) {
        let value = self.row(formula)[at];
        let first = |a: &Ltl, wanted: bool| {
            let row = self.row(a);
            self.onwards(at).find(|i| row[*i] == wanted)
        };
        match (formula, value) {
            (Ltl::Not(a), _) => self.why(a, at, reasons),
            (Ltl::And(a, b), false) | (Ltl::Or(a, b), true) => {
                let part = if self.row(a)[at] == value { a } else { b };
                self.why(part, at, reasons);
            }
            (Ltl::And(a, b), true) | (Ltl::Or(a, b), false) => {
                self.why(a, at, reasons);
                self.why(b, at, reasons);
            }
            (Ltl::Next(a), _) => self.why(a, self.shape.successor(at), reasons),
            (Ltl::Always(a), false) | (Ltl::Eventually(a), true) => {
                let there = first(a, value).expect("else it would be otherwise");
                self.why(a, there, reasons);
            }
            (Ltl::Always(a), true) | (Ltl::Eventually(a), false) => reasons.push(self.for_ever(a, at, value)),
            (Ltl::Until(a, b), false) | (Ltl::Release(a, b), true) => {
                // The second never comes, or never fails; else the first decides before that.
                if first(b, !value).is_none() {
                    reasons.push(self.for_ever(b, at, value));
                } else {
                    let there = first(a, value).expect("else it would be otherwise");
                    self.why(a, there, reasons);
                }
            }
            (Ltl::Until(_, b), true) | (Ltl::Release(_, b), false) => {
                let there = first(b, value).expect("else it would be otherwise");
                self.why(b, there, reasons);
            }
            (Ltl::Atom(p), _) => reasons.push(self.fact(&show_proposition(self.system, p), at, value)),
        }
    }

    fn for_ever(&self, a: &Ltl, at: usize, value: bool) -> String {
        let how = if value { "always" } else { "never" };
        format!("{} `{}` is {how} true", self.since(at), show(self.system, a))
    }

    fn fact(&self, what: &str, at: usize, value: bool) -> String {
        format!("{} `{what}` is {value}", self.when(at))
    }
}

fn after(step: usize) -> String {
    format!("after step {step}")
}

/// Why a run that goes round a cycle is fair in a way.
fn why_fair(trace: &CheckedTrace<'_>, way: &Fairness) -> String {
    let (system, run) = (trace.system(), trace.trace());
    let (name, start) = (&way.name, run.stem.len());
    if let Some(i) = run.cycle.iter().position(|t| way.to.contains(t)) {
        return format!("{name}: step {} is one of its steps", start + i + 1);
    }
    let is_position = |state: &[u64]| system.control(state).is_none();
    let unseen = !trace.states().skip(start).any(|state| is_position(&state));
    let paused = trace
        .states()
        .skip(start)
        .position(|state| (unseen || is_position(&state)) && !is_one_enabled(system, &way.to, &state))
        .map(|i| start + i);
    match (way.strength, paused) {
        (Strength::Weak, Some(0)) => format!("{name}: again and again, as at first, none of its steps is enabled"),
        (Strength::Weak, Some(step)) => format!("{name}: after step {step} none of its steps is enabled"),
        _ => format!("{name}: none of its steps is enabled in any state that repeats"),
    }
}

fn is_one_enabled(system: &System, transitions: &[TransitionId], state: &[u64]) -> bool {
    transitions.iter().any(|t| system.is_enabled(*t, state) != Ok(false))
}
