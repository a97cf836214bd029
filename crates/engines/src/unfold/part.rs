//! Parts of a prefix: what lies below some events, and the configuration that leads where a run leads.

use model::views::{Net, NetTransitionId};

use super::configuration::Causes;
use super::ids::{ConditionId, EventId};
use super::prefix::{Companion, Prefix};

impl Prefix {
    /// The part below some events: these, their causes, the companions of the cut-offs among them with their causes, and
    /// all initial conditions. `net` is the one that was unfolded, its reads as loops; conditions on places that it does
    /// not have are left out.
    pub fn part(&self, net: &Net, events: impl IntoIterator<Item = EventId>) -> Self {
        let kept = self.kept(events);
        let mut part = Self::new(net);
        let mut conditions: Vec<Option<ConditionId>> = vec![None; self.conditions()];
        self.initial().zip(part.initial()).for_each(|(old, new)| conditions[old.index()] = Some(new));
        let mut renamed: Vec<Option<EventId>> = vec![None; self.events()];
        for event in self.event_ids().filter(|e| kept[e.index()]) {
            let preset: Vec<ConditionId> = self.preset(event).iter().filter_map(|c| conditions[c.index()]).collect();
            let companion = self.companion(event).map(|companion| match companion {
                Companion::Start => Companion::Start,
                Companion::Event(e) => Companion::Event(renamed[e.index()].expect("companions come first")),
            });
            let new = part.add(net, self.transition(event), &preset, self.size(event), companion);
            // Places that were added have the highest numbers, so that their conditions come last.
            self.postset(event).zip(part.postset(new)).for_each(|(old, new)| conditions[old.index()] = Some(new));
            renamed[event.index()] = Some(new);
        }
        part
    }

    /// Of each event, whether it is below some events. What an event needs was added before it.
    fn kept(&self, events: impl IntoIterator<Item = EventId>) -> Vec<bool> {
        let mut kept = vec![false; self.events()];
        events.into_iter().for_each(|e| kept[e.index()] = true);
        for event in (0..self.events()).rev().map(EventId::new) {
            if !kept[event.index()] {
                continue;
            }
            self.preset(event).iter().filter_map(|&c| self.producer(c)).for_each(|e| kept[e.index()] = true);
            if let Some(Companion::Event(companion)) = self.companion(event) {
                kept[companion.index()] = true;
            }
        }
        kept
    }

    /// The events of a configuration without cut-offs that leads to the marking that a run leads to; `None` if it is no
    /// run. The prefix must be complete.
    ///
    /// Where the run takes a cut-off, what the cut-off needs is replaced by what its companion needs, which leads to the
    /// same marking; the other steps follow as they were. This is the proof that the prefix is complete, step by step,
    /// and it ends for the reason given there: each time the configuration becomes smaller in the adequate order.
    pub fn configuration(&self, run: &[NetTransitionId]) -> Option<Vec<EventId>> {
        let mut by_transition: Vec<Vec<EventId>> = Vec::new();
        for event in self.event_ids() {
            let t = self.transition(event).index();
            by_transition.resize(by_transition.len().max(t + 1), Vec::new());
            by_transition[t].push(event);
        }
        let mut run = run.to_vec();
        loop {
            let events = self.follow(&by_transition, &run)?;
            match events.last().copied().filter(|&last| self.companion(last).is_some()) {
                Some(cutoff) => run = self.detour(&events, cutoff, &run[events.len()..]),
                None => return Some(events),
            }
        }
    }

    /// The events that a run takes, up to the first cut-off; of several tokens on a place, the oldest are taken.
    fn follow(&self, by_transition: &[Vec<EventId>], run: &[NetTransitionId]) -> Option<Vec<EventId>> {
        let mut marked = vec![false; self.conditions()];
        self.initial().for_each(|c| marked[c.index()] = true);
        let mut events = Vec::new();
        for t in run {
            let possible = by_transition.get(t.index())?.iter().copied();
            let possible = possible.filter(|&e| self.preset(e).iter().all(|c| marked[c.index()]));
            let event = possible.min_by_key(|&e| {
                let mut preset = self.preset(e).to_vec();
                preset.sort_unstable();
                preset
            })?;
            self.preset(event).iter().for_each(|c| marked[c.index()] = false);
            self.postset(event).for_each(|c| marked[c.index()] = true);
            events.push(event);
            if self.companion(event).is_some() {
                break;
            }
        }
        Some(events)
    }

