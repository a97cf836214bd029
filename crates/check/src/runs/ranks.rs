//! Decides whether ranks show that no run breaks a claim.

use std::collections::HashMap;

use automata::Reader;
use automata::automaton::Marks;
use automata::reader::Place;
use evidence::{Lack, RankedRuns};
use model::{Property, Strength, System, Temporal, TransitionId};

use super::word::{Letters, is_one_enabled};
use crate::certificate::{CertificateError, UNSUPPORTED, wrong};
use crate::closed::{LEAVES, NO_STATE, check_reachable};

/// A state, and the place of the reader that has read it.
type Node = (Box<[u64]>, Place);

/// The steps of the product of a system and a reader.
struct Product<'a> {
    system: &'a System,
    temporal: &'a Temporal,
    reader: Reader<'a>,
    letters: Letters<'a>,
}

/// A step of the product.
struct Step {
    /// The transition, unless the last position is repeated.
    taken: Option<TransitionId>,
    marks: Marks,
    to: Node,
}

/// Checks that the nodes have all that can be reached among them, and that every run among them lacks something for ever.
pub(crate) fn check_ranks<'a>(
    system: &System,
    property: &Property,
    runs: &'a RankedRuns,
) -> Result<(), CertificateError> {
    let Some(temporal) = &property.claim(system) else { return wrong(UNSUPPORTED) };
    let Some((reader, atoms)) = temporal.reader() else { return wrong(UNSUPPORTED) };
    let product = Product { system, temporal, reader, letters: Letters::new(system, atoms.into_iter()) };
    let letter = |state: &[u64]| product.letters.valuation(None, state).map(drop).map_err(CertificateError::Fault);
    match &runs.states {
        Some(states) => _ = check_reachable(system, states, letter)?,
        None if !system.is_lawful_claim(temporal) => {
            return wrong("it lacks the states, of which a step may be a model error");
        }
        None => {}
    }
    let mut ranks: HashMap<Node, (&'a [u32], bool)> = HashMap::with_capacity(runs.nodes.len());
    let mut state = system.initial_state();
    for node in &runs.nodes {
        for &(word, value) in &node.state {
            let Some(part) = state.get_mut(word as usize) else { return wrong(NO_STATE) };
            *part = value;
        }
        ranks.insert((state.as_slice().into(), node.place.clone()), (&node.ranks, false));
    }
    let classes: HashMap<&[u32], Lack> = runs.classes.iter().map(|class| (&*class.ranks, class.lacks)).collect();
    let mut open = Vec::new();
    let mut meet = |node: Node, open: &mut Vec<(Node, &'a [u32])>| {
        let Some((ranks, met)) = ranks.get_mut(&node) else { return wrong(LEAVES) };
        if !std::mem::replace(met, true) {
            open.push((node, ranks));
        }
        Ok(*ranks)
    };
    for step in product.first()? {
        meet(step.to, &mut open)?;
    }
    while let Some((node, from)) = open.pop() {
        for step in product.steps(&node)? {
            let to = meet(step.to.clone(), &mut open)?;
            let lacking = |class: &[u32]| classes.get(class).map(|lack| product.lacks(*lack, &node.0, &step));
            if !descends(from, to, lacking) {
                return wrong("a step leads to a higher rank, or nothing is lacking in its rank");
            }
        }
    }
    Ok(())
}

/// What a step does for the lack of its rank.
enum Lacking {
    /// It fits, and that is all.
    Yes,
    /// It does not.
    No,
    /// It fits, and must be ranked further.
    Further,
}

/// Whether a step leads to a lower rank, or to the same where something is lacking.
fn descends(from: &[u32], to: &[u32], lacking: impl Fn(&[u32]) -> Option<Lacking>) -> bool {
    for level in 0..from.len().min(to.len()) {
        if from[level] != to[level] {
            return to[level] < from[level];
        }
        match lacking(&from[..=level]) {
            Some(Lacking::Yes) => return true,
            Some(Lacking::No) | None => return false,
            Some(Lacking::Further) => {}
        }
    }
    false
}

impl Product<'_> {
    /// The ways to read the initial state.
    fn first(&self) -> Result<Vec<Step>, CertificateError> {
        self.read(None, &self.system.initial_state(), &self.reader.start())
    }

    fn steps(&self, (state, place): &Node) -> Result<Vec<Step>, CertificateError> {
        let (mut all, mut next, mut ends) = (Vec::new(), state.to_vec(), true);
        for step in self.system.enabled(state) {
            let t = step.map_err(|(_, fault)| CertificateError::Fault(fault))?;
            self.system.fire(t, state, &mut next).map_err(CertificateError::Fault)?;
            all.extend(self.read(Some(t), &next, place)?);
            ends = false;
        }
        if ends && self.temporal.finite {
            all = self.read(None, state, place)?;
        }
        Ok(all)
    }

    /// The ways to read a state that a transition leads to. Where somebody has control nothing is read.
    fn read(&self, taken: Option<TransitionId>, state: &[u64], place: &[u32]) -> Result<Vec<Step>, CertificateError> {
        let step = |(place, marks)| Step { taken, marks, to: (state.into(), place) };
        if self.system.control(state).is_some() {
            return Ok(vec![step((place.into(), Marks::default()))]);
        }
        let letter = self.letters.valuation(taken, state).map_err(CertificateError::Fault)?;
        self.reader
            .ways(place, letter)
            .map_or_else(|| wrong(UNSUPPORTED), |ways| Ok(ways.into_iter().map(step).collect()))
    }

    /// What a step from a state does for what should be lacking.
    fn lacks(&self, lack: Lack, state: &[u64], step: &Step) -> Lacking {
        let fair = |number: usize, strength: Strength| {
            self.temporal.fairness.get(number).filter(|fairness| fairness.strength == strength)
        };
        let taken = |to: &[TransitionId]| step.taken.is_some_and(|t| to.contains(&t));
        let is_position = self.system.control(state).is_none();
        // What is enabled is asked at positions only.
        let enabled = |to: &[TransitionId]| is_one_enabled(self.system, to, state);
        let lacks = match lack {
            Lack::Mark(mark) => mark < self.reader.marks() && !step.marks.has(mark),
            // A run that has ended is fair.
            Lack::Weak(number) => {
                fair(number, Strength::Weak).is_some_and(|weak| !taken(&weak.to) && (!is_position || enabled(&weak.to)))
            }
            Lack::Strong(number) => match fair(number, Strength::Strong) {
                Some(strong) if !(taken(&strong.to) || is_position && enabled(&strong.to)) => return Lacking::Further,
                strong => strong.is_some_and(|strong| !taken(&strong.to)),
            },
        };
        // Nobody keeps control for ever: there would be no next position.
        let is_kept = !is_position && self.system.control(&step.to.0).is_some();
        match lacks {
            true if is_kept => Lacking::Further,
            true => Lacking::Yes,
            false => Lacking::No,
        }
    }
}
