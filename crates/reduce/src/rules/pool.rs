//! Pools: places between which tokens move as they like become one place.
//!
//! Condition: no goal looks at the places, and single tokens move between them by transitions that need and do nothing else,
//! from each to each. A marking of the pool can be turned into any other with the same sum, unseen. So the places become
//! one with the sum, and the arcs of the other transitions are added up; one neutral transition is left of the moves. On the way
//! back tokens are moved to where a transition needs them: observations are preserved. A marking with tokens in the pool is not
//! dead, before or after, and where there are none the same transitions are enabled: deadlocks are preserved. Tokens can move in the
//! pool for ever, unseen, exactly where the neutral transition is enabled: runs are preserved up to stuttering.

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::{Arcs, Step};
use crate::class::{Deadlocks, Observations, Preserves, Stuttering};
use crate::components::components;
use crate::scheduler::{Global, Rule, Stop};
use crate::way::Pool;
use crate::work::Work;

/// Joins places between which tokens move freely.
#[derive(Clone, Copy, Debug)]
pub struct FreePool;

impl Preserves<Deadlocks> for FreePool {}
impl Preserves<Observations> for FreePool {}
impl Preserves<Stuttering> for FreePool {}

impl Rule for FreePool {
    fn name(&self) -> &'static str {
        "free pool"
    }
}

impl Global for FreePool {
    fn everywhere(&self, work: &mut Work, stop: Stop<'_>) -> usize {
        let pools = pools(work);
        let mut joined = 0;
        for members in pools {
            if stop() {
                break;
            }
            joined += usize::from(join(work, &members).is_some());
        }
        joined
    }
}

/// The end of a move of one token, if the transition is one.
pub(crate) fn target(work: &Work, t: NetTransitionId) -> Option<PlaceId> {
    match (work.pre(t), work.post(t)) {
        (&[(from, 1)], &[(to, 1)]) if from != to && !work.is_observed(from) && !work.is_observed(to) => Some(to),
        _ => None,
    }
}

/// The places of each pool, in increasing order.
fn pools(work: &Work) -> Vec<Vec<PlaceId>> {
    let places = work.numbers().0;
    let mut moves: Vec<Vec<PlaceId>> = vec![Vec::new(); places];
    for t in work.transitions() {
        if let Some(to) = target(work, t) {
            moves[work.pre(t)[0].0.index()].push(to);
        }
    }
    let found = components(places, |p, i| moves[p].get(i).map(|to| to.index()));
    let mut all: Vec<(u32, PlaceId)> =
        work.places().filter(|p| found.is_shared(p.index())).map(|p| (found.of[p.index()], p)).collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a.0 == b.0).map(|chunk| chunk.iter().map(|&(_, p)| p).collect()).collect()
}

/// Joins the places of a pool; `None` if a number becomes too large.
pub(crate) fn join(work: &mut Work, members: &[PlaceId]) -> Option<()> {
    let first = *members.first()?;
    members.iter().try_fold(0_u32, |sum, &p| sum.checked_add(work.initial(p)))?;
    let around = around(work, members);
    let (moves, others): (Vec<_>, Vec<_>) = around.into_iter().partition(|&t| is_inside(work, t, members));
    let steps = others.iter().map(|&t| joined(work.step(t), members)).collect::<Option<Vec<Step>>>()?;
    let pool = make(work, members, &moves);
    let pool = work.way.pool(pool);
    for (&t, step) in others.iter().zip(steps) {
        let member = |&(p, w): &(PlaceId, u32)| Some((members.binary_search(&p).ok()?, w));
        let needs: Vec<(usize, u32)> = work.pre(t).iter().filter_map(member).collect();
        let node = work.node(t);
        let node = if needs.is_empty() { node } else { work.way.gather(pool, needs, node) };
        work.add_transition(step, node);
    }
    let idle = work.way.nothing(work.node(moves[0]));
    work.add_transition(Step { pre: vec![(first, 1)], post: vec![(first, 1)] }, idle);
    work.remove_transitions(&others);
    work.remove_transitions(&moves);
    members[1..].iter().for_each(|&p| work.absorb(first, p).expect("the sum of the tokens fits"));
    Some(())
}

fn around(work: &Work, members: &[PlaceId]) -> Vec<NetTransitionId> {
    let of = |&p: &PlaceId| work.consumers(p).iter().chain(work.producers(p)).map(|&(t, _)| t);
    let mut all: Vec<NetTransitionId> = members.iter().flat_map(of).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn is_inside(work: &Work, t: NetTransitionId, members: &[PlaceId]) -> bool {
    let inside = |p: PlaceId| members.binary_search(&p).is_ok();
    target(work, t).is_some_and(inside) && inside(work.pre(t)[0].0)
}

/// The step with the places of the pool added up.
fn joined(step: &Step, members: &[PlaceId]) -> Option<Step> {
    let side = |row: &[(PlaceId, u32)]| {
        let (inside, mut outside): (Arcs, Arcs) =
            row.iter().copied().partition(|&(p, _)| members.binary_search(&p).is_ok());
        let sum = inside.iter().try_fold(0_u32, |sum, &(_, weight)| sum.checked_add(weight))?;
        let at = outside.partition_point(|&(p, _)| p < members[0]);
        if sum > 0 {
            outside.insert(at, (members[0], sum));
        }
        Some(outside)
    };
    Some(Step { pre: side(&step.pre)?, post: side(&step.post)? })
}

fn make(work: &Work, members: &[PlaceId], moves: &[NetTransitionId]) -> Pool {
    let number = |p: PlaceId| members.binary_search(&p).expect("moves stay inside");
    let mut sources = vec![Vec::new(); members.len()];
    for &t in moves {
        sources[number(work.post(t)[0].0)].push((number(work.pre(t)[0].0), work.node(t)));
    }
    Pool { members: members.iter().map(|&p| work.group(p)).collect(), sources }
}
