//! The formatter changes white space only, and a second time nothing.

use crate::support::{Random, samples};
use frontend::native::format;

/// The text without white space, and the comments without what ends them.
fn essence(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn formatting_keeps_tokens_and_is_idempotent() {
    for sample in samples() {
        let once = format(&sample.text).unwrap_or_else(|d| panic!("{}: {d:?}", sample.name));
        assert_eq!(essence(&once), essence(&sample.text), "{}", sample.name);
        assert_eq!(format(&once).expect("it is still a model"), once, "{}", sample.name);
    }
}

/// Breaks lines and adds spaces wherever that means nothing.
fn shaken(text: &str, random: &mut Random) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // A line comment reaches to the end of its line: it is left alone.
        let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
        for c in code.chars() {
            match (c, random.below(4)) {
                (' ', 0) => out.push('\n'),
                (' ', 1) => out.push_str(" \t "),
                (' ', 2) => out.push_str("\n\n\n"),
                (',' | ')' | ']' | '}', 0) => out.extend([c, '\n']),
                (c, _) => out.push(c),
            }
        }
        out.push_str(comment);
        out.push('\n');
    }
    out
}

#[test]
fn any_layout_becomes_a_stable_one() {
    let mut random = Random::new(7);
    for sample in samples() {
        for round in 0..5 {
            let text = shaken(&sample.text, &mut random);
            let once = format(&text).unwrap_or_else(|d| panic!("{} {round}\n{text}\n{d:?}", sample.name));
            assert_eq!(essence(&once), essence(&text), "{} {round}", sample.name);
            assert_eq!(format(&once).as_ref(), Ok(&once), "{} {round}\n{text}", sample.name);
        }
    }
}

#[test]
fn the_layout_is_the_one_of_the_page() {
    let text = "param   n=3\n\n\n\nlock fork [ n ];process P[ i in 0 .. n - 1 ]{states idle,busy// two\nidle->busy:take when free(fork[i])&&!(n<2) do acquire fork[ (i+1)%n ]
busy -> idle do release fork[(i+1) % n]\n\n}\nproperty mutex :invariant (count i in 0..n-1:P[i] at busy)<=1 expect holds";
    let expected = "param n = 3

lock fork[n];
process P[i in 0..n-1] {
  states idle, busy  // two
  idle -> busy : take when free(fork[i]) && !(n < 2) do acquire fork[(i+1) % n]
  busy -> idle do release fork[(i+1) % n]
}
property mutex: invariant (count i in 0..n-1: P[i] at busy) <= 1 expect holds
";
    assert_eq!(format(text).expect("a model"), expected);
}

#[test]
fn a_text_with_errors_is_not_touched() {
    let diagnostics = format("process P { states a  a -> }").expect_err("no state after the arrow");
    assert!(diagnostics[0].message.starts_with("expected the name of a state"));
    assert_eq!(format("").as_deref(), Ok(""));
}

#[test]
fn enumerations_over_several_lines_are_blocks() {
    for (text, expected) in [
        ("enum K {a,b\n}", "enum K {\n  a, b\n}\n"),
        ("enum K { a, // first\n  b  // second\n}", "enum K {\n  a,  // first\n  b   // second\n}\n"),
        ("enum K { // all\n a,\n b,\n}", "enum K {  // all\n  a,\n  b,\n}\n"),
        ("enum\nK {a,b}", "enum\n    K { a, b }\n"),
    ] {
        assert_eq!(format(text).as_deref(), Ok(expected), "{text}");
        assert_eq!(format(expected).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn a_comment_keeps_no_space_before_what_ends_something() {
    let text = "lock m /* in */ ;\nprocess P { states s /* st */ , t\n  s -> t when (free(m) /* g */ ) }\n";
    let expected = "lock m /* in */;\nprocess P {\n  states s /* st */, t\n  s -> t when (free(m) /* g */)\n}\n";
    assert_eq!(format(text).as_deref(), Ok(expected));
}
