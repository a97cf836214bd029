//! The process of a run: an occurrence net in which each event shows what it really waited for.
//!
//! A run is one order of its steps among many; its process has only the order that causes force. Where a place has
//! several tokens, a step takes the oldest: any choice gives a process of the run, and this one is the same each time.

use std::collections::VecDeque;

use model::views::{Net, NetTransitionId, PlaceId};

use super::configuration::Causes;
use super::ids::ConditionId;
use super::prefix::Prefix;

impl Prefix {
    /// The process of a run: an event for each step, in the order of the steps, and no cut-offs. If a step is not
    /// enabled when its turn comes, its number, from 0.
    pub fn process(net: &Net, run: &[NetTransitionId]) -> Result<Self, usize> {
        let mut process = Self::new(net);
        let mut tokens: Vec<VecDeque<ConditionId>> = vec![VecDeque::new(); net.places().len()];
        process.initial().for_each(|c| tokens[process.place(c).index()].push_back(c));
        let mut causes = Causes::default();
        for (step, &t) in run.iter().enumerate() {
            let preset = take(net.pre(t), &mut tokens).ok_or(step)?;
            let size = causes.below(&process, &preset).len() + 1;
            let event = process.add(net, t, &preset, u32::try_from(size).expect("fewer than 2^32 steps"), None);
            process.postset(event).for_each(|c| tokens[process.place(c).index()].push_back(c));
        }
        Ok(process)
    }

    /// The conditions that nothing uses up: of a process, the tokens at the end of its run.
    pub fn left(&self) -> Vec<ConditionId> {
        let mut used = vec![false; self.conditions()];
        self.event_ids().for_each(|e| self.preset(e).iter().for_each(|c| used[c.index()] = true));
        self.condition_ids().filter(|c| !used[c.index()]).collect()
    }
}

/// Takes the oldest tokens that the arcs ask for, if there are enough.
fn take(arcs: &[(PlaceId, u32)], tokens: &mut [VecDeque<ConditionId>]) -> Option<Vec<ConditionId>> {
    let enough = |&(p, weight): &(PlaceId, u32)| tokens[p.index()].len() >= weight as usize;
    if !arcs.iter().all(enough) {
        return None;
    }
    let taken = |&(p, weight): &(PlaceId, u32)| tokens[p.index()].drain(..weight as usize).collect::<Vec<_>>();
    Some(arcs.iter().flat_map(taken).collect())
}

#[cfg(test)]
mod tests {
    use model::views::{ArcSet, Place};
    use testkit::nets::{random, random_run};

    use super::*;

    #[test]
    fn a_process_has_the_steps_and_the_tokens_of_its_run() {
        let mut ordered = 0;
        for seed in 0..500 {
            let net = random(seed);
            let (run, marking) = random_run(&net, seed, 12);
            let process = Prefix::process(&net, &run).expect("it is a run");
            let steps: Vec<NetTransitionId> = process.event_ids().map(|e| process.transition(e)).collect();
            assert_eq!(steps, run);
            let tokens = |p| process.left().iter().filter(|&&c| process.place(c) == p).count() as u64;
            assert_eq!(net.place_ids().map(tokens).collect::<Vec<_>>(), marking, "seed {seed}");
            let mut users = vec![0; process.conditions()];
            for event in process.event_ids() {
                let places: Vec<PlaceId> = process.preset(event).iter().map(|&c| process.place(c)).collect();
                let expected = net.pre(process.transition(event)).iter();
                let expected = expected.flat_map(|&(p, weight)| std::iter::repeat_n(p, weight as usize));
                assert_eq!(places, expected.collect::<Vec<_>>());
                for &c in process.preset(event) {
                    users[c.index()] += 1;
                    assert!(process.producer(c).is_none_or(|cause| cause < event), "causes come first");
                    ordered += usize::from(process.producer(c).is_some());
                }
            }
            assert!(users.iter().all(|&users| users <= 1), "a token is used once");
        }
        assert!(ordered > 500, "{ordered}");
    }

    #[test]
    fn the_oldest_token_is_taken_and_concurrent_steps_are_not_ordered() {
        let (p, q) = (PlaceId::new(0), PlaceId::new(1));
        let places = vec![Place::new("p", 2), Place::new("q", 0)];
        let arcs = vec![ArcSet::new("t", vec![(p, 1)], vec![(q, 1)]), ArcSet::new("u", vec![(q, 1)], vec![])];
        let net = Net::new("n", places, arcs).expect("a net");
        let (t, u) = (NetTransitionId::new(0), NetTransitionId::new(1));
        let process = Prefix::process(&net, &[t, t, u]).expect("a run");
        let sizes: Vec<u32> = process.event_ids().map(|e| process.size(e)).collect();
        assert_eq!(sizes, [1, 1, 2]);
        let third = process.event_ids().nth(2).expect("three steps");
        assert_eq!(
            process.preset(third).iter().map(|&c| process.producer(c)).collect::<Vec<_>>(),
            [process.event_ids().next()]
        );
        assert_eq!(Prefix::process(&net, &[t, u, u]).map(|_| ()), Err(2));
    }
}
