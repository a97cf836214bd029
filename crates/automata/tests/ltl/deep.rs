//! Deep and wide formulas are translated or given up, never a crash.

use automata::syntax::parse;
use automata::{Options, Pool, is_stutter_invariant, translate};

fn survives(text: &str) {
    let mut pool = Pool::new();
    let f = pool.add(&parse(text).expect("it is a formula").formula);
    let options = Options { work: 100_000, ..Options::default() };
    let size = translate(&mut pool, f, &options).map(|a| a.size());
    let stutter = is_stutter_invariant(&mut pool, f, &options);
    eprintln!("{}...: {size:?} states, blind to stuttering: {stutter:?}", &text[..30]);
}

#[test]
fn deep_and_wide_formulas_are_survived() {
    let nest = |open: &str, close: &str, n: usize| format!("{}a{}", open.repeat(n), close.repeat(n));
    survives(&nest("X", "", 900));
    survives(&nest("a U (b R (", "))", 190));
    survives(&nest("(a U (b & !(c W ", ")))", 140));
    survives(&nest("!(a <-> X ", ")", 240));
    survives(&nest("G(b | F(", "))", 190));
    survives(&nest("F(b & G(c | ", "))", 160));
    let wide = |part: fn(usize) -> String, op: &str, n: usize| (0..n).map(part).collect::<Vec<_>>().join(op);
    survives(&wide(|i| format!("G(p{i} -> F q{i})"), " & ", 30));
    survives(&wide(|i| format!("F(p{i} & X q{i})"), " | ", 30));
    survives(&wide(|i| format!("(p{} U q{})", i % 30, i % 29), " & ", 400));
    survives(&wide(|i| format!("(F p{} & X G q{})", i % 30, i % 29), " | ", 400));
}