    /// A run to where one leads that takes these events, a cut-off the last of them, and then the other steps.
    fn detour(&self, events: &[EventId], cutoff: EventId, then: &[NetTransitionId]) -> Vec<NetTransitionId> {
        let mut causes = Causes::default();
        let mut local = |event: EventId| -> Vec<EventId> {
            let mut below = causes.below(self, self.preset(event)).to_vec();
            below.push(event);
            below.sort_unstable();
            below
        };
        let first = match self.companion(cutoff) {
            Some(Companion::Event(companion)) => local(companion),
            Some(Companion::Start) | None => Vec::new(),
        };
        let replaced = local(cutoff);
        let others = events.iter().filter(|e| replaced.binary_search(e).is_err());
        first.iter().chain(others).map(|&e| self.transition(e)).chain(then.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use evidence::Budget;
    use model::views::PlaceId;
    use testkit::nets::{random, random_run};

    use super::super::{AdequateOrder, Unfolding};
    use super::*;

    /// The tokens on the places of the net after the events of a configuration.
    fn marking(net: &Net, prefix: &Prefix, events: &[EventId]) -> Vec<u64> {
        let mut cut: Vec<ConditionId> = prefix.initial().collect();
        for &event in events {
            for c in prefix.preset(event) {
                let at = cut.iter().position(|d| d == c).expect("what an event needs is there");
                cut.swap_remove(at);
            }
            cut.extend(prefix.postset(event));
        }
        let tokens = |p: PlaceId| cut.iter().filter(|&&c| prefix.place(c) == p).count() as u64;
        net.place_ids().map(tokens).collect()
    }

    #[test]
    fn every_run_has_a_configuration_with_its_marking() {
        let budget = Budget::unlimited().with_memory(2 << 20);
        let (mut compared, mut shortened) = (0, 0);
        for seed in 0..1500 {
            let net = random(seed);
            for order in [AdequateOrder::McMillan, AdequateOrder::Parikh, AdequateOrder::Total] {
                let Ok(prefix) = (Unfolding { order, ..Unfolding::default() }).prefix(&net, &budget) else { continue };
                let (run, reached) = random_run(&net, seed, 14);
                let events = prefix.configuration(&run).expect("it is a run");
                assert!(events.iter().all(|&e| prefix.companion(e).is_none()), "seed {seed}");
                assert_eq!(marking(&net, &prefix, &events), reached, "seed {seed}, {order:?}");
                let part = prefix.part(&net, events.iter().copied());
                assert_eq!((part.events(), part.cutoffs()), (events.len(), 0));
                let all: Vec<EventId> = part.event_ids().collect();
                assert_eq!(marking(&net, &part, &all), reached, "seed {seed}, {order:?}");
                compared += 1;
                shortened += usize::from(events.len() < run.len());
            }
        }
        assert!(compared > 500 && shortened > 100, "{compared} {shortened}");
    }

    #[test]
    fn all_of_a_prefix_is_itself_without_the_places_that_were_added() {
        let budget = Budget::unlimited().with_memory(2 << 20);
        let (mut compared, mut springs) = (0, 0);
        for seed in 0..500 {
            let net = random(seed);
            let Ok(prefix) = Unfolding::default().prefix(&net, &budget) else { continue };
            let part = prefix.part(&net, prefix.event_ids());
            assert_eq!((part.events(), part.cutoffs()), (prefix.events(), prefix.cutoffs()));
            for (old, new) in prefix.event_ids().zip(part.event_ids()) {
                assert_eq!(
                    (prefix.transition(old), prefix.companion(old)),
                    (part.transition(new), part.companion(new))
                );
                let own = |places: Vec<PlaceId>| {
                    places.into_iter().filter(|p| p.index() < net.places().len()).collect::<Vec<_>>()
                };
                let places = |prefix: &Prefix, e| prefix.preset(e).iter().map(|&c| prefix.place(c)).collect();
                assert_eq!(own(places(&prefix, old)), places(&part, new), "seed {seed}");
                let places = |prefix: &Prefix, e| prefix.postset(e).map(|c| prefix.place(c)).collect();
                assert_eq!(own(places(&prefix, old)), places(&part, new), "seed {seed}");
            }
            assert!(part.condition_ids().all(|c| part.place(c).index() < net.places().len()));
            compared += 1;
            springs += usize::from(part.conditions() < prefix.conditions());
        }
        assert!(compared > 100 && springs > 0, "{compared} {springs}");
    }
}
