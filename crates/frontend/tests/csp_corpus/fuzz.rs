//! Random damage to the scripts of the corpus: whatever comes, there are networks or messages, and soon.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use frontend::csp::Limits;
use testkit::Rng;

use crate::support::{compile, scripts};

const ROUNDS: u64 = 1_500;
/// More than any script needs within the limits.
const PATIENCE: Duration = Duration::from_secs(30);
const SMALL: Limits = Limits { states: 3_000, moves: 20_000, participants: 50_000, components: 100, deadline: None };

/// Words and signs of the language, in places where nobody expects them.
const PIECES: &str = "0 1 2 3 7 -1 100000 9999999999 N i x s P STOP SKIP DIV Events {} <> {0..} {0..3} <0..5> true false \
    + - * / % ^ # . == != < and or not if then else let within [] |~| [> ; /\\ ||| [|{}|] [||] [[]] \\ |\\ ! ? $ : @ @@ \
    <- <-> -> = & ( ) { } {| |} [ ] , | _ head tail set seq Set Seq Union card member null length CHAOS RUN loop";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Number,
    Lower,
    Upper,
    Blank,
    Sign,
}

fn class(c: char) -> Class {
    match c {
        '0'..='9' => Class::Number,
        'A'..='Z' => Class::Upper,
        '_' | '\'' => Class::Lower,
        _ if c.is_alphabetic() => Class::Lower,
        _ if c.is_whitespace() => Class::Blank,
        _ => Class::Sign,
    }
}

/// The words of a script, each with what it begins with.
fn words(text: &str) -> Vec<(Class, &str)> {
    let mut words = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next().map(class) {
        let goes_on = |c: char| match (first, class(c)) {
            (Class::Blank | Class::Sign, other) => other == first,
            (_, other) => !matches!(other, Class::Blank | Class::Sign),
        };
        let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        words.push((first, &rest[..end]));
        rest = &rest[end..];
    }
    words
}

/// The script with a few of its words changed: most of them for others of the same kind, so that many scripts remain
/// scripts, and are evaluated.
fn damaged(text: &str, random: &mut Rng) -> String {
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let mut words = words(text);
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        let alike: Vec<&str> = words.iter().filter(|w| w.0 == words[at].0).map(|w| w.1).collect();
        match random.below(16) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, (Class::Sign, *random.pick(&pieces))),
            2 => words[at].1 = *random.pick(&pieces),
            3 => words.insert(at, words[other]),
            4 => words.swap(at, other),
            _ => words[at].1 = *random.pick(&alike),
        }
    }
    words.into_iter().map(|w| w.1).collect()
}

/// Does something beside the test, so that it is noticed if it does not end.
fn watched<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, &'static str> {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        let result = work();
        // Nobody listens any more if it took too long.
        let _ = sender.send(result);
    });
    receiver.recv_timeout(patience).map_err(|e| match e {
        mpsc::RecvTimeoutError::Timeout => "it takes too long",
        mpsc::RecvTimeoutError::Disconnected => {
            assert!(thread.join().is_err(), "a thread that ends well has sent something");
            "it panics"
        }
    })
}

/// How many networks and how many messages a script gives.
fn counts(text: &str) -> (usize, usize) {
    let outcome = compile(text, &SMALL);
    for mistake in &outcome.mistakes {
        assert!(!mistake.message.is_empty(), "{mistake:?}");
        assert!(text.get(mistake.span.range()).is_some(), "{mistake:?} is not within the text");
    }
    for network in &outcome.networks {
        let state = network.initial_state();
        network.rule_ids().for_each(|rule| assert!(network.successors(rule, &state).len() <= SMALL.moves));
    }
    (outcome.networks.len(), outcome.mistakes.len())
}

#[test]
fn damaged_scripts_compile_or_are_refused() {
    let scripts = scripts();
    let (mut compiled, mut refused) = (0, 0);
    for seed in 0..ROUNDS {
        let mut random = Rng::new(seed);
        let (_, text) = random.pick(&scripts);
        let text = damaged(text, &mut random);
        let copy = text.clone();
        let result = watched(PATIENCE, move || counts(&copy));
        let (networks, mistakes) = result.unwrap_or_else(|why| panic!("seed {seed}: {why}:\n{text}"));
        compiled += usize::from(networks > 0);
        refused += usize::from(mistakes > 0);
    }
    let least = ROUNDS as usize / 5;
    assert!(compiled > least && refused > least, "of {ROUNDS}, {compiled} were compiled and {refused} refused");
}

#[test]
fn panics_and_endless_work_are_noticed() {
    assert_eq!(watched(PATIENCE, || 1), Ok(1));
    assert_eq!(watched(PATIENCE, || panic!("planted")), Err::<(), _>("it panics"));
    let short = Duration::from_millis(1);
    assert_eq!(watched(short, || thread::sleep(Duration::from_millis(500))), Err("it takes too long"));
}
