//! Finds the values of all objects, running each transition on the valuations that are new to it.
//!
//! A worklist of *nodes*: a transition with some objects fixed, which is either split further by the values of one more
//! object or run. A node waits for the objects that it splits by or runs on, and is taken up again only when one of
//! them has a new value, so that the work is linear in the number of cases and of their valuations.

use std::collections::VecDeque;

use super::cases::Case;
use super::probe::{Group, Outcome, Probe, groups};
use super::product::{choices, each_new_choice};
use super::values::Values;
use super::{Limits, ViewError};
use crate::{ObjectId, System, TransitionId};

/// Finds all values, starting from the given ones.
pub(super) fn close<'a>(
    system: &'a System,
    limits: Limits<'a>,
    values: &mut Values<'a>,
    probe: &mut Probe,
) -> Result<(), ViewError> {
    let waiting = vec![Vec::new(); system.objects().len()];
    let cases = vec![0; system.transitions().len()];
    let (nodes, queue) = (Vec::new(), VecDeque::new());
    let mut closure = Closure { system, limits, values, probe, nodes, queue, waiting, cases };
    for t in system.transition_ids() {
        closure.add(t, Case::of(system, system.transition(t)), Vec::new())?;
    }
    let mut visited = 0;
    while let Some(n) = closure.queue.pop_front() {
        limits.goes_on(visited)?;
        visited += 1;
        closure.nodes[n].queued = false;
        closure.visit(n)?;
    }
    Ok(())
}

struct Closure<'c, 'a> {
    system: &'a System,
    limits: Limits<'a>,
    values: &'c mut Values<'a>,
    probe: &'c mut Probe,
    nodes: Vec<Node>,
    queue: VecDeque<usize>,
    /// By object: the nodes that a new value of it concerns.
    waiting: Vec<Vec<usize>>,
    /// By transition: the number of its nodes that are run.
    cases: Vec<usize>,
}

struct Node {
    t: TransitionId,
    /// What was fixed, in order. The case itself is made again when it is needed: there can be very many.
    path: Vec<(ObjectId, usize)>,
    progress: Progress,
    queued: bool,
}

enum Progress {
    /// Split by the values of an object, so many of them already.
    Split(ObjectId, usize),
    /// For each group: how many values of each of its objects it has seen.
    Run(Vec<Vec<usize>>),
}

impl Closure<'_, '_> {
    /// Adds the node of a case and queues it.
    fn add(&mut self, t: TransitionId, mut case: Case, mut path: Vec<(ObjectId, usize)>) -> Result<(), ViewError> {
        let mut pivot = case.pivot();
        // Fixing an object may show that one fixed before is read in further places.
        while let Some((object, number)) = pivot.and_then(|o| case.fixed.iter().find(|(f, _)| *f == o).copied()) {
            case = case.fix(self.system, self.values, object, number);
            path.push((object, number));
            pivot = case.pivot();
        }
        let n = self.nodes.len();
        let progress = match pivot {
            Some(object) => {
                self.waiting[object.index()].push(n);
                Progress::Split(object, 0)
            }
            None => {
                self.count(t)?;
                let groups = groups(&case);
                let free = |o: &&ObjectId| case.fixed.iter().all(|(f, _)| f != *o);
                groups.iter().flat_map(|g| &g.objects).filter(free).for_each(|o| self.waiting[o.index()].push(n));
                Progress::Run(groups.iter().map(|g| vec![0; g.objects.len()]).collect())
            }
        };
        self.nodes.push(Node { t, path, progress, queued: true });
        self.queue.push_back(n);
        Ok(())
    }

    fn count(&mut self, t: TransitionId) -> Result<(), ViewError> {
        self.cases[t.index()] += 1;
        if self.cases[t.index()] > self.limits.valuations {
            return Err(too_many_cases(self.system, t, self.limits.valuations));
        }
        Ok(())
    }

