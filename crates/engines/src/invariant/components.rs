//! What components reach if all others are ignored.
//!
//! A component all of whose rules need another one, as a variable that only one process uses, is taken together with
//! that one: apart, they would know nothing of each other. Rules are projected onto such a *cluster*: its members move
//! as they do in the rule, whoever else takes part. Events that no rule uses never happen. Every rule of the network does
//! in a cluster what one of the projected rules does, or nothing; so no rule leaves what a cluster reaches.

use std::collections::BTreeSet;

use model::views::{ComponentId, RuleId, StateId};
use solve::bdd::Bdd;

use super::report::Used;
use crate::diagrams::{Space, Stop};
use crate::structure::wiring::Wiring;

/// The most bits of a cluster of several components.
const BITS: usize = 24;

/// The states in which every cluster is where it can get to.
pub(super) fn reached(space: &Space<'_>, wiring: &Wiring<'_>, used: &mut Used) -> Result<Bdd, Stop> {
    let mut clusters = Clusters::new(space, wiring).all();
    // Those of late variables first.
    clusters.sort_by_key(|members| std::cmp::Reverse(members.iter().filter_map(|c| space.bits(*c).first()).min()));
    used.clusters = clusters.len();
    used.largest_cluster = clusters.iter().map(Vec::len).max().unwrap_or(0);
    let reached = |members: &Vec<ComponentId>| match members[..] {
        [c] => space.among(c, &alone(space, wiring, c)),
        _ => together(space, wiring, members),
    };
    let mut set = space.manager().all();
    for members in &clusters {
        space.check()?;
        set = set.and(&reached(members)?)?;
    }
    Ok(set)
}

/// The states that one component reaches.
fn alone(space: &Space<'_>, wiring: &Wiring<'_>, c: ComponentId) -> Vec<StateId> {
    let component = wiring.network().component(c);
    let mut reached = vec![false; component.states().len()];
    let mut found = space.starts()[c.index()].clone();
    found.iter().for_each(|s| reached[s.index()] = true);
    let mut next = 0;
    while let Some(&s) = found.get(next) {
        next += 1;
        for m in component.moves(s).iter().filter(|m| !wiring.rules(wiring.port(c, m.event)).is_empty()) {
            if !std::mem::replace(&mut reached[m.to.index()], true) {
                found.push(m.to);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The joint states that some components reach.
fn together(space: &Space<'_>, wiring: &Wiring<'_>, members: &[ComponentId]) -> Result<Bdd, Stop> {
    let rules: BTreeSet<RuleId> = members.iter().flat_map(|c| wiring.taken(*c)).map(|t| t.0).collect();
    let mut projected = BTreeSet::new();
    for rule in rules {
        let participants = wiring.network().rule(rule).participants.iter().copied();
        projected.insert(participants.filter(|p| members.contains(&p.0)).collect::<Vec<_>>());
    }
    let starts = members.iter().map(|&c| space.among(c, &space.starts()[c.index()]));
    let mut reached = space.all_of(starts.collect::<Result<Vec<_>, Stop>>()?)?;
    loop {
        let before = reached.clone();
        space.check()?;
        for ports in &projected {
            reached = reached.or(&space.after_events(ports, &reached)?)?;
        }
        if reached == before {
            return Ok(reached);
        }
    }
}

/// Who belongs to whom.
struct Clusters {
    /// By component, its companions: all their rules need it.
    companions: Vec<Vec<ComponentId>>,
    /// By component, whether it is nobody's companion.
    is_root: Vec<bool>,
    /// By component.
    bits: Vec<usize>,
}

impl Clusters {
    fn new(space: &Space<'_>, wiring: &Wiring<'_>) -> Self {
        let all = || wiring.network().component_ids();
        let mut clusters = Self {
            companions: vec![Vec::new(); all().count()],
            is_root: vec![true; all().count()],
            bits: all().map(|c| space.bits(c).len()).collect(),
        };
        for c in all() {
            if let Some(needed) = needed(wiring, c) {
                clusters.companions[needed.index()].push(c);
                clusters.is_root[c.index()] = false;
            }
        }
        clusters
    }

    /// The clusters; every component is in one at least.
    fn all(&self) -> Vec<Vec<ComponentId>> {
        let mut open: Vec<ComponentId> =
            (0..self.is_root.len()).filter(|&c| self.is_root[c]).map(ComponentId::new).collect();
        let mut clusters = Vec::new();
        while let Some(root) = open.pop() {
            let whole = self.below(root);
            if whole.len() == 1 || self.size(&whole) <= BITS {
                clusters.push(whole);
            } else {
                clusters.extend(self.parts(root));
                open.extend(&self.companions[root.index()]);
            }
        }
        clusters
    }

    fn size(&self, members: &[ComponentId]) -> usize {
        members.iter().map(|c| self.bits[c.index()]).sum()
    }

    /// A component, its companions, theirs, and so on.
    fn below(&self, root: ComponentId) -> Vec<ComponentId> {
        let (mut members, mut next) = (vec![root], 0);
        while let Some(c) = members.get(next) {
            members.extend(&self.companions[c.index()]);
            next += 1;
        }
        members.sort_unstable();
        members
    }

    /// A component with some of its companions at a time, if they are too many to be taken together.
    fn parts(&self, root: ComponentId) -> Vec<Vec<ComponentId>> {
        let mut parts = Vec::new();
        let mut part = vec![root];
        for &c in &self.companions[root.index()] {
            if self.size(&[root, c]) > BITS {
                continue;
            }
            if self.size(&part) + self.bits[c.index()] > BITS {
                parts.push(std::mem::replace(&mut part, vec![root]));
            }
            part.push(c);
        }
        parts.push(part);
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts
    }
}

/// The component that all rules of another one need, the one with the fewest rules if there are several. Of two that need
/// each other, the first.
fn needed(wiring: &Wiring<'_>, c: ComponentId) -> Option<ComponentId> {
    let rules = wiring.taken(c);
    let participants = |r: RuleId| &wiring.network().rule(r).participants;
    let shortest = rules.iter().map(|t| t.0).min_by_key(|&r| participants(r).len())?;
    let mut others: Vec<ComponentId> = participants(shortest).iter().map(|p| p.0).filter(|d| *d != c).collect();
    for (r, _) in rules {
        if others.is_empty() {
            return None;
        }
        others.retain(|d| participants(*r).binary_search_by_key(d, |p| p.0).is_ok());
    }
    let candidates = others.into_iter().map(|d| (wiring.taken(d).len(), d));
    candidates.filter(|&(number, d)| number > rules.len() || d < c).min().map(|(_, d)| d)
}
