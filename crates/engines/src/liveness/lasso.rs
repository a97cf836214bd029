//! A run that breaks the claim, as short as the visited nodes allow at little cost: a shortest way to the component, and
//! then from mark to nearest mark and back.
//!
//! What was found is true however much it takes to write it down. If the budget ends meanwhile, the way along the stack
//! will do, and there is a little more time for the rest; some runs are too long even so.

use std::collections::HashMap;
use std::time::Duration;

use evidence::{Budget, Reason, Trace};
use model::{Enabled, Fault, State, TransitionId};

use super::product::{Marks, Product, STAY};
use super::search::{Found, Search};
use super::streett::steps_between;
use crate::store::StateIndex;

/// A way through stored nodes: its steps, what they do, and where it leads.
struct Way {
    steps: Vec<TransitionId>,
    done: Marks,
    end: StateIndex,
}

/// The time for a run when there is none left: engines may take a second too long.
const GRACE: Duration = Duration::from_millis(500);

/// A run that goes on longer before it repeats is not followed.
const LONGEST: usize = 1 << 20;

/// Who writes runs down, within limits.
struct Teller<'s, 'a, 'b> {
    search: &'s Search<'a, 'b>,
    budget: &'s Budget,
}

impl Search<'_, '_> {
    /// A run that shows what was found, unless it is too long.
    pub(super) fn told(&self, found: &Found) -> Option<Trace> {
        let in_time = Teller { search: self, budget: self.budget };
        in_time.short(found).or_else(|_| Teller { search: self, budget: &self.budget.grace(GRACE) }.at_hand(found)).ok()
    }

    /// The way along the stack to the first node of the last component.
    fn way_along(&self) -> Way {
        let end = self.last_root();
        let mut steps = self.run_along();
        steps.truncate(self.stack.iter().take_while(|f| f.node < end).count());
        Way { steps, done: 0, end }
    }
}

impl Teller<'_, '_, '_> {
    /// A run with a shortest stem.
    fn short(&self, found: &Found) -> Result<Trace, Reason> {
        match found {
            Found::Error(run) => Ok(Trace::finite(run.clone())),
            Found::Whatever(node) => self.whatever(&self.to(|n| n == *node)?),
            Found::Component { nodes, marks } => {
                self.round(self.to(|n| nodes.binary_search(&n).is_ok())?, nodes, *marks)
            }
        }
    }

    /// A run along the stack.
    fn at_hand(&self, found: &Found) -> Result<Trace, Reason> {
        let mut stem = self.search.way_along();
        match found {
            Found::Error(run) => Ok(Trace::finite(run.clone())),
            Found::Whatever(_) => self.whatever(&stem),
            Found::Component { nodes, marks } => {
                let is_inside = |n: StateIndex| nodes.binary_search(&n).is_ok();
                if !is_inside(stem.end) {
                    let on = self.way(&[stem.end], |_| true, |n, _| is_inside(n))?;
                    let on = on.expect("they are in that component");
                    stem.steps.extend(on.steps);
                    stem.end = on.end;
                }
                self.round(stem, nodes, *marks)
            }
        }
    }

    /// From the end of the stem, which is one of the nodes, round through all marks.
    fn round(&self, stem: Way, nodes: &[StateIndex], mut missing: Marks) -> Result<Trace, Reason> {
        let is_inside = |n: StateIndex| nodes.binary_search(&n).is_ok();
        let mut cycle = Vec::new();
        let mut at = stem.end;
        while missing != 0 {
            let way = self.way(&[at], is_inside, |_, marks| marks & missing != 0)?;
            let way = way.expect("a component has the marks that it was found for");
            missing &= !way.done;
            at = way.end;
            cycle.extend(way.steps);
        }
        if at != stem.end || cycle.is_empty() {
            let way = self.way(&[at], is_inside, |n, _| n == stem.end)?;
            cycle.extend(way.expect("a component is connected").steps);
        }
        let steps = |mut steps: Vec<TransitionId>| {
            steps.retain(|t| *t != STAY);
            steps
        };
        Ok(Trace { stem: steps(stem.steps), cycle: steps(cycle) })
    }

    /// A shortest way from the start to a node of a kind.
    fn to(&self, is_goal: impl Fn(StateIndex) -> bool) -> Result<Way, Reason> {
        let starts = self.starts();
        if let Some(&end) = starts.iter().find(|n| is_goal(**n)) {
            return Ok(Way { steps: Vec::new(), done: 0, end });
        }
        Ok(self.way(&starts, |_| true, |n, _| is_goal(n))?.expect("it was reached"))
    }

    /// The nodes of the initial state that are stored.
    fn starts(&self) -> Vec<StateIndex> {
        let Search { product, store, .. } = self.search;
        let state = product.system.initial_state();
        let mut node = state.clone();
        node.push(0);
        let Ok(reading) = product.read_first(&state) else { return Vec::new() };
        let (mut starts, mut edge) = (Vec::new(), 0);
        while let Some((after, _, place)) = product.edge(product.automaton.initial, reading, edge) {
            edge = after;
            product.set_place(&mut node, place);
            starts.extend(store.find(&node, crate::store::hash(&node)));
        }
        starts
    }

    /// A shortest way of a step or more through some nodes, up to a step of a kind, given by where it leads and what it
    /// does.
    fn way(
        &self,
        starts: &[StateIndex],
        takes: impl Fn(StateIndex) -> bool,
        is_last: impl Fn(StateIndex, Marks) -> bool,
    ) -> Result<Option<Way>, Reason> {
        let Search { product, store, .. } = self.search;
        let mut before: HashMap<StateIndex, (StateIndex, TransitionId, Marks)> = HashMap::new();
        let mut queue = starts.to_vec();
        let mut expanded = 0;
        while let Some(&from) = queue.get(expanded) {
            expanded += 1;
            if expanded % 256 == 0 {
                self.budget.check(store.bytes() + 48 * before.len() as u64)?;
            }
            let mut last = None;
            steps_between(product, store, from, &mut |t, marks, to| {
                if last.is_some() || !takes(to) {
                    return;
                }
                if is_last(to, marks) {
                    last = Some((t, marks, to));
                } else if !before.contains_key(&to) && !starts.contains(&to) {
                    before.insert(to, (from, t, marks));
                    queue.push(to);
                }
            });
            if let Some((t, marks, end)) = last {
                let (mut steps, mut done, mut at) = (vec![t], marks, from);
                while let Some(&(from, t, marks)) = before.get(&at) {
                    steps.push(t);
                    done |= marks;
                    at = from;
                }
                steps.reverse();
                return Ok(Some(Way { steps, done, end }));
            }
        }
        Ok(None)
    }

    /// A run to a node and on, wherever it goes.
    fn whatever(&self, to: &Way) -> Result<Trace, Reason> {
        let Search { product, store, .. } = self.search;
        let mut stem = to.steps.clone();
        stem.retain(|t| *t != STAY);
        on_and_on(product, product.state(store.get(to.end)), stem, (self.budget, store.bytes()))
    }
}

