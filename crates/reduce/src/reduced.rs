//! What a reduction gives: the smaller net, the goals in its terms, and the way back.

use std::sync::Arc;

use model::nets::{Goal, Predicate};
use model::views::{ArcSet, Net, NetTransitionId};

use crate::class::{Class, Deadlocks, Everything, Observations, Prefixes, Runs, Stuttering};
use crate::goals::Translation;
use crate::scheduler::{Scheduler, Stop, Uses};
use crate::way::{NodeId, Replay, Unliftable, Way};
use crate::work::Work;

/// Longer runs are not lifted: nobody can look at them.
pub const MAX_RUN: usize = 5_000_000;

/// A net that was made smaller for some goals.
#[derive(Debug)]
pub struct Reduced {
    /// The smaller net.
    pub net: Net,
    /// The goals in its terms, as they were numbered. One that the reduction decided is a constant predicate.
    pub goals: Vec<Goal>,
    uses: Uses,
    dead: Vec<bool>,
    nodes: Vec<NodeId>,
    way: Way,
}

/// Reduces a net as far as the goals allow, until nothing applies or `stop` says so.
///
/// The net has no places where tokens may stay for good, and no transition that is a model error.
pub fn reduce(net: &Net, goals: &[Goal], stop: Stop<'_>) -> Reduced {
    let dead = goals.iter().filter(|g| **g == Goal::Dead).count();
    if dead == goals.len() {
        reduce_with(&Scheduler::<Deadlocks>::all(), net, goals, stop)
    } else if dead == 0 {
        reduce_with(&Scheduler::<Observations>::all(), net, goals, stop)
    } else {
        reduce_with(&Scheduler::<Everything>::all(), net, goals, stop)
    }
}

/// What of a run counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Every step.
    Each,
    /// Only those that change something that is observed.
    Seen,
    /// The same, and not how the run goes on.
    Begun,
}

/// Reduces a net as far as predicates allow that are observed along maximal runs, until nothing applies or `stop` says so.
///
/// The goals of what results are these predicates.
pub fn reduce_for_runs(net: &Net, observed: Vec<Predicate>, steps: Steps, stop: Stop<'_>) -> Reduced {
    let goals: Vec<Goal> = observed.into_iter().map(Goal::Satisfies).collect();
    match steps {
        Steps::Each => reduce_with(&Scheduler::<Runs>::all(), net, &goals, stop),
        Steps::Seen => reduce_with(&Scheduler::<Stuttering>::all(), net, &goals, stop),
        Steps::Begun => reduce_with(&Scheduler::<Prefixes>::all(), net, &goals, stop),
    }
}

/// The net and the goals as they are.
pub fn unreduced(net: &Net, goals: &[Goal]) -> Reduced {
    finish(Work::new(net, goals), net, goals, Uses::new()).expect("goals that stay as they are fit")
}

/// Reduces with some rules. The class of the rules must cover the goals.
pub(crate) fn reduce_with<C: Class>(rules: &Scheduler<C>, net: &Net, goals: &[Goal], stop: Stop<'_>) -> Reduced {
    let mut work = Work::new(net, goals);
    let uses = rules.run(&mut work, stop);
    finish(work, net, goals, uses).unwrap_or_else(|| unreduced(net, goals))
}

/// `None` if a goal cannot be expressed with numbers of 64 bits.
fn finish(work: Work, net: &Net, goals: &[Goal], uses: Uses) -> Option<Reduced> {
    let translation = Translation::new(&work);
    let verdict = deadness(&work);
    let translate = |goal: &Goal| match (goal, verdict) {
        (Goal::Dead, Some(value)) => Some(Goal::Satisfies(Predicate::Constant(value))),
        _ => translation.goal(goal),
    };
    let translated = goals.iter().map(translate).collect::<Option<Vec<_>>>()?;
    let nodes = work.transitions().map(|t| work.node(t)).collect();
    let smaller = build(&work, net, &translation);
    let dead = goals.iter().map(|g| *g == Goal::Dead).collect();
    Some(Reduced { net: smaller, goals: translated, uses, dead, nodes, way: work.way })
}

/// Whether a dead marking is reachable, where that is obvious.
fn deadness(work: &Work) -> Option<bool> {
    if work.transitions().next().is_none() {
        return Some(true);
    }
    work.transitions().any(|t| work.pre(t).is_empty()).then_some(false)
}

fn build(work: &Work, net: &Net, translation: &Translation) -> Net {
    let place = |p| {
        let mut place = net.place(p).clone();
        place.initial = work.initial(p);
        place
    };
    let arcs = |t: NetTransitionId| {
        let (head, alone) = work.way.head(work.node(t));
        let mut transition = net.transition(head).clone();
        if !alone {
            transition.name = Arc::from(format!("{}..", transition.name));
        }
        let row = |row: &[_]| row.iter().map(|&(p, weight)| (translation.place(p), weight)).collect();
        ArcSet { transition, pre: row(work.pre(t)), post: row(work.post(t)) }
    };
    let (places, sets) = (work.places().map(place).collect(), work.transitions().map(arcs).collect());
    Net::new(net.name(), places, sets).expect("rows of arcs stay valid")
}

impl Reduced {
    /// The run of the original net that a run of the reduced net stands for: it reaches the goal with this number there
    /// if the given run reaches it here.
    pub fn lift(
        &self,
        original: &Net,
        goal: usize,
        run: &[NetTransitionId],
    ) -> Result<Vec<NetTransitionId>, Unliftable> {
        let mut replay = Replay::new(&self.way, original, MAX_RUN)?;
        for t in run {
            replay.fire(self.nodes[t.index()], 1)?;
        }
        if self.dead[goal] {
            replay.exhaust()?;
        }
        Ok(replay.finish())
    }

    /// How often each rule was applied.
    pub fn uses(&self) -> &Uses {
        &self.uses
    }
}
