//! Stubborn unfoldings meet the naive oracle: they find the dead markings, all of them and nothing else.

use std::collections::BTreeSet;

use evidence::{Budget, Reason};
use model::views::{ArcSet, Marking, Net, NetTransitionId, Place, PlaceId};
use testkit::nets::{Oracle, random, tiny};

use super::occurrences::CutsOff;
use super::search::Planted;
use super::*;
use crate::unfold::{AdequateOrder, Companion, EventId, Unfolding};

/// Whether a search has a bug, and which.
#[derive(Clone, Copy, Debug, Default)]
struct Bugs {
    planted: Option<Planted>,
    cuts_off: CutsOff,
}

fn run_with(options: StubbornUnfolding, net: &Net, bugs: Bugs) -> StubbornPrefix {
    let budget = Budget::unlimited().with_memory(1 << 20);
    let prepared = Prepared::new(net, options.reads);
    let wiring = Wiring::new(&prepared.net);
    let mut search = Search::new(net, &prepared, &wiring, options, &budget).expect("there is room for the start");
    search.planted = bugs.planted;
    search.occurrences.cuts_off = bugs.cuts_off;
    let end = match options.order {
        SearchOrder::Breadth => breadth::search(&mut search),
        SearchOrder::Depth => depth::search(&mut search),
    };
    search.result(end.unwrap_or_else(|stopped| End::Stopped(prepared.reason(net, stopped))))
}

fn run(options: StubbornUnfolding, net: &Net) -> StubbornPrefix {
    options.run(net, &Budget::unlimited()).expect("there is room for the start")
}

fn is_dead(net: &Net, marking: &[u64]) -> bool {
    !net.transition_ids().any(|t| net.is_enabled(t, marking))
}

/// Where a run ends.
fn replay(net: &Net, run: &[NetTransitionId]) -> Marking {
    run.iter().fold(net.initial_marking(), |marking, &t| {
        assert!(net.is_enabled(t, &marking), "a run fires what is enabled");
        net.fire(t, &marking)
    })
}

fn dead_by(net: &Net, found: &StubbornPrefix) -> BTreeSet<Marking> {
    let dead: BTreeSet<Marking> = found.deadlocks.iter().map(|run| replay(net, run)).collect();
    assert!(dead.iter().all(|m| is_dead(net, m)) && dead.len() == found.deadlocks.len());
    dead
}

fn sizes(found: &StubbornPrefix) -> (usize, usize, usize) {
    (found.prefix.events(), found.prefix.conditions(), found.prefix.cutoffs())
}

const fn options(order: SearchOrder, until: Until) -> StubbornUnfolding {
    StubbornUnfolding { order, until, choice: Choice::Cheap, reads: Reads::Loops }
}

