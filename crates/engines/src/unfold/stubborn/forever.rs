//! Early exit: markings from which something stays possible for ever, so that no dead marking can be reached.
//!
//! The paper leaves off "when a transition sequence is found that can fire indefinitely and that cannot be disabled by
//! other net transitions", without saying how. There are two ways to be sure.
//!
//! **A sequence without rivals.** Say that a transition *takes* from a place if it puts back less than it needs there,
//! and that `u` has *no rivals* if nobody but `u` takes from its input places. Let an infinite sequence `s` of such
//! transitions be possible in a marking `m`. Then no marking that is reachable from `m` is dead. For if `m` goes to `m'`
//! by one step `v`, an infinite sequence of such transitions is possible in `m'` as well:
//!
//! - if `v` does not occur in `s`, it takes from no input place of the transitions of `s`, and `s` is possible in `m'`;
//! - if `s = a v b` and `a` has no `v`, then for the same reason `a` is possible after `v`; and `v a` leads where `a v`
//!   leads, so that `a b` is possible in `m'`.
//!
//! Such a sequence is found as a set of transitions without rivals that can all fire once, and after that have at least
//! as many tokens on all their input places. First it is found once for all which of them could be in such a set at
//! all, so that in most nets nothing has to be looked for.
//!
//! **A trap with a way out of each place.** Let every transition that takes from a set of places also put a token on
//! one of them, so that it stays marked once it is (a trap), and let each place of it alone, with one token, enable some
//! transition. If it is marked, something is enabled, now and for ever. This is the state machine that nobody stops.
//!
//! Either is about what comes after `m`. The paper ends the whole search: that is right if `m` is the initial marking,
//! and wrong if the search has chosen between several ways before, one of which may lead to a deadlock. What ends here
//! is the search behind `m`.

use model::views::{Net, NetTransitionId, PlaceId};

use crate::tokens::live::Live;

#[derive(Debug)]
pub(super) struct Forever<'a> {
    net: &'a Net,
    /// Transitions without rivals that could be repeated.
    repeatable: Vec<NetTransitionId>,
    /// The places of the greatest trap with a way out of each place.
    trap: Vec<PlaceId>,
    tokens: Vec<u64>,
}

impl<'a> Forever<'a> {
    pub(super) fn new(net: &'a Net) -> Self {
        let takes = |t: NetTransitionId, p: PlaceId| weight(net.post(t), p) < weight(net.pre(t), p);
        let no_rivals = |&t: &NetTransitionId| {
            let takers = |p: PlaceId| net.consumers(p).iter().filter(move |&&(u, _)| u != t && takes(u, p));
            net.pre(t).iter().all(|&(p, _)| takers(p).next().is_none())
        };
        let mut repeatable: Vec<NetTransitionId> = net.transition_ids().filter(no_rivals).collect();
        keep_balanced(net, &mut repeatable);
        Self { net, repeatable, trap: trap(net), tokens: Vec::new() }
    }

    /// Whether no dead marking can be reached from here, for one of the two reasons.
    pub(super) fn holds(&mut self, live: &Live) -> bool {
        self.trap.iter().any(|p| live.tokens()[p.index()] > 0)
            || self.repeatable.iter().any(|&t| live.is_enabled(t)) && self.repeats(live)
    }

    #[cfg(test)]
    fn forget_rivals(&mut self) {
        self.repeatable = self.net.transition_ids().collect();
        keep_balanced(self.net, &mut self.repeatable);
    }

    #[cfg(test)]
    fn forget_traps(&mut self) {
        self.trap.clear();
    }

    fn repeats(&mut self, live: &Live) -> bool {
        let mut set = self.repeatable.clone();
        while !set.is_empty() {
            let mut fired = self.fire_once(&set, live);
            if fired.len() == set.len() {
                return true;
            }
            keep_balanced(self.net, &mut fired);
            set = fired;
        }
        false
    }

    /// Those that fire if each may fire once; in whatever order, since none disables another.
    fn fire_once(&mut self, set: &[NetTransitionId], live: &Live) -> Vec<NetTransitionId> {
        self.tokens.clear();
        self.tokens.extend_from_slice(live.tokens());
        let (mut waiting, mut fired) = (set.to_vec(), Vec::new());
        loop {
            let before = fired.len();
            waiting.retain(|&t| {
                let enabled = self.net.is_enabled(t, &self.tokens);
                if enabled {
                    self.net.pre(t).iter().for_each(|&(p, w)| self.tokens[p.index()] -= u64::from(w));
                    self.net.post(t).iter().for_each(|&(p, w)| self.tokens[p.index()] += u64::from(w));
                    fired.push(t);
                }
                !enabled
            });
            if fired.len() == before {
                fired.sort_unstable();
                return fired;
            }
        }
    }
}

