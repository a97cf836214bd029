//! Large nets: nothing is quadratic in their size.

use std::time::{Duration, Instant};

use model::nets::{Goal, Linear};
use model::views::{Net, NetBuilder, Place, PlaceId};

use crate::reduce;

/// Philosophers that take one fork, then the other, in either order or all in the same.
fn philosophers(n: usize) -> Net {
    let mut net = NetBuilder::new("philosophers");
    let forks: Vec<PlaceId> = (0..n).map(|i| net.place(Place::new(format!("fork{i}"), 1))).collect();
    for i in 0..n {
        let thinks = net.place(Place::new(format!("thinks{i}"), 1));
        let eats = net.place(Place::new(format!("eats{i}"), 0));
        let (left, right) = (forks[i], forks[(i + 1) % n]);
        for (j, (first, then)) in [(left, right), (right, left)].into_iter().enumerate() {
            let waits = net.place(Place::new(format!("waits{i}_{j}"), 0));
            let t = net.transition("take");
            [thinks, first].into_iter().for_each(|p| net.consume(t, p, 1));
            net.produce(t, waits, 1);
            let t = net.transition("begin");
            [waits, then].into_iter().for_each(|p| net.consume(t, p, 1));
            net.produce(t, eats, 1);
        }
        let t = net.transition("end");
        net.consume(t, eats, 1);
        [thinks, left, right].into_iter().for_each(|p| net.produce(t, p, 1));
    }
    net.build().expect("a sound net")
}

/// A resource that many processes of four steps each share.
fn star(n: usize) -> Net {
    let mut net = NetBuilder::new("star");
    let resource = net.place(Place::new("resource", 1));
    for i in 0..n {
        let states: Vec<PlaceId> =
            (0..4).map(|j| net.place(Place::new(format!("s{i}_{j}"), u32::from(j == 0)))).collect();
        for j in 0..4 {
            let t = net.transition("step");
            net.consume(t, states[j], 1);
            net.produce(t, states[(j + 1) % 4], 1);
            match j {
                0 => net.consume(t, resource, 1),
                2 => net.produce(t, resource, 1),
                _ => {}
            }
        }
    }
    net.build().expect("a sound net")
}

/// One token that goes along a line.
fn line(n: usize) -> Net {
    let mut net = NetBuilder::new("line");
    let places: Vec<PlaceId> = (0..n).map(|i| net.place(Place::new(format!("p{i}"), u32::from(i == 0)))).collect();
    for pair in places.windows(2) {
        let t = net.transition("step");
        net.consume(t, pair[0], 1);
        net.produce(t, pair[1], 1);
    }
    net.build().expect("a sound net")
}

fn timed(net: &Net, goals: &[Goal]) -> (usize, usize, Duration) {
    let start = Instant::now();
    let reduced = reduce(net, goals, &|| false);
    (reduced.net.places().len(), reduced.net.transitions().len(), start.elapsed())
}

/// Checks what is left; the time of all reductions together.
fn check(scale: usize) -> Duration {
    let first = [Goal::Maximum(Linear::tokens(PlaceId::new(1)))];
    let ring = philosophers(scale / 5);
    let dead = timed(&ring, &[Goal::Dead]);
    assert!(dead.0 < ring.places().len(), "{dead:?}");
    let near = timed(&ring, &first);
    assert!(near.0 < 30, "far philosophers do not matter: {near:?}");
    let centre = star(scale / 4);
    let alive = timed(&centre, &[Goal::Dead]);
    assert!(alive.0 <= 2, "processes alike become one: {alive:?}");
    let observed = timed(&centre, &first);
    assert!(observed.0 < 10, "{observed:?}");
    let way = line(scale);
    let end = timed(&way, &[Goal::Dead]);
    assert_eq!((end.0, end.1), (0, 0));
    let last = [Goal::Maximum(Linear::tokens(PlaceId::new(scale - 1)))];
    let passed = timed(&way, &last);
    assert!(passed.0 <= 2, "{passed:?}");
    [dead, near, alive, observed, end, passed].iter().map(|(_, _, time)| *time).sum()
}

#[test]
fn large_nets_shrink() {
    check(2_000);
}

#[test]
#[ignore = "seconds: nets with 100,000 places"]
fn nets_with_a_hundred_thousand_places_shrink() {
    let (some, many) = (check(25_000), check(100_000));
    // Four times the size would be sixteen times the time of anything quadratic.
    assert!(many < 10 * some, "{some:?} for a quarter, {many:?} for all");
}

#[test]
fn a_line_is_lifted_step_by_step() {
    let net = line(500);
    let goals = [Goal::Dead, Goal::Maximum(Linear::tokens(PlaceId::new(499)))];
    for part in [&goals[..1], &goals[1..], &goals[..]] {
        let reduced = reduce(&net, part, &|| false);
        let mut run = Vec::new();
        let mut marking = reduced.net.initial_marking();
        while let Some(t) = reduced.net.transition_ids().find(|&t| reduced.net.is_enabled(t, &marking)) {
            marking = reduced.net.fire(t, &marking);
            run.push(t);
        }
        let lifted = reduced.lift(&net, 0, &run).expect("a short run");
        assert_eq!(lifted, net.transition_ids().collect::<Vec<_>>());
    }
}
