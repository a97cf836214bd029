//! What becomes of those who go on where others are stuck: a deadlock of all, if every run from there ends in one.
//!
//! All that can follow is looked at, up to a bound, so that nothing is claimed of a system that may go on for ever. The
//! cycle that is told is that of one continuation, which takes the first step that it can.

use std::collections::HashSet;

use model::{ProcessId, System, TransitionId};
use serde::Serialize;

use crate::cycle::Link;
use crate::deadlock::deadlock;
use crate::help::Scene;
use crate::source::SourceText;

/// More states than this are not looked at.
const STATES: usize = 1000;

/// How all are going to be stuck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Prospect {
    /// The number of steps that are left in one of the runs.
    pub steps: usize,
    /// The cycle of waiting at the end of that run.
    pub cycle: Vec<Link>,
}

impl Prospect {
    /// What those come to who move, if every run ends in a deadlock and one of them in a cycle of waiting.
    pub(crate) fn new(
        scene: &Scene<'_>,
        moves: &dyn Fn(ProcessId) -> bool,
        source: &SourceText,
        has_time: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let system = scene.system;
        let ahead = first_run(system, scene.state, has_time)?;
        let steps = ahead.len();
        let run = scene.walk.trace().stem.iter().copied().chain(ahead).collect();
        let (walk, _) = check::walk(system, run).ok()?;
        let mut cycle = deadlock(&Scene::new(&walk), source, has_time).cycle;
        for link in cycle.iter_mut().filter(|l| system.process_ids().any(|p| moves(p) && is(system, p, &l.process))) {
            let now = format!("{} waits for ", link.process);
            if let Some(what) = link.text.strip_prefix(&now) {
                link.text = format!("{} will then wait for {what}", link.process);
            }
        }
        (!cycle.is_empty()).then_some(Self { steps, cycle })
    }
}

fn is(system: &System, process: ProcessId, name: &str) -> bool {
    system.process(process).name == name
}

/// The run that takes the first step that it can, if every run ends where nothing can happen and not everybody may stop.
fn first_run(system: &System, start: &[u64], has_time: &dyn Fn() -> bool) -> Option<Vec<TransitionId>> {
    let mut seen = HashSet::from([start.to_vec()]);
    let mut path = vec![Ahead::new(system, start.to_vec())?];
    let mut first = None;
    while let Some(here) = path.last_mut() {
        let Some(t) = here.left.pop() else {
            path.pop();
            continue;
        };
        here.taken = Some(t);
        let mut next = vec![0; system.words()];
        system.fire(t, &here.state, &mut next).ok()?;
        if path.iter().any(|a| a.state == next) || seen.len() > STATES || !has_time() {
            return None;
        }
        if seen.insert(next.clone()) {
            let next = Ahead::new(system, next)?;
            let ends = next.left.is_empty();
            path.push(next);
            if ends && first.is_none() {
                first = Some(path.iter().filter_map(|a| a.taken).collect());
            }
        }
    }
    first
}

/// A state on the way.
struct Ahead {
    state: Vec<u64>,
    /// The steps from there that were not looked at, the first one last.
    left: Vec<TransitionId>,
    /// The one that was taken last.
    taken: Option<TransitionId>,
}

impl Ahead {
    /// A state, unless a step from there is a model error or it is a good end.
    fn new(system: &System, state: Vec<u64>) -> Option<Self> {
        let mut left = system.enabled(&state).collect::<Result<Vec<TransitionId>, _>>().ok()?;
        left.reverse();
        (!left.is_empty() || !system.at_end(&state)).then_some(Self { state, left, taken: None })
    }
}
