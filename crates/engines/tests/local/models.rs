//! The models of the literature on local analysis, as networks in which equal names synchronise.

use std::collections::BTreeMap;

use model::views::{Automaton, ComponentId, EventId, LocalState, Network, Origin, Rule, StateId};

/// A component: its name, its initial state and its moves by names of events.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) initial: usize,
    pub(crate) moves: Vec<(usize, String, usize)>,
}

/// A component from moves `from`, `event`, `to`.
pub(crate) fn part(
    name: impl Into<String>,
    initial: usize,
    moves: impl IntoIterator<Item = (usize, String, usize)>,
) -> Part {
    Part { name: name.into(), initial, moves: moves.into_iter().collect() }
}

/// The network in which all components that have an event do it together.
pub(crate) fn synchronised(parts: &[Part]) -> Network {
    let mut rules: BTreeMap<&str, Vec<(ComponentId, EventId)>> = BTreeMap::new();
    let mut automata = Vec::new();
    for (c, part) in parts.iter().enumerate() {
        let mut events: Vec<&String> = Vec::new();
        let mut numbers: BTreeMap<&String, usize> = BTreeMap::new();
        for (_, event, _) in &part.moves {
            numbers.entry(event).or_insert_with(|| {
                events.push(event);
                events.len() - 1
            });
        }
        for (e, event) in events.iter().enumerate() {
            rules.entry(event).or_default().push((ComponentId::new(c), EventId::new(e)));
        }
        let states = part.moves.iter().flat_map(|m| [m.0, m.2]).max().map_or(1, |most| most + 1);
        automata.push(Automaton {
            name: part.name.clone(),
            origin: Origin::Given,
            states: (0..states).map(|s| LocalState { name: format!("s{s}"), end: false }).collect(),
            initial: StateId::new(part.initial),
            events: events.iter().map(|e| e.to_string()).collect(),
            moves: part
                .moves
                .iter()
                .map(|(from, event, to)| (StateId::new(*from), EventId::new(numbers[event]), StateId::new(*to)))
                .collect(),
        });
    }
    let rules = rules.into_iter().map(|(label, participants)| Rule::new(label, participants)).collect();
    Network::new("model", automata, rules).expect("sound")
}

