//! Which steps suffice in a node of the product of a net and a blind automaton.
//!
//! The argument is that of `liveness::reduction`: the automaton is blind; what is chosen depends on the marking and the
//! automaton's component only; it is a persistent set that nobody sees; and each cycle has a node in which nothing is left
//! out. In components of one state that node is where a step leads back to the stack (Peled). In larger ones nothing is left out
//! where the set has a transition of a *cover*, which every cycle of invisible transitions has. Whether it is a cycle of
//! the net is seen in the graph in which a transition follows those that put tokens where it takes some: in a cycle of
//! markings that has neither neutral transitions nor such that only put tokens, everybody follows somebody, so that the graph
//! has a cycle, and a depth-first search of it finds an edge back to one of its transitions.
//!
//! The sets are stubborn sets in which all enabled transitions are key transitions: what they allow to put off neither
//! disables them nor changes what they lead to, so that their enabled part is persistent.

use automata::Blind;
use automata::automaton::{Components, State as Place};
use model::nets::{Linear, Predicate};
use model::views::{Net, NetTransitionId};

use crate::tokens::live::Live;
use crate::tokens::stubborn::{Scapegoats, Stubborn};
use crate::tokens::wiring::Wiring;

pub(super) struct Reduction<'a> {
    sets: Stubborn<'a>,
    /// By component of the automaton, the transitions that no set may fire.
    barred: Vec<Vec<bool>>,
    /// By state of the automaton, its component, and whether that has other states.
    component: Vec<usize>,
    entangled: Vec<bool>,
    seeds: Vec<NetTransitionId>,
}

/// What may be forgotten, to see it go wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Forget {
    #[default]
    Nothing,
    /// That steps are seen.
    #[cfg(test)]
    Visible,
    /// That cycles must not put anything off for ever.
    #[cfg(test)]
    Cycles,
}

impl<'a> Reduction<'a> {
    pub(super) fn new(wiring: &'a Wiring<'a>, automaton: &Blind, atoms: &[Predicate], forget: Forget) -> Self {
        let (net, automaton) = (wiring.net, automaton.automaton());
        let (components, observed) = (Components::of(automaton), automaton.observed());
        let mut sizes = vec![0; components.count()];
        automaton.states().for_each(|s| sizes[components.at(s)] += 1);
        let seen: Vec<Vec<bool>> = atoms.iter().map(|atom| seen_by(wiring, atom)).collect();
        let mut barred = vec![Vec::new(); components.count()];
        for state in automaton.states() {
            let (component, atoms) = (components.at(state), observed[state.index()]);
            if !barred[component].is_empty() {
                continue;
            }
            let mut row = vec![false; net.transitions().len()];
            for (_, seen) in seen.iter().enumerate().filter(|(a, _)| atoms >> a & 1 == 1 && sees(forget)) {
                row.iter_mut().zip(seen).for_each(|(barred, &seen)| *barred |= seen);
            }
            if sizes[component] > 1 && heeds_cycles(forget) {
                cover(wiring, &mut row);
            }
            barred[component] = row;
        }
        let component: Vec<usize> = automaton.states().map(|s| components.at(s)).collect();
        let entangled = component.iter().map(|&c| sizes[c] > 1).collect();
        let sets = Stubborn::new(net, Scapegoats::FewNewGivers);
        Self { sets, barred, component, entangled, seeds: Vec::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.sets.bytes() + self.barred.iter().map(|row| row.len() as u64).sum::<u64>()
    }

    /// Whether what is chosen may depend on where cycles close.
    pub(super) fn heeds_stack(&self, place: Place) -> bool {
        !self.entangled[place.index()]
    }

    /// Adds the transitions of a set that suffices, if nothing closes a cycle; nothing if all must be taken.
    pub(super) fn choose(&mut self, live: &Live, place: Place, out: &mut Vec<NetTransitionId>) {
        let barred = &mut self.barred[self.component[place.index()]];
        self.seeds.clear();
        self.seeds.extend(live.enabled().iter().filter(|t| !barred[t.index()]));
        if self.seeds.is_empty() || live.enabled().len() == 1 {
            return;
        }
        self.seeds.sort_unstable();
        self.sets.without(barred, &self.seeds, live, out);
    }
}

fn sees(forget: Forget) -> bool {
    match forget {
        Forget::Nothing => true,
        #[cfg(test)]
        Forget::Visible => false,
        #[cfg(test)]
        Forget::Cycles => true,
    }
}

pub(super) fn heeds_cycles(forget: Forget) -> bool {
    match forget {
        Forget::Nothing => true,
        #[cfg(test)]
        Forget::Visible => true,
        #[cfg(test)]
        Forget::Cycles => false,
    }
}

/// By transition, whether it can change the truth of an atom.
fn seen_by(wiring: &Wiring<'_>, atom: &Predicate) -> Vec<bool> {
    let net: &Net = wiring.net;
    let mut seen = vec![false; net.transitions().len()];
    let mut expressions = Vec::new();
    collect(atom, &mut expressions);
    for expression in expressions {
        let factor =
            |p| expression.terms().binary_search_by_key(&p, |&(q, _)| q).map_or(0, |i| expression.terms()[i].1);
        let around = |&(p, _): &(_, i64)| net.consumers(p).iter().chain(net.producers(p));
        for &(t, _) in expression.terms().iter().flat_map(around) {
            let change = |&(p, change): &(_, i64)| i128::from(factor(p)) * i128::from(change);
            seen[t.index()] |= wiring.effect(t).iter().map(change).sum::<i128>() != 0;
        }
    }
    seen
}

fn collect<'p>(predicate: &'p Predicate, out: &mut Vec<&'p Linear>) {
    match predicate {
        Predicate::Constant(_) => {}
        Predicate::AtMostZero(expression) => out.push(expression),
        Predicate::All(parts) | Predicate::Any(parts) => parts.iter().for_each(|part| collect(part, out)),
    }
}

