//! The emptied siphon of a dead marking: places without a token that get none any more.
//!
//! A set of places is a *siphon* if every transition that puts a token into it takes one out of it. Once it is empty it
//! stays so, and what needs one of its tokens never happens again. In a dead marking of a net whose arcs have no weights
//! there always is one: every transition lacks a token, so all empty places together are one.

use std::collections::BTreeSet;

use model::{Binary, Command, Expr, ObjectId, System, Target, Transition, Value};
use serde::Serialize;

/// How many arcs are looked at: what is found is a siphon at any time, though not the smallest.
const EFFORT: usize = 5_000_000;
/// The longest siphon that is worth telling.
const MOST: usize = 200;

/// A siphon without tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Siphon {
    /// Its places.
    pub places: Vec<String>,
    /// Whether it had tokens in the initial marking.
    pub emptied: bool,
    /// The transitions that would put a token into it, each with one of its places that it would take one from.
    pub feeders: Vec<Feeder>,
}

/// A transition that could fill a siphon if it were not empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Feeder {
    /// The transition.
    pub transition: String,
    /// The place of the siphon that it needs.
    pub needs: String,
    /// The place of the siphon that it would fill.
    pub fills: String,
}

/// The places that a transition needs tokens of, and those that it puts some into.
struct Arcs {
    pre: Vec<ObjectId>,
    post: Vec<ObjectId>,
}

/// A siphon without tokens that is as small as possible; of a net only.
pub(crate) fn empty_siphon(system: &System, state: &[u64]) -> Option<Siphon> {
    if !system.processes().is_empty() {
        return None;
    }
    let arcs: Vec<Arcs> = system.transitions().iter().map(arcs).collect::<Option<_>>()?;
    let empty = system.object_ids().filter(|o| system.value(*o, state) == Value::Int(0)).collect();
    let initially = |p: &ObjectId| system.object(*p).initial != Value::Int(0);
    let mut search = Search { arcs: &arcs, effort: EFFORT };
    let mut siphon = search.largest(empty);
    let emptied = siphon.iter().any(initially);
    for p in siphon.clone() {
        if search.effort > 0 && siphon.contains(&p) {
            let mut rest = siphon.clone();
            rest.remove(&p);
            let smaller = search.largest(rest);
            if !smaller.is_empty() && (!emptied || smaller.iter().any(initially)) {
                siphon = smaller;
            }
        }
    }
    if siphon.is_empty() || siphon.len() > MOST {
        return None;
    }
    let name = |p: &ObjectId| system.object(*p).name.clone();
    let feeder = |(t, arcs): (&Transition, &Arcs)| {
        let inside = |places: &[ObjectId]| places.iter().find(|p| siphon.contains(p)).map(name);
        Some(Feeder { transition: t.name.clone(), needs: inside(&arcs.pre)?, fills: inside(&arcs.post)? })
    };
    let feeders = system.transitions().iter().zip(&arcs).filter_map(feeder).take(MOST).collect();
    Some(Siphon { places: siphon.iter().map(name).collect(), emptied, feeders })
}

/// The arcs of a transition, if it is one of a net.
fn arcs(t: &Transition) -> Option<Arcs> {
    let place = |target: &Target| (target.len == 1).then_some(target.first);
    let (mut pre, mut post) = (Vec::new(), Vec::new());
    for condition in &t.guard {
        let Expr::Binary(Binary::Ge, left, right) = condition else { return None };
        let (Expr::Read(target), Expr::Const(1..)) = (&**left, &**right) else { return None };
        pre.push(place(target)?);
    }
    for command in &t.command {
        match command {
            Command::Take(target, _) => pre.push(place(target)?),
            Command::Gain(target, _) => post.push(place(target)?),
            _ => return None,
        }
    }
    Some(Arcs { pre, post })
}

struct Search<'a> {
    arcs: &'a [Arcs],
    effort: usize,
}

impl Search<'_> {
    /// The largest siphon among some places; nothing if it would take too long.
    fn largest(&mut self, mut places: BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
        loop {
            let mut changed = false;
            for Arcs { pre, post } in self.arcs {
                self.effort = self.effort.saturating_sub(pre.len() + post.len() + 1);
                if !pre.iter().any(|p| places.contains(p)) {
                    post.iter().for_each(|p| changed |= places.remove(p));
                }
            }
            if !changed || places.is_empty() {
                return places;
            }
            if self.effort == 0 {
                return BTreeSet::new();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(arcs: &[(&[u32], &[u32])]) -> Vec<Arcs> {
        let places = |list: &[u32]| list.iter().map(|p| ObjectId(*p)).collect();
        arcs.iter().map(|(pre, post)| Arcs { pre: places(pre), post: places(post) }).collect()
    }

    #[test]
    fn what_others_fill_is_no_siphon() {
        // 0 -> 1 -> 2 and 2 + 3 -> 3: nothing fills 0; 1 and 2 are siphons only together with what fills them.
        let arcs = net(&[(&[0], &[1]), (&[1], &[2]), (&[2, 3], &[3])]);
        let largest = |places: &[u32]| {
            let places = places.iter().map(|p| ObjectId(*p)).collect();
            let found = Search { arcs: &arcs, effort: 1000 }.largest(places);
            found.into_iter().map(|p| p.0).collect::<Vec<_>>()
        };
        assert_eq!(largest(&[0, 1, 2]), [0, 1, 2]);
        assert_eq!(largest(&[1, 2]), [0; 0]);
        assert_eq!(largest(&[0, 2]), [0]);
        assert_eq!(largest(&[3]), [3]);
        assert_eq!(largest(&[2, 3]), [3]);
    }

    /// The largest siphon is the union of all, by trying every set of places; and to forget what a transition takes, or
    /// to stop after one round, would be noticed.
    #[test]
    fn the_largest_siphon_is_the_union_of_all() {
        let mut rng = testkit::Rng::new(7);
        let (mut rounds, mut takes) = (0, 0);
        for _ in 0..500 {
            let some = |rng: &mut testkit::Rng| (0..5).filter(|_| rng.chance(30)).map(ObjectId).collect::<Vec<_>>();
            let arcs: Vec<Arcs> = (0..5).map(|_| Arcs { pre: some(&mut rng), post: some(&mut rng) }).collect();
            let within: BTreeSet<ObjectId> = some(&mut rng).into_iter().chain([ObjectId(0)]).collect();
            let is_siphon = |set: &BTreeSet<ObjectId>| {
                let some = |places: &[ObjectId]| places.iter().any(|p| set.contains(p));
                arcs.iter().all(|a| !some(&a.post) || some(&a.pre))
            };
            let sets = (0_u32..32).map(|bits| (0..5).filter(|p| bits >> p & 1 == 1).map(ObjectId).collect());
            let all = sets.filter(|set: &BTreeSet<ObjectId>| set.is_subset(&within) && is_siphon(set));
            let union: BTreeSet<ObjectId> = all.flatten().collect();
            let found = Search { arcs: &arcs, effort: 100_000 }.largest(within.clone());
            assert_eq!(found, union, "of {within:?}");
            let once = within
                .iter()
                .filter(|p| !arcs.iter().any(|a| a.post.contains(p) && !a.pre.iter().any(|q| within.contains(q))));
            rounds += usize::from(once.count() != union.len());
            takes += usize::from(union.iter().any(|p| arcs.iter().any(|a| a.post.contains(p))));
        }
        assert!(rounds > 5 && takes > 5, "{rounds} and {takes}: the nets are too simple to show anything");
    }
}