/// A component that goes round.
pub(crate) fn round(name: impl Into<String>, events: &[String]) -> Part {
    let n = events.len();
    part(name, 0, events.iter().enumerate().map(|(s, e)| (s, e.clone(), (s + 1) % n)))
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// Example 1 of the paper.
pub(crate) fn example() -> Network {
    synchronised(&[round("L1", &words("a b")), round("L2", &words("b c")), round("L3", &words("a c a c"))])
}

/// Milner's scheduler.
pub(crate) fn milner(n: usize) -> Network {
    let cell = |i: usize| {
        let (go, next) = (format!("c{i}"), format!("c{}", (i + 1) % n));
        let (a, b) = (format!("a{i}"), format!("b{i}"));
        let moves = [(0, go, 1), (1, a, 2), (2, b.clone(), 3), (3, next.clone(), 0), (2, next, 4), (4, b, 0)];
        part(format!("C{i}"), usize::from(i == 0), moves)
    };
    synchronised(&(0..n).map(cell).collect::<Vec<_>>())
}

fn pick(i: usize, f: usize) -> String {
    format!("pick{i}.{f}")
}

fn put(i: usize, f: usize) -> String {
    format!("put{i}.{f}")
}

/// What a philosopher does with forks, in this order.
fn meal(i: usize, first: usize, second: usize) -> Vec<String> {
    vec![pick(i, first), pick(i, second), put(i, first), put(i, second)]
}

fn fork(i: usize, n: usize) -> Part {
    let before = (i + n - 1) % n;
    let moves = [(0, pick(i, i), 1), (1, put(i, i), 0), (0, pick(before, i), 2), (2, put(before, i), 0)];
    part(format!("F{i}"), 0, moves)
}

/// Dining philosophers; the first one takes the other fork first if asymmetric.
pub(crate) fn philosophers(n: usize, asymmetric: bool) -> Network {
    let one = |i: usize| {
        let (first, second) = if asymmetric && i == 0 { ((i + 1) % n, i) } else { (i, (i + 1) % n) };
        round(format!("P{i}"), &meal(i, first, second))
    };
    synchronised(&(0..n).map(one).chain((0..n).map(|i| fork(i, n))).collect::<Vec<_>>())
}

/// Philosophers that sit down before they eat, and a butler that never lets all of them sit: it knows who sits, or only
/// how many.
pub(crate) fn butler(n: usize, counts: bool) -> Network {
    let one = |i: usize| {
        let mut events = vec![format!("sit{i}")];
        events.extend(meal(i, i, (i + 1) % n));
        events.push(format!("up{i}"));
        round(format!("P{i}"), &events)
    };
    let mut moves = Vec::new();
    for i in 0..n {
        let seats: Vec<(usize, usize)> = match counts {
            true => (0..n - 1).map(|k| (k, k + 1)).collect(),
            false => {
                let all = (1 << n) - 1;
                (0..all).filter(|s| s & (1 << i) == 0 && s | (1 << i) != all).map(|s| (s, s | (1 << i))).collect()
            }
        };
        moves.extend(seats.iter().map(|&(fewer, more)| (fewer, format!("sit{i}"), more)));
        moves.extend(seats.iter().map(|&(fewer, more)| (more, format!("up{i}"), fewer)));
    }
    let parts = (0..n).map(one).chain((0..n).map(|i| fork(i, n)));
    synchronised(&parts.chain([part("B", 0, moves)]).collect::<Vec<_>>())
}

/// The alternating-bit protocol over media that lose up to `k` messages in a row.
pub(crate) fn alternating_bit(k: usize) -> Network {
    let mut sender = Vec::new();
    let mut receiver = Vec::new();
    for b in 0..2 {
        // Sender: idle with bit b is state b, active is 2 + b.
        sender.push((b, "in".to_owned(), 2 + b));
        sender.push((2 + b, format!("send{b}"), 2 + b));
        sender.push((2 + b, format!("ack{b}"), 1 - b));
        sender.push((2 + b, format!("ack{}", 1 - b), 2 + b));
        sender.extend((0..2).map(|x| (b, format!("ack{x}"), b)));
        // Receiver: waiting for b is state b, with output 2 + b.
        receiver.push((b, format!("rcv{b}"), 2 + b));
        receiver.push((2 + b, "out".to_owned(), 1 - b));
        receiver.push((b, format!("rcv{}", 1 - b), b));
        receiver.push((b, format!("sack{}", 1 - b), b));
    }
    let medium = |name: &str, input: &str, output: &str| {
        let (empty, full) = (|j: usize| 3 * j, |b: usize, j: usize| 3 * j + 1 + b);
        let mut moves = Vec::new();
        for j in 0..=k {
            for b in 0..2 {
                moves.push((empty(j), format!("{input}{b}"), full(b, j)));
                moves.push((full(b, j), format!("{output}{b}"), empty(0)));
                if j < k {
                    moves.push((full(b, j), format!("lose{name}"), empty(j + 1)));
                }
            }
        }
        part(name, 0, moves)
    };
    synchronised(&[
        part("S", 0, sender),
        part("R", 0, receiver),
        medium("K", "send", "rcv"),
        medium("L", "sack", "ack"),
    ])
}

/// A rule of three that is refused in the beginning: the paper's clauses over pairs would overlook this deadlock.
pub(crate) fn three_way() -> Network {
    let e = || "e".to_owned();
    synchronised(&[part("A", 0, [(0, e(), 1)]), part("B", 0, [(0, e(), 1)]), part("C", 0, [(1, e(), 0)])])
}