/// Drops transitions until the others, fired once each, give their input places what they take from them.
fn keep_balanced(net: &Net, set: &mut Vec<NetTransitionId>) {
    loop {
        let gives = |&(t, w): &(NetTransitionId, u32)| set.binary_search(&t).map_or(0, |_| u64::from(w));
        let is_balanced = |&(p, _): &(PlaceId, u32)| {
            let given: u64 = net.producers(p).iter().map(gives).sum();
            let needed: u64 = net.consumers(p).iter().map(gives).sum();
            given >= needed
        };
        let kept: Vec<NetTransitionId> = set.iter().copied().filter(|&t| net.pre(t).iter().all(is_balanced)).collect();
        if kept.len() == set.len() {
            return;
        }
        *set = kept;
    }
}

/// The greatest trap of places each of which enables a transition by itself.
fn trap(net: &Net) -> Vec<PlaceId> {
    let alone = |t: NetTransitionId| matches!(net.pre(t), [(_, 1)]);
    let mut trap: Vec<bool> = net.place_ids().map(|p| net.consumers(p).iter().any(|&(t, _)| alone(t))).collect();
    loop {
        let stays = |t: NetTransitionId| net.post(t).iter().any(|(p, _)| trap[p.index()]);
        let leaks = |p: &PlaceId| trap[p.index()] && net.consumers(*p).iter().any(|&(t, _)| !stays(t));
        let leaking: Vec<PlaceId> = net.place_ids().filter(leaks).collect();
        if leaking.is_empty() {
            break;
        }
        leaking.iter().for_each(|p| trap[p.index()] = false);
    }
    net.place_ids().filter(|p| trap[p.index()]).collect()
}

fn weight(arcs: &[(PlaceId, u32)], p: PlaceId) -> u32 {
    arcs.binary_search_by_key(&p, |&(q, _)| q).map_or(0, |i| arcs[i].1)
}

#[cfg(test)]
mod tests {
    use testkit::nets::{Oracle, random, tiny};

    use super::*;
    use crate::tokens::wiring::Wiring;

    /// For how many reachable markings no dead one is promised; `None` if one of them reaches a dead one all the same.
    fn promises(net: &Net, sabotage: fn(&mut Forever<'_>)) -> Option<usize> {
        let Some(oracle) = Oracle::new(net, 60) else { return Some(0) };
        let (wiring, mut forever) = (Wiring::new(net), Forever::new(net));
        sabotage(&mut forever);
        let mut live = Live::new(&wiring);
        let mut promised = 0;
        for marking in oracle.markings() {
            net.place_ids().for_each(|p| live.set(&wiring, p, marking[p.index()]));
            if forever.holds(&live) {
                promised += 1;
                let (mut seen, mut waiting) = (vec![marking.clone()], vec![marking.clone()]);
                while let Some(m) = waiting.pop() {
                    let enabled: Vec<_> = net.transition_ids().filter(|&t| net.is_enabled(t, &m)).collect();
                    if enabled.is_empty() {
                        return None;
                    }
                    let next = enabled.into_iter().map(|t| net.fire(t, &m));
                    let next: Vec<_> = next.filter(|n| !seen.contains(n)).collect();
                    seen.extend(next.iter().cloned());
                    waiting.extend(next);
                }
            }
        }
        Some(promised)
    }

    fn nets() -> impl Iterator<Item = Net> {
        (0..1500).map(random).chain(tiny().step_by(61))
    }

    #[test]
    fn what_goes_on_for_ever_never_gets_stuck() {
        let count = |sabotage: fn(&mut Forever<'_>)| {
            nets().map(|net| promises(&net, sabotage).expect("no dead marking")).sum::<usize>()
        };
        let (all, without_traps) = (count(|_| ()), count(|forever| forever.forget_traps()));
        assert!(without_traps > 500 && all > without_traps + 500, "{all} {without_traps}");
    }

    #[test]
    fn a_sequence_with_rivals_is_caught() {
        assert!(nets().any(|net| promises(&net, |forever| forever.forget_rivals()).is_none()));
    }
}
