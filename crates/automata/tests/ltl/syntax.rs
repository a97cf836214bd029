//! Formulas as text.

use automata::syntax::{parse, parse_with};
use testkit::Rng;

use crate::random;

/// The formula with all parentheses; atoms are numbered as they occur.
fn read(text: &str) -> String {
    parse(text).map_or_else(|e| format!("error: {e}"), |p| p.formula.to_string())
}

#[test]
fn operators_bind_as_usual() {
    assert_eq!(read("a U b & c | d -> e"), "((((p0 U p1) & p2) | p3) -> p4)");
    assert_eq!(read("a -> b -> c"), "(p0 -> (p1 -> p2))");
    assert_eq!(read("a U b U c"), "(p0 U (p1 U p2))");
    assert_eq!(read("!a U Xb W c"), "(!(p0) U (X(p1) W p2))");
    assert_eq!(read("a xor b | c"), "(p0 xor (p1 | p2))");
}

#[test]
fn spellings_of_all_tools_are_read() {
    assert_eq!(read("[]<>a && !()b"), read("G F a & ! X b"));
    assert_eq!(read("a /\\ b \\/ c"), read("a && b || c"));
    assert_eq!(read("a V b <-> c"), read("a R b <=> c"));
    assert_eq!(read("GFa -> FG!b"), "(G(F(p0)) -> F(G(!(p1))))");
    assert_eq!(read("F'two words' | \"G\""), "(F(p0) | p1)");
    assert_eq!(read("true & ff & 1 & tt"), "(((true & false) & true) & true)");
    assert_eq!(read("a UXb"), "(p0 U X(p1))");
}

#[test]
fn atoms_may_be_shared_between_formulas() {
    let mut atoms = vec!["b".to_owned()];
    let formula = parse_with("a & b", &mut atoms).expect("it is a formula");
    assert_eq!(formula.to_string(), "(p1 & p0)");
    assert_eq!(atoms, ["b", "a"]);
}

#[test]
fn errors_say_where() {
    assert_eq!(read("a & "), "error: expected a formula at byte 4");
    assert_eq!(read("(a | b"), "error: expected `)` at byte 6");
    assert_eq!(read("a b"), "error: expected an operator or the end at byte 2");
    assert_eq!(read(""), "error: expected a formula at byte 0");
    assert_eq!(read("'a"), "error: expected a formula at byte 0");
}

#[test]
fn shown_formulas_are_read_again() {
    for seed in 0..500 {
        let formula = random::formula(&mut Rng::new(seed), 3, 8);
        let names = ["p0", "p1", "p2"].map(str::to_owned);
        assert_eq!(parse_with(&formula.to_string(), &mut names.to_vec()), Ok(formula));
    }
}

#[test]
fn no_text_breaks_the_reader() {
    let mut rng = Rng::new(3);
    let pieces =
        ["a", "b", "(", ")", "!", "G", "F", "X", " U ", " R ", "&", "|", "->", "<->", "xor", "'", "\"", "é", "[]", "1"];
    for _ in 0..50_000 {
        let text: String = (0..rng.below(14)).map(|_| *rng.pick(&pieces)).collect();
        if let Ok(parsed) = parse(&text) {
            assert!(parse(&parsed.formula.to_string()).is_ok(), "{text}");
        }
    }
    for deep in ["(", "!", "a U ", "a & (", "G"] {
        assert!(parse(&deep.repeat(50_000)).is_err());
    }
    assert!(parse(&format!("a{}", " | a".repeat(50_000))).is_err(), "too tall a tree");
    assert!(parse(&format!("a{}", " | a".repeat(900))).is_ok());
}
