//! Declarations and assertions, and files that include others.

use frontend::csp::parse;

use crate::print;
use crate::support::{mistakes, shown};

#[test]
fn declarations_are_read() {
    let table = [
        ("f(0) = 1\nf(n) = 2\ng(x)() = f(x)", "f(0) = 1\nf(n) = 2\ng(x)() = f(x)"),
        ("f(-1, true, 'c', \"s\", {x}, {}) = 1", "f(-1, true, 'c', \"s\", {x}, {}) = 1"),
        ("f(<x>^s^<y>, (a.b) @@ c) = 1", "f((<x>^s^<y>), ((a.b) @@ c)) = 1"),
        ("channel a, b\nchannel c : {0..1}.Bool", "channel a, b\nchannel c : ({0..1}.Bool)"),
        ("datatype T = A | B.T.{0,1}\nsubtype U = A", "datatype T = A | B.(T.{0, 1})\nsubtype U = A"),
        ("nametype N = {0..3}", "nametype N = {0..3}"),
        ("transparent normal, sbisim\nexternal chase", "transparent normal, sbisim\nexternal chase"),
        ("print 1 + 1\nprint(x) = x\nprint = 2", "print (1 + 1)\nprint(x) = x\nprint = 2"),
        ("f :: (Eq a, Ord a) => (a, <Int>) -> {a}=>*Event\nf(x, y) = z", "f :: Int\nf(x, y) = z"),
        ("Timed {\nP = a -> P\n}", "Timed  {\nP = (a -> P)\n}"),
        ("x' = y'' -- z\n{- a {- b -} c -}\n", "x' = y''"),
    ];
    for (text, reading) in table {
        assert_eq!(shown(text), reading, "{text}");
    }
}

#[test]
fn modules_are_read_so_that_they_can_be_named() {
    let text = "module M(x)\ny = x\nexports\nz = y\nendmodule\ninstance I = M(1)\nw = I::z";
    assert_eq!(shown(text), text);
}

#[test]
fn assertions_are_read() {
    let table = [
        ("assert P [T= Q", "assert P [T= Q"),
        ("assert not P ||| Q\n  [FD= R \\ A", "assert not (P ||| Q) [FD= (R \\ A)"),
        ("assert P :[ deadlock free [F] ]", "assert P :[deadlock free [F]]"),
        ("assert P :[deadlock-free [FD]]", "assert P :[deadlock free [FD]]"),
        ("assert P :[livelock free]", "assert P :[divergence free]"),
        ("assert P :[deterministic]", "assert P :[deterministic]"),
        ("assert P :[has trace]: <a, b>", "assert P :[has trace]: <a, b>"),
        (
            "assert P [F= Q :[tau priority]: {tock} :[partial order reduce [fast]]",
            "assert P [F= Q :[tau priority over]: {tock} :[partial order reduce [fast]]",
        ),
    ];
    for (text, reading) in table {
        assert_eq!(shown(text), reading, "{text}");
    }
}

/// Files that include each other: `a` has `b`, which defines `Q`; `loop` has itself.
fn files(name: &str) -> Result<String, String> {
    match name {
        "a.csp" => Ok("include \"b.csp\"\nP = Q".to_owned()),
        "b.csp" => Ok("Q = STOP".to_owned()),
        "bad.csp" => Ok("R = STOP\nS = (".to_owned()),
        "outer.csp" => Ok("include \"bad.csp\"".to_owned()),
        "loop.csp" => Ok("include \"loop.csp\"".to_owned()),
        deeper => match deeper.parse::<u32>() {
            Ok(n) => Ok(format!("include \"{}\"", n + 1)),
            Err(_) => Err("no such file".to_owned()),
        },
    }
}

#[test]
fn included_files_stand_where_they_are_asked_for() {
    let script = parse("x = 1\ninclude \"a.csp\" -- both\ny = 2", &files).expect("a script");
    assert_eq!(print::decls(&script.decls), "x = 1\nQ = STOP\nP = Q\ny = 2");
    let texts: Vec<&str> = script.decls.iter().map(|d| &script.sources.text()[d.span.range()]).collect();
    assert_eq!(texts, ["x = 1", "Q = STOP", "P = Q", "y = 2"]);
}

#[test]
fn mistakes_in_included_files_are_told_where_the_script_asks_for_them() {
    let told = |text: &str| {
        let reports = parse(text, &files).expect_err("a mistake");
        reports.iter().map(|r| (r.message.clone(), text[r.span.range()].to_owned())).collect::<Vec<_>>()
    };
    let at = "include \"outer.csp\"";
    let message = "in \"bad.csp\", line 2, column 6: expected an expression, found the end of an included file";
    assert_eq!(told(&format!("x = 1\n{at}")), [(message.to_owned(), at.to_owned())]);
    assert_eq!(told("include \"none\"")[0].0, "the file \"none\" cannot be included: no such file");
    assert!(told("include \"loop.csp\"")[0].0.contains("the file \"loop.csp\" includes itself"));
    assert!(told("include \"1\"")[0].0.contains("more than 16 within each other"));
    assert!(told("x =\ninclude \"b.csp\"")[0].0.contains("expected an expression"));
}

#[test]
fn several_mistakes_are_told_each_at_its_place() {
    let text = "P = (a -> \nQ = STOP\n\nR = STOP [] )\nS = STOP\nT(x = 1\nassert S :[fine]\n";
    let expected = [
        ("expected `)`, found `=`", "="),
        ("expected an expression, found `)`", ")"),
        ("expected `)`, found `=`", "="),
        ("`fine` cannot be asserted", ":[fine]"),
    ];
    let expected: Vec<(String, String)> = expected.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
    assert_eq!(mistakes(text), expected);
}

#[test]
fn mistakes_are_named() {
    let table = [
        ("P = a < b < c", "comparisons cannot be chained", "<"),
        ("P = {_}", "`_` is a pattern, not a value", "_"),
        ("f({x, y}) = 1", "a pattern for sets has at most one element", "{x, y}"),
        ("P = 99999999999999999999", "the number does not fit into 64 bits", "99999999999999999999"),
        ("P = let channel c\nwithin P", "`channel` cannot stand within `let`", "channel"),
        ("x = 1 y = 2", "expected an operator or a new line, found `y`", "y"),
        ("P = ~", "`~` means nothing here", "~"),
        ("P = {- no end", "this comment never ends", "{-"),
        ("assert P :[deadlock free [X]]", "`X` is no semantic model", "X"),
        ("x = 1\n- 2", "expected `=` and a value, found the end of the text", ""),
    ];
    for (text, message, place) in table {
        assert_eq!(mistakes(text), [(message.to_owned(), place.to_owned())], "{text}");
    }
}