    fn visit(&mut self, n: usize) -> Result<(), ViewError> {
        let Node { t, path, .. } = &self.nodes[n];
        let (t, path) = (*t, path.clone());
        let case = path.iter().fold(Case::of(self.system, self.system.transition(t)), |case, &(object, number)| {
            case.fix(self.system, self.values, object, number)
        });
        match &mut self.nodes[n].progress {
            Progress::Split(object, split) => {
                let (object, from, to) = (*object, *split, self.values.len(*object));
                *split = to;
                (from..to).try_for_each(|number| {
                    let path = path.iter().copied().chain([(object, number)]).collect();
                    self.add(t, case.fix(self.system, self.values, object, number), path)
                })
            }
            Progress::Run(seen) => {
                let mut seen = std::mem::take(seen);
                for (group, seen) in groups(&case).iter().zip(&mut seen) {
                    self.widen(t, &case, group, seen)?;
                }
                self.nodes[n].progress = Progress::Run(seen);
                Ok(())
            }
        }
    }

    /// Runs a group on the valuations that it has not seen, until there are none.
    fn widen(&mut self, t: TransitionId, case: &Case, group: &Group, seen: &mut Vec<usize>) -> Result<(), ViewError> {
        let (mut loaded, mut tried) = (false, 0);
        loop {
            let (bases, sizes) = ranges(self.system, self.limits, self.values, t, (&case.fixed, group))?;
            if *seen == sizes {
                return Ok(());
            }
            if !std::mem::replace(&mut loaded, true) {
                self.probe.load(group);
            }
            each_new_choice(seen, &sizes, |choice| {
                self.limits.goes_on(tried)?;
                tried += 1;
                let numbers: Vec<usize> = choice.iter().zip(&bases).map(|(k, base)| k + base).collect();
                match self.probe.run(group, &numbers, self.values) {
                    Outcome::Step(next) => {
                        group.objects.iter().zip(next).try_for_each(|(&o, value)| self.insert(o, value))
                    }
                    _ => Ok(()),
                }
            })?;
            *seen = sizes;
        }
    }

    /// Adds a value; if it is new, the nodes that wait for one are queued.
    fn insert(&mut self, object: ObjectId, value: crate::objects::Value) -> Result<(), ViewError> {
        if self.values.insert(object, value)? {
            for &n in &self.waiting[object.index()] {
                if !std::mem::replace(&mut self.nodes[n].queued, true) {
                    self.queue.push_back(n);
                }
            }
        }
        Ok(())
    }
}

pub(super) fn too_many_cases(system: &System, t: TransitionId, limit: usize) -> ViewError {
    let transition = system.transition(t);
    let message =
        format!("the indices in `{}` have more than {limit} different combinations of values", transition.name);
    ViewError::new(message).at(transition.spans.first().copied())
}

/// For each object of a group, the first number and the count of the values to try, some objects being fixed.
pub(super) fn ranges(
    system: &System,
    limits: Limits<'_>,
    values: &Values<'_>,
    t: TransitionId,
    (fixed, group): (&[(ObjectId, usize)], &Group),
) -> Result<(Vec<usize>, Vec<usize>), ViewError> {
    let range = |&o: &ObjectId| match fixed.iter().find(|(f, _)| *f == o) {
        Some(&(_, number)) => (number, 1),
        None => (0, values.len(o)),
    };
    let (bases, sizes): (Vec<usize>, Vec<usize>) = group.objects.iter().map(range).unzip();
    if choices(&sizes) <= limits.valuations {
        return Ok((bases, sizes));
    }
    let (transition, limit) = (system.transition(t), limits.valuations);
    let names: Vec<String> = group.objects.iter().map(|&o| format!("`{}`", system.object(o).name)).collect();
    let message = format!(
        "`{}` uses {} jointly, with {} combinations of values; at most {limit} are expanded",
        transition.name,
        names.join(", "),
        choices(&sizes)
    );
    Err(ViewError::new(message).at(transition.spans.first().copied()))
}