/// A net of names: marked places, and transitions as `name: inputs -> outputs`.
fn net(marked: &[impl AsRef<str>], transitions: &[impl AsRef<str>]) -> Net {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let parsed = transitions.iter().map(|t| {
        let (name, arcs) = t.as_ref().split_once(':').expect("a name");
        let (pre, post) = arcs.split_once("->").expect("an arrow");
        (name, words(pre), words(post))
    });
    let parsed: Vec<_> = parsed.collect();
    let marked: Vec<&str> = marked.iter().map(AsRef::as_ref).collect();
    let all = parsed.iter().flat_map(|(_, pre, post)| pre.iter().chain(post)).map(String::as_str);
    let names: BTreeSet<&str> = all.chain(marked.iter().copied()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let places = names.iter().map(|&n| Place::new(n, u32::from(marked.contains(&n)))).collect();
    let ids = |words: &[String]| {
        let id = |word: &String| PlaceId::new(names.iter().position(|n| n == word).expect("it is named"));
        words.iter().map(|word| (id(word), 1)).collect::<Vec<_>>()
    };
    let arcs = parsed.iter().map(|(name, pre, post)| ArcSet::new(*name, ids(pre), ids(post))).collect();
    Net::new("net", places, arcs).expect("a net")
}

/// The philosophers of the paper's Figure 1: all take the left fork first; which they put back first is a choice.
fn philosophers(n: usize, left_back_first: bool) -> Net {
    let mut transitions = Vec::new();
    for i in 0..n {
        let (left, right) = (format!("f{i}"), format!("f{}", (i + 1) % n));
        let (first, second) = if left_back_first { (&left, &right) } else { (&right, &left) };
        transitions.push(format!("a{i}: th{i} {left} -> l{i}"));
        transitions.push(format!("b{i}: l{i} {right} -> e{i}"));
        transitions.push(format!("c{i}: e{i} -> r{i} {first}"));
        transitions.push(format!("d{i}: r{i} -> th{i} {second}"));
    }
    let marked: Vec<String> = (0..n).flat_map(|i| [format!("th{i}"), format!("f{i}")]).collect();
    net(&marked, &transitions)
}

const K1: [&str; 6] = [
    "t1: a1 c0 -> a2 c0",
    "t2: a0 -> a2",
    "t3: b0 c0 -> b1 c0",
    "t4: a2 b1 -> a1 b1",
    "t5: a2 c1 -> a0 c1",
    "t6: c0 -> c1",
];

const K3: [&str; 6] =
    ["t8: p3 q0 -> p3 q0", "t6: p3 -> p2", "t7: p3 r0 ->", "t0: q3 r1 -> q3 r0", "t9: q0 -> q3", "t2: p2 r0 -> p3 r1"];

/// All orders of some transitions.
fn orders<'a>(transitions: &[&'a str]) -> Vec<Vec<&'a str>> {
    let [first, rest @ ..] = transitions else { return vec![Vec::new()] };
    let insert = |order: Vec<&'a str>| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, first);
            order
        })
    };
    orders(rest).into_iter().flat_map(insert).collect()
}

const ORDERS: [SearchOrder; 2] = [SearchOrder::Breadth, SearchOrder::Depth];
const CHOICES: [Choice; 2] = [Choice::Cheap, Choice::Fewest];

#[test]
fn figure_1_has_the_sizes_of_the_paper() {
    for (n, expected) in [(2, (8, 16, 2)), (3, (12, 24, 3)), (4, (16, 32, 4)), (8, (32, 64, 8)), (12, (48, 96, 12))] {
        let net = philosophers(n, true);
        for order in ORDERS {
            for choice in CHOICES {
                let found = run(StubbornUnfolding { choice, ..options(order, Until::End) }, &net);
                assert_eq!((sizes(&found), found.deadlocks.len()), (expected, 1), "{n} {order:?} {choice:?}");
                assert_eq!(found.end, End::Complete);
                let n = n as u64;
                assert_eq!(found.firings, 4 * n * n - 3 * n, "{n} {order:?} {choice:?}");
                if order == SearchOrder::Breadth {
                    assert_eq!(found.markings, 3 * n * n - 3 * n + 2, "{n} {choice:?}");
                }
            }
        }
    }
}

#[test]
fn figure_1_is_smaller_if_the_first_deadlock_ends_it() {
    let net = philosophers(3, true);
    let depth = run(options(SearchOrder::Depth, Until::FirstDeadlock), &net);
    assert_eq!((sizes(&depth), depth.end), ((9, 19, 2), End::AtDeadlock));
    let breadth = run(options(SearchOrder::Breadth, Until::FirstDeadlock), &net);
    assert_eq!((sizes(&breadth), breadth.end), ((7, 14, 0), End::AtDeadlock));
}

#[test]
fn full_prefixes_of_figure_1_are_larger_but_not_exponential() {
    let full = |net: &Net| {
        let unfolding = Unfolding { order: AdequateOrder::Total, reads: Reads::Loops };
        let prefix = unfolding.prefix(net, &Budget::unlimited()).expect("no limits");
        (prefix.events(), prefix.conditions(), prefix.cutoffs())
    };
    for n in [2, 3, 4, 8, 12] {
        let expected = (3 * n * n - 2 * n, 5 * n * n - 2 * n, n * (n - 1));
        assert_eq!(full(&philosophers(n, true)), expected);
    }
    let (events, conditions, _) = full(&philosophers(3, false));
    assert_eq!((events, conditions), (27, 45));
}

