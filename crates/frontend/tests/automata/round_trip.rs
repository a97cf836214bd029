//! Networks that are written and read again are the same.

use std::collections::BTreeMap;

use frontend::automata::read;
use frontend::write;
use model::Network;
use testkit::networks::{philosophers, random, scheduler};

use crate::support::{Folder, Space, aut, counts, folder, network, space};

fn again(network: &Network) -> Option<(Network, bool)> {
    let written = write::exp(network, "out").ok()?;
    let files: Folder = written.files.iter().cloned().collect();
    Some((self::network(&written.text, &files), written.terminates))
}

/// Classes of bisimilar states of both spaces, refined until nothing changes; whether the initial ones are in one.
fn bisimilar(left: (&Space, Vec<usize>), right: (&Space, Vec<usize>)) -> bool {
    let states: Vec<(usize, &Vec<usize>)> =
        left.0.keys().map(|s| (0, s)).chain(right.0.keys().map(|s| (1, s))).collect();
    let spaces = [left.0, right.0];
    let mut class: BTreeMap<(usize, &Vec<usize>), usize> = states.iter().map(|s| (*s, 0)).collect();
    loop {
        let mut numbers = BTreeMap::new();
        let mut next = BTreeMap::new();
        for (side, state) in &states {
            let (steps, end) = &spaces[*side][*state];
            let mut seen: Vec<(&str, usize)> =
                steps.iter().map(|(label, to)| (label.as_str(), class[&(*side, to)])).collect();
            seen.sort_unstable();
            seen.dedup();
            let ended = steps.is_empty() && *end;
            let fresh = numbers.len();
            next.insert((*side, *state), *numbers.entry((seen, ended)).or_insert(fresh));
        }
        let stable = numbers.len() == class.values().collect::<std::collections::BTreeSet<_>>().len();
        class = next;
        if stable {
            return class[&(0, &left.1)] == class[&(1, &right.1)];
        }
    }
}

fn start(network: &Network) -> Vec<usize> {
    network.initial_state().iter().map(|s| s.index()).collect()
}

#[test]
fn random_networks_come_back() {
    let (mut same, mut ended) = (0, 0);
    for seed in 0..600 {
        let network = random(seed);
        if network.rules().iter().any(|r| r.fault) {
            continue;
        }
        let Some((read, terminates)) = again(&network) else { continue };
        let (before, after) = (space(&network), space(&read));
        let stuck = counts(&network).2;
        assert_eq!(counts(&read).2 > 0, stuck > 0, "seed {seed}");
        if terminates {
            ended += 1;
            continue;
        }
        assert_eq!(
            (before.len(), counts(&network).1, stuck),
            (after.len(), counts(&read).1, counts(&read).2),
            "{seed}"
        );
        assert!(bisimilar((&before, start(&network)), (&after, start(&read))), "seed {seed}");
        same += 1;
    }
    assert!(same > 150 && ended > 10, "{same} {ended}");
}

#[test]
fn a_lost_vector_is_seen() {
    let network = philosophers(3, false);
    let written = write::exp(&network, "out").expect("written");
    let files: Folder = written.files.iter().cloned().collect();
    let (first, rest) = written.text.split_once(",\n").expect("several vectors");
    assert!(first.starts_with("par using\n"));
    let read = self::network(&format!("par using\n{rest}"), &files);
    assert!(!bisimilar((&space(&network), start(&network)), (&space(&read), start(&read))));
}

#[test]
fn equal_components_share_a_file() {
    let written = write::exp(&scheduler(8), "cells").expect("written");
    assert!(written.files.len() < 8, "{:?}", written.files.iter().map(|f| &f.0).collect::<Vec<_>>());
    assert!(written.files.iter().all(|(name, _)| name.starts_with("cells-") && name.ends_with(".aut")));
    let (read, _) = again(&scheduler(8)).expect("written");
    assert_eq!(counts(&read), counts(&scheduler(8)));
}

/// Silent and terminating labels keep their meaning, and odd labels their spelling.
#[test]
fn special_labels_come_back() {
    let files = folder(&[
        ("p.aut", &aut(&[(0, "say \\\"x\\\"", 1), (1, "i", 0), (1, "back\\\\slash", 1), (1, "exit", 2)])),
        ("q.aut", &aut(&[(0, "A, (b)", 0), (0, "exit", 1), (0, "B", 2)])),
    ]);
    let network = network("hide B in p ||| q", &files);
    let (read, terminates) = again(&network).expect("written");
    assert!(!terminates);
    assert_eq!(space(&read), space(&network));
    let labels: Vec<&str> = read.rules().iter().map(|r| &*r.label).collect();
    assert!(
        labels.contains(&"say \"x\"") && labels.contains(&"back\\slash") && labels.contains(&"A, (b)"),
        "{labels:?}"
    );
}

#[test]
fn automata_come_back() {
    let moves = [(0, "a \"b\"", 1), (1, "i", 0), (1, "c\\", 1)];
    let text = write::aut(1, 2, &moves);
    let none = |_: &str| Err("no files".to_owned());
    let loaded = read("x.aut", text.as_bytes(), &none).expect("an automaton");
    let component = &loaded.network.components()[0];
    assert_eq!((component.initial().index(), component.events()), (1, &["a \"b\"", "i", "c\\"].map(str::to_owned)[..]));
}
