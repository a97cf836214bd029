//! Rules that remove places or arcs, or join places.

use std::cell::Cell;

use model::views::PlaceId;

use super::{Conditions, Plant, both_need, deadlocks_need, observations_need};
use crate::arcs::{Arcs, Step, weight, within};
use crate::rules::{equivalent, everlasting, pool, sum};
use crate::work::{Known, Work};

/// Removes an unobserved place if the rule applies.
fn remove_if(applies: bool, work: &mut Work, p: PlaceId) -> bool {
    if applies {
        work.remove_place(p);
    }
    applies
}

#[test]
fn constant_place() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        if !all.hold("weights", work.consumers(p) == work.producers(p))
            || !work.consumers(p).iter().map(|a| a.0).eq(work.producers(p).iter().map(|a| a.0))
        {
            return false;
        }
        let enough = |w: u32| all.hold("the dead", w <= work.initial(p));
        let dead: Vec<_> = work.consumers(p).iter().filter(|&&(_, w)| !enough(w)).map(|&(t, _)| t).collect();
        work.remove_transitions(&dead);
        work.replace_place(p, Known::Constant(work.initial(p)));
        true
    };
    both_need(Plant::At(rule), &["weights", "the dead"]);
}

#[test]
fn sink_place() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let applies =
            all.hold("no consumers", work.consumers(p).is_empty()) && all.hold("unobserved", !work.is_observed(p));
        if applies {
            work.replace_place(p, Known::Constant(work.initial(p)));
        }
        applies
    };
    deadlocks_need(Plant::At(rule), &["no consumers"]);
    observations_need(Plant::At(rule), &["no consumers", "unobserved"]);
}

#[test]
fn plentiful_place() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let enough = work.consumers(p).iter().all(|&(_, w)| w <= work.initial(p));
        let lasting = within(work.consumers(p), work.producers(p));
        let applies = !work.is_observed(p) && all.hold("enough", enough) && all.hold("lasting", lasting);
        remove_if(applies, work, p)
    };
    both_need(Plant::At(rule), &["enough", "lasting"]);
}

#[test]
fn implied_place() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let Some(&(t, _)) = work.consumers(p).first() else { return false };
        let implies = |&(q, _): &(PlaceId, u32)| {
            q != p
                && all.hold("consumers", work.consumers(q) == work.consumers(p))
                && all.hold("producers", work.producers(q) == work.producers(p))
                && all.hold("initial tokens", work.initial(q) <= work.initial(p))
        };
        let applies = !work.is_observed(p) && work.pre(t).iter().any(implies);
        remove_if(applies, work, p)
    };
    both_need(Plant::At(rule), &["consumers", "producers", "initial tokens"]);
}

#[test]
fn implied_by_a_sum() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let applies = !work.is_observed(p)
            && sum::sums(work, p, &Cell::new(usize::MAX)).any(|sum| all.hold("enough", sum.is_enough()));
        remove_if(applies, work, p)
    };
    both_need(Plant::At(rule), &["enough"]);
}

#[test]
fn outlived_arc() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        if !all.hold("lasting", within(work.consumers(p), work.producers(p))) {
            return false;
        }
        let before = |(q, taken): (PlaceId, u32), w: u32| {
            let leaves = |u| work.change(u, q) <= 0 || weight(work.post(u), p) >= w;
            q != p
                && all.hold("not there", work.initial(q) < taken)
                && all.hold("left", work.producers(q).iter().all(|&(u, _)| leaves(u)))
        };
        // Without the first condition there may be nothing on the other side to make lighter.
        let sure =
            |&&(t, w): &&(_, u32)| weight(work.post(t), p) >= w && work.pre(t).iter().any(|&input| before(input, w));
        let Some(&(t, w)) = work.consumers(p).iter().find(sure) else { return false };
        work.lighten(t, p, w);
        true
    };
    both_need(Plant::At(rule), &["lasting", "not there", "left"]);
}

#[test]
fn everlasting_token() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        if !all.hold("lasting", within(work.consumers(p), work.producers(p))) {
            return false;
        }
        let alone = work.consumers(p).iter().filter(|&&(t, _)| all.hold("alone", work.pre(t).len() == 1));
        let Some(&(forever, enough)) = alone.min_by_key(|&&(_, w)| w) else { return false };
        if work.initial(p) >= enough {
            let node = work.node(forever);
            work.add_transition(Step::default(), node);
            work.remove_place(p);
            return true;
        }
        let fatal: Vec<_> = work.producers(p).iter().filter(|&&(t, _)| work.change(t, p) > 0).copied().collect();
        let applies = !fatal.is_empty() && all.hold("left", fatal.iter().all(|&(_, left)| left >= enough));
        if applies {
            fatal.iter().for_each(|&(t, _)| everlasting::neutralise(work, t));
        }
        applies
    };
    deadlocks_need(Plant::At(rule), &["lasting", "alone", "left"]);
}

#[test]
fn equivalent_places() {
    let rule = |work: &mut Work, all: Conditions| {
        let single = |work: &Work, p: PlaceId| work.consumers(p).iter().all(|&(_, w)| all.hold("single", w == 1));
        let suits = |&p: &PlaceId| !work.is_observed(p) && !work.consumers(p).is_empty() && single(work, p);
        let same = |a: &(Arcs, Arcs, u32), b: &(Arcs, Arcs, u32)| {
            all.hold("takes", a.0 == b.0) && all.hold("puts", (&a.1, a.2) == (&b.1, b.2))
        };
        let suitable: Vec<PlaceId> = work.places().filter(suits).collect();
        let pairs = suitable.iter().enumerate().flat_map(|(i, &p)| suitable[i + 1..].iter().map(move |&q| (p, q)));
        let mut joins = pairs.filter(|&(p, q)| {
            let (of_p, of_q) = (equivalent::future(work, p), equivalent::future(work, q));
            let twins = |((a, _), (b, _)): (&_, &_)| same(a, b);
            of_p.len() == of_q.len()
                && of_p.iter().zip(&of_q).all(twins)
                && equivalent::merge(work, (p, &of_p), (q, &of_q))
        });
        usize::from(joins.next().is_some())
    };
    both_need(Plant::Everywhere(rule), &["single", "takes", "puts"]);
}

#[test]
fn free_pool() {
    let rule = |work: &mut Work, all: Conditions| {
        let moves: Vec<(PlaceId, PlaceId)> =
            work.transitions().filter_map(|t| Some((work.pre(t).first()?.0, pool::target(work, t)?))).collect();
        let goes_back = |&&(from, to): &&(PlaceId, PlaceId)| all.hold("back", moves.contains(&(to, from)));
        let Some(&(from, to)) = moves.iter().find(goes_back) else { return 0 };
        let joined = pool::join(work, &[from.min(to), from.max(to)]).is_some();
        let idle = work.transitions().last().filter(|_| joined && all.forget("idle move"));
        idle.into_iter().for_each(|t| work.remove_transition(t));
        usize::from(joined)
    };
    deadlocks_need(Plant::Everywhere(rule), &["back", "idle move"]);
    observations_need(Plant::Everywhere(rule), &["back"]);
}