/// A run on from the end of another, wherever it goes: until a state repeats, nothing is enabled or something is a model
/// error: a step, or what the claim speaks of. The first steps that are enabled are tried, and the last ones. So many bytes are
/// used already.
pub(super) fn on_and_on(
    product: &Product<'_>,
    from: &State,
    stem: Vec<TransitionId>,
    limits: (&Budget, u64),
) -> Result<Trace, Reason> {
    let first = follow(product, (from, stem.clone()), limits, |enabled| enabled.next());
    first.or_else(|_| follow(product, (from, stem), limits, |enabled| enabled.last()))
}

fn follow(
    product: &Product<'_>,
    (from, mut stem): (&State, Vec<TransitionId>),
    (budget, bytes): (&Budget, u64),
    choose: impl Fn(&mut Enabled<'_>) -> Option<Result<TransitionId, (TransitionId, Fault)>>,
) -> Result<Trace, Reason> {
    let (mut state, mut next) = (from.to_vec(), from.to_vec());
    let mut met = HashMap::from([(state.clone(), stem.len())]);
    loop {
        budget.check(bytes + (met.len() * (8 * state.len() + 48)) as u64)?;
        if met.len() > LONGEST {
            return Err(Reason::Memory);
        }
        let t = match choose(&mut product.system.enabled(&state)) {
            None => return Ok(Trace::finite(stem)),
            Some(Ok(t)) => t,
            Some(Err((t, _))) => {
                stem.push(t);
                return Ok(Trace::finite(stem));
            }
        };
        stem.push(t);
        if product.fire(t, &state, &mut next).is_err() {
            return Ok(Trace::finite(stem));
        }
        std::mem::swap(&mut state, &mut next);
        if let Some(&start) = met.get(&state) {
            let cycle = stem.split_off(start);
            return Ok(Trace { stem, cycle });
        }
        met.insert(state.clone(), stem.len());
    }
}

#[cfg(test)]
mod tests {
    use evidence::{Silent, Verdict};
    use model::Property;
    use testkit::random::{Profile, RunProfile, sample, temporal};
    use testkit::{Rng, describe};

    use super::*;
    use crate::liveness::Liveness;
    use crate::{Engine, Problem};

    /// What is told when there is no time left is as true as what is short.
    #[test]
    fn the_run_at_hand_breaks_the_claim() {
        let (mut told, budget, engine) = (0, Budget::unlimited(), Liveness::default());
        for profile in [Profile::lawful(), Profile::control(), Profile::nets()] {
            for seed in 0..60 {
                let system = sample(seed, &profile).system;
                for (kind, claims) in RunProfile::all() {
                    let claim = temporal(&mut Rng::new(seed), &system, &claims);
                    let breaking = engine.breaking(&claim).expect("it is small");
                    let limited = Budget::unlimited().with_memory(1 << 20);
                    let run = engine.search(&system, &claim, &breaking, (&limited, &Silent), |search, found| {
                        let found = found.ok().flatten()?;
                        Some(Teller { search, budget: &budget }.at_hand(&found).expect("it is small"))
                    });
                    let Some(run) = run else { continue };
                    let shown = check::replay(&system, &Property::Temporal(claim), &run);
                    assert!(shown.is_ok(), "seed {seed}, {kind}: {run:?}: {shown:?}\n{}", describe(&system));
                    told += 1;
                }
            }
        }
        assert!(told > 300, "only {told}");
    }

    /// A violation is one although nobody can write the run down.
    #[test]
    fn a_run_that_is_too_long_is_not_told() {
        let text = "var x : 0..1000000000 process P { states a  a -> a when x < 1000000000 do x := x + 1 }";
        let system = frontend::native::load("t", text, &[]).expect("the model is right").system;
        let formula = frontend::native::formula(text, &[], "always x < 5").expect("the formula is right");
        let property = Property::Temporal(model::Temporal::formula(formula));
        let outcome =
            Liveness::default().run(&Problem { system: &system, property: &property }, &Budget::unlimited(), &Silent);
        assert_eq!(outcome.verdict, Verdict::Violated(evidence::Evidence::Untold));
    }
}
