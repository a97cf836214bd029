//! What a reduced net must have in common with the original one.

use std::collections::BTreeSet;

use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, PlaceId};
use testkit::nets::{RunClaim, run_claim};

use super::search::{Search, replay};
use crate::reduced::reduce_with;
use crate::{Class, Reduced, Scheduler, Uses};

/// Larger nets are searched in part.
const LIMIT: usize = 300;
/// Formulas about runs are asked of smaller ones, so many each.
const RUN_LIMIT: usize = 60;
const FORMULAS: u64 = 2;
/// So many runs of each net are lifted.
const LIFTED: usize = 6;

/// Reduces for the dead markings: `Err` says what is wrong.
pub(super) fn deadlocks<C: Class>(rules: &Scheduler<C>, net: &Net) -> Result<Uses, String> {
    let reduced = reduce_with(rules, net, &[Goal::Dead], &|| false);
    if !is_same(net, &reduced.net) {
        dead_goal(net, &reduced, 0)?;
    }
    Ok(reduced.uses().clone())
}

/// Whether nothing was reduced: most rules leave most nets alone.
fn is_same(net: &Net, other: &Net) -> bool {
    let arcs =
        |net: &Net| net.transition_ids().map(|t| [net.pre(t), net.post(t)].map(<[_]>::to_vec)).collect::<Vec<_>>();
    net.initial_marking() == other.initial_marking() && arcs(net) == arcs(other)
}

fn dead_goal(net: &Net, reduced: &Reduced, goal: usize) -> Result<(), String> {
    let (before, after) = (Search::new(net, LIMIT), Search::new(&reduced.net, LIMIT));
    let here = |i: usize| match &reduced.goals[goal] {
        Goal::Dead => after.is_dead(i),
        Goal::Satisfies(predicate) => predicate.holds(&after.markings[i]),
        Goal::Maximum(_) => false,
    };
    let found: Vec<usize> = (0..after.markings.len()).filter(|&i| here(i)).collect();
    for &i in found.iter().take(LIFTED) {
        let run = reduced
            .lift(net, goal, &after.run_to(i))
            .map_err(|e| format!("a run to a dead marking is not lifted: {e:?}"))?;
        let end = replay(net, &run).ok_or("a lifted run is none")?;
        if net.transition_ids().any(|t| net.is_enabled(t, &end)) {
            return Err(format!("the lifted run {run:?} ends in {end:?}, which is not dead"));
        }
    }
    let lost = found.is_empty() && after.complete && (0..before.markings.len()).any(|i| before.is_dead(i));
    let invented = !found.is_empty() && before.complete && !(0..before.markings.len()).any(|i| before.is_dead(i));
    if lost || invented { Err(format!("lost {lost} invented {invented}")) } else { Ok(()) }
}

/// Reduces for the places: the same token counts must be reachable.
pub(super) fn observations<C: Class>(rules: &Scheduler<C>, net: &Net, observed: &[PlaceId]) -> Result<Uses, String> {
    let goals: Vec<Goal> = observed.iter().map(|&p| Goal::Maximum(Linear::tokens(p))).collect();
    let reduced = reduce_with(rules, net, &goals, &|| false);
    if !is_same(net, &reduced.net) {
        views(net, &goals, &reduced)?;
    }
    Ok(reduced.uses().clone())
}

fn views(net: &Net, goals: &[Goal], reduced: &Reduced) -> Result<(), String> {
    let (before, after) = (Search::new(net, LIMIT), Search::new(&reduced.net, LIMIT));
    let all = |goals: &[Goal], search: &Search<'_>| -> BTreeSet<Vec<i128>> {
        search.markings.iter().map(|m| values(goals, m)).collect()
    };
    let (was, is) = (all(goals, &before), all(&reduced.goals, &after));
    if after.complete && !was.is_subset(&is) {
        return Err(format!("lost {:?}", was.difference(&is).next()));
    }
    if before.complete && !is.is_subset(&was) {
        return Err(format!("invented {:?}", is.difference(&was).next()));
    }
    for i in (0..after.markings.len()).rev().take(LIFTED) {
        let run = reduced.lift(net, 0, &after.run_to(i)).map_err(|e| format!("a run is not lifted: {e:?}"))?;
        let end = replay(net, &run).ok_or("a lifted run is none")?;
        if values(goals, &end) != values(&reduced.goals, &after.markings[i]) {
            return Err(format!("the lifted run {run:?} ends in {end:?}"));
        }
    }
    Ok(())
}

