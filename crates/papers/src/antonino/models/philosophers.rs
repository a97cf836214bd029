//! Dining philosophers: plain, with one who takes the forks in the other order, and with a butler.
//!
//! A philosopher has 4 states (6 if it sits down first), a fork 3. The butler that knows who sits has 2^n - 1 states,
//! the butler that counts has n.

use model::views::Network;

use crate::parts::{Part, synchronised, synchronised_with};

/// Everybody takes the left fork first: there is a deadlock.
pub(crate) fn plain(n: usize) -> Network {
    let people = (0..n).map(|i| person(i, [i, (i + 1) % n]));
    synchronised("philosophers", people.chain(forks(n)).collect())
}

/// The first philosopher takes the right fork first.
pub(crate) fn asymmetric(n: usize) -> Network {
    let order = |i| if i == 0 { [1 % n, 0] } else { [i, (i + 1) % n] };
    synchronised("asymmetric-philosophers", (0..n).map(|i| person(i, order(i))).chain(forks(n)).collect())
}

/// A butler lets all but one sit down, and knows who does: a state for each set of philosophers but the whole.
pub(crate) fn butler(n: usize) -> Network {
    let mut butler = Part::new("Butler");
    let all = (1usize << n) - 1;
    let states: Vec<_> = (0..all).map(|seated| butler.state(format!("{seated:0n$b}"))).collect();
    let events: Vec<_> =
        (0..n).map(|i| (butler.event(&format!("sit_{i}")), butler.event(&format!("up_{i}")))).collect();
    for seated in 0..all {
        for (i, &(sit, up)) in events.iter().enumerate() {
            let other = seated ^ (1 << i);
            if other != all {
                butler.step(states[seated], if other > seated { sit } else { up }, states[other]);
            }
        }
    }
    synchronised("butler", guests(n).chain([butler]).collect())
}

/// A butler that only counts.
pub(crate) fn counting_butler(n: usize) -> Network {
    let mut butler = Part::new("Butler");
    let states: Vec<_> = (0..n).map(|seated| butler.state(seated.to_string())).collect();
    for pair in states.windows(2) {
        butler.moves(pair[0], "sit", pair[1]);
        butler.moves(pair[1], "up", pair[0]);
    }
    let served = |what: &str, i: usize| {
        let of_guest = format!("{what}_{i}");
        (of_guest.clone(), vec![(i, of_guest), (2 * n, what.to_owned())])
    };
    let rules: Vec<_> = (0..n).flat_map(|i| [served("sit", i), served("up", i)]).collect();
    synchronised_with("counting-butler", guests(n).chain([butler]).collect(), &rules)
}

/// Takes two forks in this order, and puts them back in this order.
fn person(i: usize, [first, second]: [usize; 2]) -> Part {
    let (pick, put) = (|f| format!("pick_{i}_{f}"), |f| format!("put_{i}_{f}"));
    let moves = [(0, &*pick(first), 1), (1, &*pick(second), 2), (2, &*put(first), 3), (3, &*put(second), 0)];
    Part::of_moves(format!("Phil_{i}"), &moves)
}

fn fork(i: usize, left: usize, right: usize) -> Part {
    let mut moves = Vec::new();
    for (state, user) in [(1, right), (2, left)] {
        moves.push((0, format!("pick_{user}_{i}"), state));
        moves.push((state, format!("put_{user}_{i}"), 0));
    }
    let moves: Vec<(usize, &str, usize)> = moves.iter().map(|(from, event, to)| (*from, event.as_str(), *to)).collect();
    Part::of_moves(format!("Fork_{i}"), &moves)
}

/// Fork `i` lies between philosophers `i - 1` and `i`.
fn forks(n: usize) -> impl Iterator<Item = Part> {
    (0..n).map(move |i| fork(i, (i + n - 1) % n, i))
}

/// Philosophers who sit down and get up, and their forks.
fn guests(n: usize) -> impl Iterator<Item = Part> {
    let guest = move |i: usize| {
        let next = (i + 1) % n;
        let events = [
            format!("sit_{i}"),
            format!("pick_{i}_{i}"),
            format!("pick_{i}_{next}"),
            format!("put_{i}_{i}"),
            format!("put_{i}_{next}"),
            format!("up_{i}"),
        ];
        let moves: Vec<_> = events.iter().enumerate().map(|(k, event)| (k, event.as_str(), (k + 1) % 6)).collect();
        Part::of_moves(format!("Phil_{i}"), &moves)
    };
    (0..n).map(guest).chain(forks(n))
}