/// Forks as automata: whoever puts a fork back has a rival there, who waits for the philosopher or for the fork.
#[test]
fn a_well_chosen_wait_keeps_the_search_quadratic() {
    let forks = |n: usize| {
        let step = |i: usize| {
            let j = (i + 1) % n;
            [
                format!("a{i}: th{i} f{i} -> l{i} u{i}"),
                format!("b{i}: l{i} f{j} -> e{i} u{j}"),
                format!("c{i}: e{i} u{i} -> r{i} f{i}"),
                format!("d{i}: r{i} u{j} -> th{i} f{j}"),
            ]
        };
        let transitions: Vec<String> = (0..n).flat_map(step).collect();
        let marked: Vec<String> = (0..n).flat_map(|i| [format!("th{i}"), format!("f{i}")]).collect();
        net(&marked, &transitions)
    };
    for n in [4, 8, 12] {
        let fewest = StubbornUnfolding { choice: Choice::Fewest, ..options(SearchOrder::Breadth, Until::End) };
        let found = run(fewest, &forks(n));
        assert_eq!((found.prefix.events(), found.firings as usize), (4 * n, 4 * n * n - 3 * n));
    }
}

/// Section 5 of the paper cuts off at whatever marking is in its table.
#[test]
fn a_table_of_all_markings_loses_the_deadlock_of_k1() {
    let start = ["a0", "b0", "c0"];
    let table = Bugs { cuts_off: CutsOff::Always, ..Bugs::default() };
    let k1 = net(&start, &K1);
    let oracle = Oracle::new(&k1, 100).expect("it is small");
    let steps = oracle.markings().iter().flat_map(|m| k1.transition_ids().filter(|&t| k1.is_enabled(t, m)));
    assert_eq!((oracle.markings().len(), steps.count()), (10, 16));
    let full = Unfolding::default().prefix(&k1, &Budget::unlimited()).expect("no limits");
    assert_eq!((full.events(), full.conditions(), full.cutoffs()), (11, 21, 4));
    let literal = run_with(options(SearchOrder::Depth, Until::End), &k1, table);
    assert_eq!((sizes(&literal), literal.deadlocks.len(), literal.end), ((11, 20, 4), 0, End::Complete));
    let depth = run(options(SearchOrder::Depth, Until::End), &k1);
    assert_eq!((sizes(&depth), depth.deadlocks.len()), ((12, 22, 4), 1));
    let mut lost = 0;
    for order in orders(&K1) {
        let k1 = net(&start, &order);
        lost += usize::from(run_with(options(SearchOrder::Depth, Until::End), &k1, table).deadlocks.is_empty());
        for order in ORDERS {
            assert_eq!(dead_by(&k1, &run(options(order, Until::AllDeadlocks), &k1)).len(), 1);
        }
    }
    assert_eq!(lost, 240);
}

#[test]
fn visited_markings_in_depth_first_order_lose_the_deadlock_of_k3() {
    let start = ["p2", "q0", "r0"];
    let visited = Bugs { planted: Some(Planted::VisitedInDepth), ..Bugs::default() };
    let mut lost = 0;
    for order in orders(&K3) {
        let k3 = net(&start, &order);
        lost += usize::from(run_with(options(SearchOrder::Depth, Until::End), &k3, visited).deadlocks.is_empty());
        for order in ORDERS {
            assert_eq!(dead_by(&k3, &run(options(order, Until::AllDeadlocks), &k3)).len(), 1);
        }
    }
    assert_eq!(lost, 360);
}

/// What a comparison with the oracle came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Same,
    Differs,
    /// The search was stopped.
    Unknown,
}

/// The reachable dead markings, if they can be found in little time.
fn dead_markings(net: &Net) -> Option<BTreeSet<Marking>> {
    let oracle = Oracle::new(net, 200)?;
    Some(oracle.markings().iter().filter(|m| is_dead(net, m)).cloned().collect())
}