fn values(goals: &[Goal], marking: &[u64]) -> Vec<i128> {
    let value = |goal: &Goal| match goal {
        Goal::Maximum(expression) => expression.value(marking),
        Goal::Dead | Goal::Satisfies(_) => 0,
    };
    goals.iter().map(value).collect()
}

/// Reduces for the runs: formulas about them must be true or not as they were.
pub(super) fn runs<C: Class>(rules: &Scheduler<C>, net: &Net, seed: u64, next: u32) -> Result<Uses, String> {
    runs_of(rules, net, (seed, next), Net::clone)
}

/// The same of what runs begin with: of those that may pause anywhere for ever.
pub(super) fn prefixes<C: Class>(rules: &Scheduler<C>, net: &Net, seed: u64) -> Result<Uses, String> {
    runs_of(rules, net, (seed, 0), with_pause)
}

fn with_pause(net: &Net) -> Net {
    let arcs =
        |t| ArcSet { transition: net.transition(t).clone(), pre: net.pre(t).to_vec(), post: net.post(t).to_vec() };
    let pause = ArcSet::new("pause", Vec::new(), Vec::new());
    Net::new(net.name(), net.places().to_vec(), net.transition_ids().map(arcs).chain([pause]).collect()).expect("a net")
}

fn runs_of<C: Class>(
    rules: &Scheduler<C>,
    net: &Net,
    (seed, next): (u64, u32),
    asked: fn(&Net) -> Net,
) -> Result<Uses, String> {
    let mut uses = Uses::new();
    for claim in (0..FORMULAS).map(|i| run_claim(net, FORMULAS * seed + i, next)) {
        let Some(before) = claim.holds(&asked(net), RUN_LIMIT) else { break };
        let goals: Vec<Goal> = claim.atoms.iter().cloned().map(Goal::Satisfies).collect();
        let reduced = reduce_with(rules, net, &goals, &|| false);
        reduced.uses().iter().for_each(|(name, times)| *uses.entry(name).or_default() += times);
        if is_same(net, &reduced.net) {
            continue;
        }
        let atom = |goal: &Goal| match goal {
            Goal::Satisfies(predicate) => predicate.clone(),
            Goal::Dead | Goal::Maximum(_) => panic!("predicates stay predicates"),
        };
        let claim = RunClaim { atoms: reduced.goals.iter().map(atom).collect(), ..claim };
        match claim.holds(&asked(&reduced.net), 4 * RUN_LIMIT) {
            Some(after) if after != before => return Err(format!("{claim:?} was {before} and is {after}")),
            _ => {}
        }
    }
    Ok(uses)
}

/// All goals of a reduction, each by its own meaning.
pub(super) fn each_goal(net: &Net, goals: &[Goal], reduced: &Reduced) -> Result<(), String> {
    for (i, goal) in goals.iter().enumerate() {
        match (goal, &reduced.goals[i]) {
            (Goal::Dead, _) => dead_goal(net, reduced, i)?,
            (Goal::Satisfies(before), Goal::Satisfies(after)) => satisfied(net, reduced, i, (before, after))?,
            (Goal::Maximum(_), Goal::Maximum(_)) => {}
            (goal, other) => return Err(format!("{goal:?} became {other:?}")),
        }
    }
    maxima(net, goals, reduced)
}

fn satisfied(net: &Net, reduced: &Reduced, goal: usize, pair: (&Predicate, &Predicate)) -> Result<(), String> {
    let (before, after) = (Search::new(net, LIMIT), Search::new(&reduced.net, LIMIT));
    let was = before.markings.iter().any(|m| pair.0.holds(m));
    let found = after.markings.iter().position(|m| pair.1.holds(m));
    if let Some(i) = found {
        let run = reduced.lift(net, goal, &after.run_to(i)).map_err(|e| format!("a run is not lifted: {e:?}"))?;
        let end = replay(net, &run).ok_or("a lifted run is none")?;
        return if pair.0.holds(&end) { Ok(()) } else { Err(format!("{run:?} ends in {end:?}: goal {goal}")) };
    }
    if after.complete && was { Err(format!("goal {goal} is lost")) } else { Ok(()) }
}

fn maxima(net: &Net, goals: &[Goal], reduced: &Reduced) -> Result<(), String> {
    let (before, after) = (Search::new(net, LIMIT), Search::new(&reduced.net, LIMIT));
    if !before.complete || !after.complete {
        return Ok(());
    }
    let best = |goals: &[Goal], search: &Search<'_>| {
        let all = search.markings.iter().map(|m| values(goals, m));
        all.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect())
    };
    let (was, is) = (best(goals, &before), best(&reduced.goals, &after));
    if was == is { Ok(()) } else { Err(format!("maxima {was:?} became {is:?}")) }
}