/// Adds transitions such that every cycle of markings has one of the set.
fn cover(wiring: &Wiring<'_>, set: &mut [bool]) {
    let net = wiring.net;
    for t in net.transition_ids() {
        set[t.index()] |= wiring.effect(t).iter().all(|&(_, change)| change > 0);
    }
    let (white, grey, black) = (0u8, 1u8, 2u8);
    let mut colour = vec![white; set.len()];
    for root in net.transition_ids() {
        if set[root.index()] || colour[root.index()] != white {
            continue;
        }
        colour[root.index()] = grey;
        let mut path = vec![(root, followers(wiring, root))];
        while let Some((t, next)) = path.last_mut() {
            let (t, next) = (*t, next.pop());
            match next {
                None => {
                    colour[t.index()] = black;
                    path.pop();
                }
                Some(u) if set[u.index()] || colour[u.index()] == black => {}
                Some(u) if colour[u.index()] == grey => set[u.index()] = true,
                Some(u) => {
                    colour[u.index()] = grey;
                    path.push((u, followers(wiring, u)));
                }
            }
        }
    }
}

/// Whether every run of a net ends, as one sees it from its graph: each transition takes tokens for good from some place, and
/// whoever puts tokens there comes before it. Then each fires only so often, one after the other.
pub fn always_ends(net: &Net) -> bool {
    let mut covered = vec![false; net.transitions().len()];
    cover(&Wiring::new(net), &mut covered);
    !covered.contains(&true)
}

/// The transitions that take tokens where this one puts some.
fn followers(wiring: &Wiring<'_>, t: NetTransitionId) -> Vec<NetTransitionId> {
    let takes = |u: NetTransitionId, p| wiring.effect(u).iter().any(|&(q, change)| q == p && change < 0);
    let gains = wiring.effect(t).iter().filter(|(_, change)| *change > 0);
    gains
        .flat_map(|&(p, _)| wiring.consumers(p).iter().map(move |&(_, u)| (u, p)))
        .filter(|&(u, p)| takes(u, p))
        .map(|(u, _)| u)
        .collect()
}