fn compare(net: &Net, dead: &BTreeSet<Marking>, options: StubbornUnfolding, bugs: Bugs) -> Compared {
    let found = run_with(options, net, bugs);
    let expected = match &found.end {
        End::Stopped(Reason::Memory) => return Compared::Unknown,
        End::Stopped(reason) => panic!("{reason}: {net:?}"),
        End::Complete => dead.len(),
        End::AtDeadlock => 1,
    };
    let by = dead_by(net, &found);
    if by.is_subset(dead) && by.len() == expected { Compared::Same } else { Compared::Differs }
}

fn all_options() -> impl Iterator<Item = StubbornUnfolding> {
    let reads = [Reads::Loops, Reads::Replicas];
    let all = ORDERS.into_iter().flat_map(|o| CHOICES.into_iter().map(move |c| (o, c)));
    let all = all.flat_map(move |(o, c)| reads.into_iter().map(move |r| (o, c, r)));
    all.flat_map(|(order, choice, reads)| {
        let untils = [Until::FirstDeadlock, Until::AllDeadlocks, Until::End];
        untils.into_iter().map(move |until| StubbornUnfolding { order, until, choice, reads })
    })
}

fn all_agree(net: &Net, name: &str) -> usize {
    let Some(dead) = dead_markings(net) else { return 0 };
    let agrees = |options: StubbornUnfolding| {
        let compared = compare(net, &dead, options, Bugs::default());
        assert!(compared != Compared::Differs, "{name}, {options:?}: {net:?}");
        usize::from(compared == Compared::Same)
    };
    all_options().map(agrees).sum()
}

