//! Random damage to a valid package, and packages that are all depth: whatever comes, there is a tree or there are
//! messages within the text.

use testkit::Rng;

use crate::support::{SAMPLE, read};

const ROUNDS: u64 = 4_000;

/// Tokens that are likely to meet a grammar rule in a place where nobody expects them.
const PIECES: &str = "( ) { } , ; : . ' @ = == != < <= > >= + - * / % && || ! & | ^ ~ 0 1.5 99999999999999999999 \"s\" \" \
    /* */ // \u{e9} \0 int bool float string true false package use end const data extern type function operator refine as \
    port atom connector compound component export place initial on internal from to provided do priority define up down \
    if then else fi clock unit resume invariant at eager x Worker Plain IDLE";

fn damaged(text: &str, random: &mut Rng) -> String {
    let pieces: Vec<&str> = PIECES.split_whitespace().chain(["\n", " "]).collect();
    let mut words: Vec<String> =
        text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let at = random.below(words.len());
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 | 2 => words.insert(at, format!("{} ", random.pick(&pieces))),
            3 => words[at] = format!("{} ", random.pick(&pieces)),
            4 if random.below(4) == 0 => words.truncate(at + 1),
            _ => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
        }
    }
    words.concat()
}

/// Reads a text: messages must lie within.
fn check(text: &str) -> bool {
    let Err(mistakes) = read(text) else { return true };
    assert!(!mistakes.is_empty() && mistakes.len() <= 50, "{text:?}");
    for mistake in mistakes {
        let range = mistake.span.range();
        assert!(range.start <= range.end && text.get(range).is_some(), "{text:?}: {mistake:?}");
    }
    false
}

#[test]
fn the_sample_is_read() {
    assert!(check(SAMPLE), "{:?}", read(SAMPLE).err());
}

#[test]
fn damaged_packages_are_read_or_refused() {
    let mut taken = 0;
    for seed in 0..ROUNDS {
        taken += u64::from(check(&damaged(SAMPLE, &mut Rng::new(seed))));
    }
    assert!(taken > ROUNDS / 50 && taken < ROUNDS / 2, "{taken} of {ROUNDS} were taken");
}

#[test]
fn any_characters_are_read_or_refused() {
    let characters: Vec<char> = "aP0 \n\t(){}<>|/+-*%^.,:;!@&_='\"~`\u{e9}\u{1f600}\0".chars().collect();
    for seed in 0..ROUNDS {
        let mut random = Rng::new(seed);
        let text: String = (0..random.below(60)).map(|_| *random.pick(&characters)).collect();
        check(&text);
        check(&format!("package p {text} end"));
    }
}

/// Packages that nest as deep or run as long as their size allows, far beyond the limits.
#[test]
fn depth_is_refused_and_length_is_not() {
    let n = 50_000;
    let constant = |text: &str| format!("package p extern function f(int) const data int a = {text} end");
    for piece in ["(", "!", "-", "~", "+", "f(", "1 || 2 && 3 | 4 ^ 5 & 6 == 7 < 8 + 9 * ("] {
        let mistakes = read(&constant(&piece.repeat(n))).expect_err(piece);
        assert!(mistakes[0].message.starts_with("nested more than"), "{piece}: {:?}", mistakes[0]);
    }
    for (start, piece) in [("1", " + 1"), ("1", " < 1"), ("f(1)", " && f(1)"), ("1, b = 1 + 2", " || 3 * 4")] {
        assert!(read(&constant(&format!("{start}{}", piece.repeat(n)))).is_ok(), "{piece}");
    }
    let action = |text: &str| format!("package p atom type A() place S initial to S do {{ {text} }} end end");
    let mistakes = read(&action(&"if (true) then ".repeat(n))).expect_err("too deep");
    assert!(mistakes[0].message.starts_with("nested more than"), "{:?}", mistakes[0]);
    assert!(read(&action(&"x = 1; if (x == 1) then fi ".repeat(n))).is_ok());
    let define = |text: &str| format!("package p port type P() connector type C(P p) define {text} end end");
    let mistakes = read(&define(&"(".repeat(n))).expect_err("too deep");
    assert!(mistakes[0].message.starts_with("nested more than"), "{:?}", mistakes[0]);
}

/// The deepest tree that passes the limits fits into the stack of a test.
#[test]
fn the_deepest_tree_can_be_walked_and_dropped() {
    let level = "1 || 2 && 3 | 4 ^ 5 & 6 == 7 < 8 + 9 * (";
    let text = format!("package p const data int a = {}0{} end", level.repeat(100), ")".repeat(100));
    let model = read(&text).expect("within the limits");
    assert!(crate::support::shown(&model.packages[0].constants[0].value).len() > 100 * level.len());
}

/// Many instances: what is looked up is not searched for.
#[test]
fn many_instances_are_read_in_time() {
    let n = 20_000;
    let components: String = (0..n).map(|i| format!("component A a{i}() ")).collect();
    let connectors: String = (0..n).map(|i| format!("connector C c{i}(a{i}.p, a{}.p) ", (i + 1) % n)).collect();
    let text = format!(
        "package k port type P() atom type A() export port P p() place S initial to S end \
         connector type C(P p, P q) define p q end compound type T() {components} {connectors} end end"
    );
    let start = std::time::Instant::now();
    assert!(read(&text).is_ok());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
