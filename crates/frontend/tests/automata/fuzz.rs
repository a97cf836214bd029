//! Random damage to valid files: whatever comes, there is a network or there are messages within the text.

use frontend::automata::read;
use testkit::Rng;

use crate::support::{aut, folder, load};

const ROUNDS: u64 = 6_000;

const EXP: &str = "(* expect: deadlock-free holds *)\nhide A, \"B !1\" in par C#2, D in C -> p.aut || C, D -> \"q\" |[A]| (p ||| stop)\n\
    || D -> rename A -> D, \"B \\(.*\\)\" -> \"E\\1\" in \"sub.exp\" end rename end par end hide -- end\n\
    || par using A * _ -> \"x\", \"C\" * B -> i in exit || partial cut \"!\" in q end cut end par";

const AUT: &str =
    "des (0, 4, 3)\n(0, \"A !1\", 1)\n(1, i, 2)\n(* expect: 3 states *)\n(2, say \"x\", 0)\n(2, exit, 1)\n";

const PIECES: &[&str] = &[
    "(",
    ")",
    "(*",
    "*)",
    "--",
    "\"",
    "\\",
    "\\(",
    "|",
    "||",
    "|||",
    "|[",
    "]|",
    "[",
    "]",
    "->",
    "*",
    "#",
    ",",
    "_",
    "par",
    "using",
    "in",
    "end",
    "hide",
    "rename",
    "cut",
    "prio",
    "all",
    "but",
    "total",
    "gate",
    "stop",
    "exit",
    "p",
    "\"q\"",
    "main.exp",
    "sub.exp",
    "A",
    "B",
    "i",
    "0",
    "1",
    "7",
    "-1",
    "99999999999999999999",
    "des",
    "\n",
    "\0",
    "\u{e9}",
    "\u{feff}",
    "expect:",
];

fn damaged(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).collect();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(words.len());
        match rng.below(6) {
            0 if words.len() > 1 => drop(words.remove(at)),
            1 => words.insert(at, rng.pick::<&str>(PIECES)),
            2 => words[at] = rng.pick::<&str>(PIECES),
            3 => {
                let other = rng.below(words.len());
                words.swap(at, other);
            }
            4 => words.insert(at, words[at]),
            _ => words.truncate(at + 1),
        }
    }
    let mut bytes = words.concat().into_bytes();
    if rng.chance(10) && !bytes.is_empty() {
        let at = rng.below(bytes.len());
        bytes[at] = rng.bits() as u8;
    }
    bytes
}

fn survives(name: &str, text: &str) {
    let files =
        folder(&[("p.aut", &aut(&[(0, "A", 1), (1, "C", 0)])), ("q.aut", AUT), ("sub.exp", "\"p\" |[C]| \"p\"")]);
    let open = |n: &str| files.get(n).map(|t| t.clone().into_bytes()).ok_or("there is no such file".to_owned());
    read(name, text.as_bytes(), &open).expect("the sample is a network");
    let (mut networks, mut mistakes) = (0, 0);
    for seed in 0..ROUNDS {
        let bytes = damaged(text, &mut Rng::new(seed));
        let diagnostics = match read(name, &bytes, &open) {
            Ok(loaded) => {
                networks += 1;
                let network = &loaded.network;
                let state = network.initial_state();
                network.rule_ids().for_each(|r| assert!(network.successors(r, &state).len() < 100));
                loaded.warnings
            }
            Err(diagnostics) => {
                mistakes += 1;
                assert!(!diagnostics.is_empty(), "seed {seed}: a failure says why");
                diagnostics
            }
        };
        for d in diagnostics {
            assert!(bytes.get(d.span.range()).is_some() && !d.message.is_empty(), "seed {seed}: {d:?}");
            if let Ok(text) = std::str::from_utf8(&bytes) {
                assert!(text.get(d.span.range()).is_some(), "seed {seed}: {d:?} cuts a character");
            }
        }
    }
    assert!(networks > 100 && mistakes > 500, "the damage is neither harmless nor total: {networks}, {mistakes}");
}

#[test]
fn damaged_expressions() {
    survives("main.exp", EXP);
}

#[test]
fn damaged_automata() {
    survives("main.aut", AUT);
}

#[test]
fn noise_and_repetition_end_quickly() {
    let none = |_: &str| Err("there is no such file".to_owned());
    for name in ["main.exp", "main.aut"] {
        for piece in PIECES {
            let _ = read(name, piece.repeat(100_000).as_bytes(), &none);
            let _ = read(name, format!("{piece} ").repeat(50_000).as_bytes(), &none);
        }
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let noise: Vec<u8> = (0..rng.below(300)).map(|_| rng.bits() as u8).collect();
            let _ = read(name, &noise, &none);
        }
    }
}

#[test]
fn an_included_expression_is_damaged() {
    for seed in 0..500 {
        let bytes = damaged(EXP, &mut Rng::new(seed));
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let files = folder(&[("p.aut", &aut(&[(0, "A", 0)])), ("q.aut", AUT), ("sub.exp", &text)]);
        if let Err(diagnostics) = load("p |[A]| \"sub.exp\"", &files) {
            assert!(diagnostics.iter().all(|d| d.span.end <= 17), "seed {seed}: {diagnostics:?}");
        }
    }
}
