//! What the tests of net engines share: a board that checks every finding.

use std::sync::mpsc::Receiver;

use check::replay_net;
use engines::net::{Board, Finding, Settled, Task};
use evidence::Budget;
use model::nets::Goal;
use model::views::{ArcSet, Net, Place, PlaceId};

/// What is known about the goals of a net after some engine worked on them.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) reached: Vec<usize>,
    pub(crate) never: Vec<usize>,
    pub(crate) least: Vec<(usize, i64)>,
    pub(crate) most: Vec<(usize, i64)>,
}

/// Lets an engine work and replays every run that it reports.
pub(crate) fn work(net: &Net, goals: &[Goal], budget: &Budget, engine: impl FnOnce(&Task<'_>)) -> Known {
    let (board, findings) = Board::new(goals.len());
    engine(&Task { net, goals, board: &board, budget });
    drop(board);
    collect(net, goals, &findings)
}

fn collect(net: &Net, goals: &[Goal], findings: &Receiver<Settled>) -> Known {
    let mut known = Known::default();
    for Settled { goal, finding, .. } in findings.iter() {
        match finding {
            Finding::Reached(run) => {
                replay_net(net, &goals[goal], run).expect("the run shows it");
                known.reached.push(goal);
            }
            Finding::AtLeast(value, run) => {
                let last = replay_net(net, &goals[goal], run).expect("a run");
                let Goal::Maximum(expression) = &goals[goal] else { panic!("only maxima have values") };
                assert_eq!(expression.value(last.last()), i128::from(value));
                known.least.push((goal, value));
            }
            Finding::Never(_) => known.never.push(goal),
            Finding::AtMost(value, _) => known.most.push((goal, value)),
        }
    }
    known
}

/// Dining philosophers, who take the left fork first; the last one too, unless told otherwise.
pub(crate) fn philosophers(n: usize, last_is_left_handed: bool) -> Net {
    let place = |kind: usize, i: usize| PlaceId::new(kind * n + i % n);
    let names = ["fork", "thinks", "holds", "eats"];
    let places = (0..4 * n).map(|i| Place::new(format!("{}{}", names[i / n], i % n), u32::from(i < 2 * n))).collect();
    let arcs = |kinds: &[PlaceId]| kinds.iter().map(|&p| (p, 1)).collect::<Vec<_>>();
    let mut sets = Vec::new();
    for i in 0..n {
        let (first, second) = if last_is_left_handed && i + 1 == n { (i + 1, i) } else { (i, i + 1) };
        let (first, second) = (place(0, first), place(0, second));
        let [thinks, holds, eats] = [1, 2, 3].map(|kind| place(kind, i));
        sets.push(ArcSet::new(format!("first{i}"), arcs(&[thinks, first]), arcs(&[holds])));
        sets.push(ArcSet::new(format!("second{i}"), arcs(&[holds, second]), arcs(&[eats])));
        sets.push(ArcSet::new(format!("done{i}"), arcs(&[eats]), arcs(&[thinks, first, second])));
    }
    Net::new("philosophers", places, sets).expect("a net")
}
