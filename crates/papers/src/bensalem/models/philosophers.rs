//! Dining philosophers who put both forks down at once, in an interaction of three.
//!
//! Fork `i` is the left one of philosopher `i` and the right one of philosopher `i - 1`. A fork that only knows whether
//! it is used may, as far as traps can tell, be put down by who never had it: with an even number of philosophers of
//! three states there are two false suspects, in which they think and eat in turn. A fork that knows on which side it
//! is held leaves none.

use model::views::{Network, StateId};

use super::{Subject, interaction};
use crate::parts::{Given, Part, composed};

/// Philosophers and their forks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Philosophers {
    /// How many; at least 2.
    pub n: usize,
    /// Whether to eat is a step of its own: four states and not three.
    pub eats: bool,
    /// Whether a fork knows who holds it: three states and not two.
    pub sided_forks: bool,
    /// Whether the first philosopher takes the right fork first, so that there is no deadlock.
    pub asymmetric: bool,
}

/// Four states, forks that know who holds them: one suspect, which is a deadlock.
pub fn philosopher1(n: usize) -> Network {
    Philosophers { n, eats: true, sided_forks: true, asymmetric: false }.network()
}

/// Three states, forks that do not know who holds them: three suspects for even `n`, one deadlock.
pub fn philosopher2(n: usize) -> Network {
    Philosophers { n, eats: false, sided_forks: false, asymmetric: false }.network()
}

/// As [`philosopher2`], but the first philosopher may be confused, which never changes: then he may take the right
/// fork first, and may forget to put it down.
pub fn confused(n: usize) -> Subject {
    let all = Philosophers { n, eats: false, sided_forks: false, asymmetric: false };
    let mut parts = all.parts();
    parts[0] = confused_philosopher();
    let mut rules = all.rules();
    rules.push(interaction("forget_0".to_owned(), &[(0, "put_left"), (n, "put")]));
    let mut subject = Subject::from(composed("confused-philosopher", parts, &rules));
    let phil = &subject.network.components()[0];
    let starts = (0..).zip(phil.states()).filter(|(_, s)| ["thinking", "confused"].contains(&s.name.as_str()));
    subject.initial[0] = starts.map(|(k, _)| StateId(k)).collect();
    subject
}

impl Philosophers {
    /// The network.
    pub fn network(self) -> Network {
        let name = if self.asymmetric { "asymmetric-joint-put" } else { "joint-put" };
        composed(name, self.parts(), &self.rules())
    }

    fn parts(self) -> Vec<Part> {
        let philosophers = (0..self.n).map(|i| self.philosopher(i));
        philosophers.chain((0..self.n).map(|i| self.fork(i))).collect()
    }

    fn philosopher(self, i: usize) -> Part {
        let [first, second] =
            if self.asymmetric && i == 0 { ["take_right", "take_left"] } else { ["take_left", "take_right"] };
        let mut arrows = vec![("thinking", first, "one_fork"), ("one_fork", second, "two_forks")];
        if self.eats {
            arrows.push(("two_forks", "eat", "full"));
            arrows.push(("full", "put", "thinking"));
        } else {
            arrows.push(("two_forks", "put", "thinking"));
        }
        Part::of_arrows(format!("Phil_{i}"), &arrows)
    }

    fn fork(self, i: usize) -> Part {
        let plain = [("free", "pick", "used"), ("used", "put", "free")];
        let sided = [
            ("free", "pick_left", "held_left"),
            ("held_left", "put_left", "free"),
            ("free", "pick_right", "held_right"),
            ("held_right", "put_right", "free"),
        ];
        Part::of_arrows(format!("Fork_{i}"), if self.sided_forks { &sided } else { &plain })
    }

    fn rules(self) -> Vec<Given> {
        let [pick_left, pick_right, put_left, put_right] = if self.sided_forks {
            ["pick_left", "pick_right", "put_left", "put_right"]
        } else {
            ["pick", "pick", "put", "put"]
        };
        let of = |i: usize| {
            let (left, right) = (self.n + i, self.n + (i + 1) % self.n);
            let eat = self.eats.then(|| interaction(format!("eat_{i}"), &[(i, "eat")]));
            let others = [
                interaction(format!("take_left_{i}"), &[(i, "take_left"), (left, pick_left)]),
                interaction(format!("take_right_{i}"), &[(i, "take_right"), (right, pick_right)]),
                interaction(format!("put_{i}"), &[(i, "put"), (left, put_left), (right, put_right)]),
            ];
            others.into_iter().chain(eat)
        };
        (0..self.n).flat_map(of).collect()
    }
}

fn confused_philosopher() -> Part {
    let arrows = [
        ("thinking", "take_left", "one_fork"),
        ("one_fork", "take_right", "two_forks"),
        ("two_forks", "put", "thinking"),
        ("confused", "take_left", "confused_left"),
        ("confused_left", "take_right", "confused_both"),
        ("confused_both", "put", "confused"),
        ("confused", "take_right", "confused_right"),
        ("confused_right", "take_left", "confused_both"),
        ("confused_left", "take_right", "forgetful"),
        ("forgetful", "put_left", "confused"),
    ];
    Part::of_arrows("Phil_0", &arrows)
}