#[test]
fn random_nets_have_the_deadlocks_that_the_oracle_finds() {
    let compared: usize = (0..2000).map(|seed| all_agree(&random(seed), &format!("seed {seed}"))).sum();
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn tiny_nets_have_the_deadlocks_that_the_oracle_finds() {
    let nets = tiny().enumerate().step_by(47);
    let compared: usize = nets.map(|(i, net)| all_agree(&net, &format!("net {i}"))).sum();
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn planted_bugs_are_found() {
    let cut_off = [CutsOff::NotLarger, CutsOff::Always].map(|cuts_off| Bugs { cuts_off, ..Bugs::default() });
    let planted = [Planted::SkipKnownEvents, Planted::FireOne].map(Some);
    let planted = planted.map(|planted| Bugs { planted, ..Bugs::default() });
    for bugs in cut_off.into_iter().chain(planted) {
        for order in ORDERS {
            let is_caught = |seed| {
                let net = random(seed);
                let Some(dead) = dead_markings(&net) else { return false };
                compare(&net, &dead, options(order, Until::AllDeadlocks), bugs) == Compared::Differs
            };
            assert!((0..1000).any(is_caught), "{order:?} {bugs:?}");
        }
    }
}

/// Every cut-off has a companion with a smaller local configuration and the same marking, and nothing is there twice.
#[test]
fn prefixes_are_as_defined() {
    for seed in 0..300 {
        let net = random(seed);
        let prepared = Prepared::new(&net, Reads::Loops);
        let found = run_with(options(SearchOrder::Breadth, Until::End), &net, Bugs::default());
        let prefix = &found.prefix;
        let local = |event: EventId| {
            let mut events = BTreeSet::from([event]);
            let mut waiting = vec![event];
            while let Some(e) = waiting.pop() {
                let below = prefix.preset(e).iter().filter_map(|&c| prefix.producer(c));
                waiting.extend(below.filter(|&f| events.insert(f)));
            }
            let run: Vec<NetTransitionId> = events.iter().map(|&e| prefix.transition(e)).collect();
            (events.len(), replay(&prepared.net, &run))
        };
        let known: BTreeSet<_> = prefix.event_ids().map(|e| (prefix.transition(e), prefix.preset(e))).collect();
        assert_eq!(known.len(), prefix.events());
        for event in prefix.event_ids() {
            let (size, marking) = local(event);
            assert_eq!(size, prefix.size(event) as usize);
            match prefix.companion(event) {
                Some(Companion::Start) => assert_eq!(marking, prepared.net.initial_marking()),
                Some(Companion::Event(other)) => {
                    assert!(prefix.size(other) < prefix.size(event));
                    assert_eq!(local(other).1, marking);
                }
                None => {}
            }
        }
    }
}

/// Philosophers next to something that nobody can stop: two transitions, each with two inputs, in turn.
#[test]
fn what_goes_on_for_ever_ends_the_search() {
    let loops = ["a: p x -> q y", "b: q y -> p x"];
    let table = ["l0: f0 -> h0", "r0: h0 f1 -> f0 f1", "l1: f1 -> h1", "r1: h1 f0 -> f0 f1"];
    let both = net(&["p", "x", "f0", "f1"], &[&loops[..], &table[..]].concat());
    for order in ORDERS {
        for until in [Until::FirstDeadlock, Until::AllDeadlocks] {
            let found = run(options(order, until), &both);
            assert_eq!((found.firings, found.deadlocks.len(), &found.end), (0, 0, &End::Complete));
        }
        let found = run(options(order, Until::End), &both);
        assert!(found.firings > 0 && found.deadlocks.is_empty(), "{order:?}");
    }
}

/// The paper would leave off in the marking `p`, and say that there is no deadlock.
#[test]
fn what_goes_on_for_ever_does_not_end_the_search_elsewhere() {
    let choice = net(&["s"], &["go: s -> p", "a: p -> q", "b: q -> p", "halt: s -> d"]);
    for order in ORDERS {
        let found = run(options(order, Until::AllDeadlocks), &choice);
        assert_eq!((found.firings, found.deadlocks.len(), found.end), (2, 1, End::Complete));
    }
}

#[test]
fn unbounded_nets_are_noticed() {
    let producer = net(&["p"], &["make: p -> p q", "use: q ->"]);
    let feeder = net(&["p", "c"], &["make: p -> p q", "use: q c -> c", "stop: q c -> d"]);
    for order in ORDERS {
        for net in [&producer, &feeder] {
            let found = run(options(order, Until::End), net);
            assert!(matches!(found.end, End::Stopped(Reason::Unbounded(_))), "{order:?} {:?}", found.end);
        }
    }
}

/// Tokens that may stay where they are make no deadlock; the search goes on beyond them.
#[test]
fn an_end_is_no_deadlock() {
    let arc = |p: usize| vec![(PlaceId::new(p), 1)];
    let names = ["start", "good", "bad"];
    let mut places: Vec<Place> = names.iter().map(|n| Place::new(*n, u32::from(*n == "start"))).collect();
    places[1].end = true;
    let steps = [("a", arc(0), arc(1)), ("b", arc(0), arc(2))].map(|(n, pre, post)| ArcSet::new(n, pre, post));
    let both = Net::new("both", places.clone(), steps.to_vec()).expect("a net");
    let good = Net::new("good", places, steps[..1].to_vec()).expect("a net");
    for order in ORDERS {
        for reads in [Reads::Loops, Reads::Replicas] {
            let first = StubbornUnfolding { reads, ..options(order, Until::FirstDeadlock) };
            assert_eq!(run(first, &both).deadlocks, [vec![NetTransitionId(1)]]);
            assert_eq!(run(first, &good).end, End::Complete);
        }
    }
}

#[test]
fn limits_are_kept() {
    let net = philosophers(12, true);
    for order in ORDERS {
        let tight = Budget::unlimited().with_memory(30 << 10);
        let found = options(order, Until::End).run(&net, &tight);
        assert!(matches!(&found, Ok(found) if found.end == End::Stopped(Reason::Memory)), "{found:?}");
        let late = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
        let found = options(order, Until::End).run(&net, &late);
        assert!(matches!(&found, Ok(found) if found.end == End::Stopped(Reason::Timeout)), "{found:?}");
    }
    let heavy = Net::new("heavy", vec![Place::new("p", u32::MAX)], Vec::new()).expect("a net");
    let small = Budget::unlimited().with_memory(1 << 20);
    let found = options(SearchOrder::Breadth, Until::End).run(&heavy, &small);
    assert_eq!(found.map(|_| ()), Err(Reason::Memory));
}
