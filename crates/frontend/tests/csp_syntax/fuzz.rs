//! Random damage to a valid script, and scripts that are all depth: whatever comes, there is a tree or there are
//! messages within the text.

use testkit::Rng;

use crate::print;
use crate::support::read;

const SAMPLE: &str = include_str!("sample.csp");
const ROUNDS: u64 = 4_000;

/// Tokens that are likely to meet a grammar rule in a place where nobody expects them.
const PIECES: &str = "( ) [ ] { } {| |} [[ ]] [| |] |> [+ +] /+ +\\ (| |) < > <> <- <-> -> => = == != <= >= \
    + - * / % ^ # . .. , : :: ? ! $ @ @@ | & ; [] |~| [> /\\ ||| || \\ |\\ :[ [T= _ 0 99999999999999999999 'c' \"s\" \
    ' \" {- -} -- \u{e9} \0 true false and or not if then else let within channel datatype subtype nametype assert \
    transparent external include module exports endmodule instance Timed print x P STOP";

fn damaged(text: &str, random: &mut Rng) -> String {
    let pieces: Vec<&str> = PIECES.split(' ').chain(["\n", "\n\n", " "]).collect();
    let mut words: Vec<String> =
        text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let at = random.below(words.len());
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 | 2 => words.insert(at, (*random.pick(&pieces)).to_owned()),
            3 => words[at] = (*random.pick(&pieces)).to_owned(),
            4 => words.truncate(at + 1),
            _ => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
        }
    }
    words.concat()
}

/// Reads a text: a tree must be read the same again from its own text, messages must lie within.
fn check(text: &str) -> bool {
    match read(text) {
        Ok(script) => {
            let shown = print::decls(&script.decls);
            let again = read(&shown).unwrap_or_else(|e| panic!("{text:?} became {shown:?}: {e:?}"));
            assert_eq!(print::decls(&again.decls), shown, "{text:?}");
            true
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty() && mistakes.len() <= 50, "{text:?}");
            for mistake in mistakes {
                let range = mistake.span.range();
                assert!(range.start <= range.end && text.get(range).is_some(), "{text:?}: {mistake:?}");
            }
            false
        }
    }
}

#[test]
fn the_sample_is_read() {
    assert!(check(SAMPLE), "{:?}", read(SAMPLE).err());
}

#[test]
fn damaged_scripts_are_read_or_refused() {
    let mut taken = 0;
    for seed in 0..ROUNDS {
        taken += u64::from(check(&damaged(SAMPLE, &mut Rng::new(seed))));
    }
    assert!(taken > ROUNDS / 50 && taken < ROUNDS / 2, "{taken} of {ROUNDS} were taken");
}

#[test]
fn any_characters_are_read_or_refused() {
    let characters: Vec<char> = "aP0 \n\t(){}[]<>|\\/+-*%^#.,:;?!$@&_='\"~`\u{e9}\u{1f600}\0".chars().collect();
    for seed in 0..ROUNDS {
        let mut random = Rng::new(seed);
        let text: String = (0..random.below(60)).map(|_| *random.pick(&characters)).collect();
        check(&text);
    }
}

/// Scripts that nest as deep or run as long as their size allows, far beyond the limits.
#[test]
fn depth_is_refused_and_length_is_not() {
    let n = 50_000;
    let deep = ["(", "{", "<", "not ", "- ", "#", "if ", "let x = ", "\\ x @ ", "[] x : S @ ", "f(", "(| 0 => ", "P[["];
    for piece in deep {
        let mistakes = read(&format!("x = {}", piece.repeat(n))).expect_err(piece);
        assert!(mistakes[0].message.starts_with("nested more than"), "{piece}: {mistakes:?}");
    }
    for (start, piece, end) in [("x", " [] x", ""), ("1", " + 1", ""), ("c", ".0", ""), ("{0", ", 0", "}")] {
        assert!(read(&format!("x = {start}{}{end}", piece.repeat(n))).is_ok(), "{piece}");
    }
    let chains = ["a -> ", "b & ", "if b then P else ", "a -> b & "];
    for piece in chains {
        assert!(read(&format!("x = {}P", piece.repeat(900))).is_ok(), "{piece}");
        assert!(read(&format!("x = {}P", piece.repeat(n))).is_err(), "{piece}");
    }
    for piece in [" \\ A", "(0)", "[[a <- b]]", " [] P \\ A"] {
        assert!(read(&format!("x = P{}", piece.repeat(8))).is_ok(), "{piece}");
        assert!(read(&format!("x = P{}", piece.repeat(n))).is_err(), "{piece}");
    }
}

/// The deepest tree that passes the limits fits into the stack of a test.
#[test]
fn the_deepest_tree_can_be_dropped() {
    let level = format!("{}({}", "a -> ".repeat(10), "P \\ A [] P \\ A [] P \\ A [] ");
    let text = format!("x = {}P{}", level.repeat(45), ")".repeat(45));
    drop(read(&text).expect("within the limits"));
}
