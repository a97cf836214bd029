//! Random damage to valid models: whatever comes, there is a model or there are messages within the text.

use crate::support::{Random, samples};
use frontend::native::{format, load, print};

const ROUNDS: usize = 2_000;

/// Tokens that are likely to meet a grammar rule in a place where nobody expects them.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "->",
    ":=",
    "..",
    ",",
    ":",
    ";",
    "!",
    "?",
    "=",
    "==",
    "-",
    "+",
    "*",
    "/",
    "%",
    "<",
    "=>",
    "0",
    "1",
    "99999999999999999999",
    "x",
    "process",
    "states",
    "when",
    "do",
    "for",
    "if",
    "else",
    "forall i in 0..3:",
    "property",
    "safety",
    "ltl",
    "always",
    "until",
    "expect",
    "error",
    "on",
    "sync",
    "init",
    "end",
    "param",
    "enum",
    "[]",
    "<>",
    "/*",
    "//",
    "\"",
    "\u{e9}",
    "\0",
    "at",
    "of",
    "lossy",
    "rendezvous",
    "true",
    "_",
];

fn damaged(text: &str, random: &mut Random) -> String {
    let mut words: Vec<String> =
        text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(words.len());
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, PIECES[random.below(PIECES.len())].to_owned()),
            2 => words[at] = PIECES[random.below(PIECES.len())].to_owned(),
            3 => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
            4 => {
                let copy = words[at].clone();
                words.insert(at, copy);
            }
            _ => words.truncate(at + 1),
        }
        if words.is_empty() {
            words.push(String::new());
        }
    }
    let mut bytes = words.concat().into_bytes();
    if random.below(4) == 0 && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = random.next() as u8;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_models_never_break_the_reader() {
    // Small models: a round must be quick.
    let samples: Vec<String> = samples().into_iter().map(|s| s.text).filter(|t| t.len() < 4_000).take(40).collect();
    let (mut models, mut mistakes) = (0, 0);
    for round in 0..ROUNDS {
        let mut random = Random::new(round as u64 + 1);
        let text = damaged(&samples[round % samples.len()], &mut random);
        match load("fuzz", &text, &[]) {
            Ok(loaded) => {
                models += 1;
                assert!(!loaded.properties.is_empty());
                let once = format(&text).expect("a model can be formatted");
                assert_eq!(format(&once).as_ref(), Ok(&once), "round {round}\n{text}");
                let properties: Vec<_> = loaded.properties.into_iter().map(|p| (p.name, p.property)).collect();
                let printed = print(&loaded.system, &properties);
                let again = load("again", &printed, &[]).unwrap_or_else(|d| panic!("round {round}\n{printed}\n{d:?}"));
                assert_eq!(
                    again.system.transitions().len(),
                    loaded.system.transitions().len(),
                    "round {round}\n{text}"
                );
            }
            Err(diagnostics) => {
                mistakes += 1;
                assert!(!diagnostics.is_empty(), "round {round}: a failure says why\n{text}");
                for d in diagnostics {
                    assert!(text.get(d.span.range()).is_some(), "round {round}: {d:?}\n{text}");
                    assert!(!d.message.is_empty());
                }
            }
        }
    }
    assert!(models > 20 && mistakes > 1_000, "the damage is neither harmless nor total: {models}, {mistakes}");
}
