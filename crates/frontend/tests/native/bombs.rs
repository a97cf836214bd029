//! Texts that are small and mean something huge, or nest without end: each is refused, quickly and without a crash.

use std::time::{Duration, Instant};

use frontend::native::{format, load};

/// All that is said about a bomb.
fn refused(text: &str) -> String {
    let start = Instant::now();
    let diagnostics = load("bomb", text, &[]).map(|_| ()).expect_err("a bomb");
    assert!(start.elapsed() < Duration::from_secs(20), "quickly");
    for d in &diagnostics {
        assert!(text.get(d.span.range()).is_some(), "{d:?}");
    }
    diagnostics.into_iter().map(|d| d.message).collect::<Vec<_>>().join("\n")
}

fn guard(condition: &str) -> String {
    format!("var x : 0..3  var b : bool  process P {{ states a  a -> a when {condition} }}")
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, inner: &str, close: &str| {
        guard(&format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000)))
    };
    let texts = [
        deep("(", "b", ")"),
        deep("!", "b", ""),
        deep("-", "1", ""),
        deep("b => ", "b", ""),
        deep("b ? b : ", "b", ""),
        deep("min(1, ", "1", ")"),
        deep("x[", "1", "]"),
        deep("forall i in 0..1: ", "b", ""),
        deep("(", "", ""),
        format!("process P {{ states a {} ", "for i in 0..1 { ".repeat(100_000)),
        format!("process P {{ states a {} ", "if true { } else ".repeat(100_000)),
        format!("var x : 0..1 = {}", "[".repeat(100_000)),
        format!("process P {{ states a }} property ltl {} true", "always ".repeat(100_000)),
        format!("process P {{ states a }} property ltl {} true", "true until ".repeat(100_000)),
    ];
    for text in &texts {
        let message = refused(text);
        assert!(message.contains("nested deeper"), "{message}");
        assert!(format(text).is_err(), "the formatter refuses what the reader refuses");
    }
}

#[test]
fn long_chains_are_no_nesting() {
    for (operand, operator, relation) in [("1", "+", "> 0"), ("x", "+", "> 0"), ("x", "-", "< 0")] {
        let chain = vec![operand; 100_000].join(operator);
        assert!(load("chain", &guard(&format!("{chain} {relation}")), &[]).is_ok(), "{operand}{operator}");
    }
    for operator in ["&&", "||"] {
        assert!(load("chain", &guard(&vec!["b"; 100_000].join(operator)), &[]).is_ok());
    }
    assert!(refused(&guard(&format!("{} > 0", vec!["x"; 100_000].join("*")))).contains("nested deeper"));
    let formula = vec!["eventually b"; 10_000].join(" && ");
    let text = format!("var b : bool  process P {{ states a }}  property ltl {formula}");
    assert!(load("chain", &text, &[]).is_ok());
}

#[test]
fn huge_families_are_refused() {
    let cases = [
        ("lock m[1000000000]  process P { states a }", "objects"),
        ("lock m[1000][1000][1000]  process P { states a }", "objects"),
        ("process P[i in 0..9] { lock m[200000]  states a }", "objects"),
        ("process P[i in 0..9999999999] { states a }", "processes"),
        ("process P[i in 0..999, j in 0..999] { states a }", "processes"),
        ("process P { states s[0..999999999] }", "states"),
        ("process P { states s[0..9][0..9999999] }", "states"),
        ("action go[1000000000]  process P { states a }", "objects"),
        ("process P { states a  for i in 0..9999999999 { a -> a } }", "too large"),
        ("process P { states a  for i in 0..9999 { for j in 0..9999 { a -> a } } }", "too large"),
        ("process P[i in 0..2] { states a  for j in 0..999999 { a -> a } }", "steps"),
        ("process P { states a  a -> a when forall i in 0..9999999999: true }", "too large"),
        (
            "process P { states a  a -> a when (count i in 0..99999: (exists j in 0..99999: i == j + 1)) > 0 }",
            "too large",
        ),
        ("channel q : 1000000000  process P { states a }", "cannot hold"),
        ("channel q : 1000000 of (0..2147483647)  process P { states a }", "bits"),
        ("channel q[1000] : 5000 of (0..9) = [1, 2, 3]  process P { states a  }", "bits"),
        ("action go  process P[i in 0..99] { states a, b  a, b -> a sync go  a, b -> b sync go }", "too many ways"),
        ("process P { states a }  property ltl forall i in 0..9999999: eventually P at a", "too large"),
    ];
    for (text, word) in cases {
        let message = refused(text);
        assert!(message.contains(word), "{text}: {message}");
    }
}

#[test]
fn huge_texts_are_refused() {
    assert!(refused(&" ".repeat(frontend::MAX_TEXT + 1)).contains("bytes"));
    assert!(refused(&";".repeat(5_000_000)).contains("tokens"));
    assert!(refused(&"\u{fffd}\u{1}\u{2}".repeat(1000)).contains("means nothing"));
}
