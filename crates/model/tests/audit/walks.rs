//! What might be the first to interfere, and what is necessary to enable: tried out on random runs that leave it out.

use std::collections::BTreeSet;

use model::objects::Relations;
use model::{Command, Dependency, Relation, Role, State, TransitionId, Use};

use crate::random::Random;
use crate::{Outcome, attempt, explain, generator, run_both_ways, states};

const SEEDS: std::ops::Range<u64> = 0..250;

/// The transitions that `relation` connects with some of the uses.
fn related<'u>(
    d: &Dependency<'_>,
    uses: impl Iterator<Item = &'u Use>,
    relation: Relation<'_>,
) -> BTreeSet<TransitionId> {
    let mut all = BTreeSet::new();
    for usage in uses {
        d.related(usage, relation, |t| {
            all.insert(t);
        });
    }
    all
}

/// A random run of a few steps that leaves out some transitions; `visit` sees each step before it is taken.
fn walk_without(
    d: &Dependency<'_>,
    avoid: &BTreeSet<TransitionId>,
    start: &State,
    random: &mut Random,
    visit: &mut impl FnMut(TransitionId, &State) -> Result<(), String>,
) -> Result<Vec<u64>, String> {
    let mut state = start.to_vec();
    for _ in 0..8 {
        let ways: Vec<(TransitionId, Vec<u64>)> = d
            .system()
            .transition_ids()
            .filter(|u| !avoid.contains(u))
            .filter_map(|u| match attempt(d.system(), u, &state) {
                Outcome::Next(next) => Some((u, next)),
                _ => None,
            })
            .collect();
        if ways.is_empty() {
            break;
        }
        let (step, next) = random.pick(&ways);
        visit(step, &state)?;
        state = next;
    }
    Ok(state)
}

/// Definition 4.26, lifted as step 2.b of Algorithm 4 does: without conflicts and first interference, a transition
/// that can be taken stays so, and commutes with every step.
fn nothing_else_interferes(
    seed: u64,
    first: impl Fn(&Dependency<'_>, TransitionId, &State) -> BTreeSet<TransitionId>,
) -> Result<(), String> {
    let system = generator::system(seed);
    let d = Dependency::new(&system);
    let mut random = Random(seed);
    for state in states(&system, &mut random).iter().step_by(3) {
        for t in system.transition_ids().filter(|&t| attempt(&system, t, state) != Outcome::Disabled) {
            let mut avoid = first(&d, t, state);
            avoid.extend(system.transition_ids().filter(|&u| u == t || d.in_conflict(t, u)));
            for _ in 0..3 {
                walk_without(&d, &avoid, state, &mut random, &mut |u, at| {
                    run_both_ways(&system, t, u, at).map_err(|e| explain(seed, &d, (t, u), &e))
                })?;
            }
        }
    }
    Ok(())
}

#[test]
fn only_what_may_be_first_interferes() {
    for seed in SEEDS {
        let first = |d: &Dependency<'_>, t, s: &State| related(d, d.uses(t).iter(), Relation::MayInterfereFirst(s));
        nothing_else_interferes(seed, first).unwrap_or_else(|e| panic!("{e}"));
        let accord = |d: &Dependency<'_>, t, _: &State| related(d, d.uses(t).iter(), Relation::DoNotAccord);
        nothing_else_interferes(seed, accord).unwrap_or_else(|e| panic!("{e}"));
    }
    let nobody = |_: &Dependency<'_>, _, _: &State| BTreeSet::new();
    assert!(SEEDS.into_iter().any(|seed| nothing_else_interferes(seed, nobody).is_err()), "a planted bug is caught");
}

/// The roles of all reasons for which a transition is disabled, its processes being in place.
fn reasons(d: &Dependency<'_>, t: TransitionId, state: &State) -> BTreeSet<Role> {
    let (system, transition) = (d.system(), d.system().transition(t));
    let mut found = BTreeSet::new();
    for (i, conjunct) in transition.guard.iter().enumerate() {
        let role = Role::Guard(i as u32);
        if system.predicate(conjunct).holds(system, state) == Ok(false) && d.uses(t).iter().any(|u| u.role == role) {
            found.insert(role);
        }
    }
    for usage in d.uses(t).iter().filter(|u| matches!(u.role, Role::Defined(_)) && !u.operation.only_reads()) {
        if let Some(object) = d.object_in(usage, state)
            && !d.shape(object).is_defined(usage.operation, d.scalar(object, state))
        {
            found.insert(usage.role);
        }
    }
    // Whether these are defined is not to be told from the length alone, or by the relations.
    let open = |c: &Command| matches!(c, Command::Receive(..) | Command::Retrieve(..) | Command::Insert(..));
    let mut receives = (0..).zip(&transition.command).filter(|(_, c)| open(c));
    if let (true, Some((i, _)), None) = (found.is_empty(), receives.next(), receives.next()) {
        // All the rest is in order: no message matches, or there is no room.
        let restored =
            d.uses(t).iter().any(|u| u.operation.only_reads() && matches!(u.role, Role::Defined(k) if k != i));
        if !restored {
            found.insert(Role::Defined(i));
        }
    }
    found
}

/// Definition 4.14: without a necessary enabling set, a disabled transition does not become enabled.
fn nothing_else_enables(seed: u64, relation: fn(&State) -> Option<Relation<'_>>) -> Result<usize, String> {
    let system = generator::system(seed);
    let d = Dependency::new(&system);
    let mut random = Random(seed);
    let mut tried = 0;
    for state in states(&system, &mut random).iter().step_by(3) {
        for t in system.transition_ids().filter(|&t| attempt(&system, t, state) == Outcome::Disabled) {
            let moves = &system.transition(t).moves;
            if moves.iter().any(|m| system.location(m.process, state) != m.from) {
                continue;
            }
            for role in reasons(&d, t, state) {
                let needed = d.uses(t).iter().filter(|u| u.role == role);
                let avoid = relation(state).map_or_else(BTreeSet::new, |r| related(&d, needed, r));
                tried += 1;
                walk_without(&d, &avoid, state, &mut random, &mut |u, at| match attempt(&system, t, at) {
                    Outcome::Next(_) => Err(explain(seed, &d, (t, u), &format!("{t:?} is enabled, past {role:?}"))),
                    _ => Ok(()),
                })?;
            }
        }
    }
    Ok(tried)
}

#[test]
fn only_a_necessary_enabling_set_enables() {
    let mut tried = 0;
    for seed in SEEDS {
        tried += nothing_else_enables(seed, |s| Some(Relation::MayInterfereFirst(s))).unwrap_or_else(|e| panic!("{e}"));
        nothing_else_enables(seed, |_| Some(Relation::CanBeDependent)).unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(tried > 1_000, "only {tried} disabled transitions");
    assert!(SEEDS.into_iter().any(|seed| nothing_else_enables(seed, |_| None).is_err()), "a planted bug is caught");
}
