//! Formulas of `ltl` blocks. What binds tighter is what SPIN 6.5.2 prints for the same text.

use frontend::promela::ast::Unit;

use crate::support::{formula, read, valid};

const FORMULAS: &[(&str, &str)] = &[
    ("[] x U y", "([] x U y)"),
    ("!x U y", "(!(x) U y)"),
    ("X x U y", "(X x U y)"),
    ("[] x && y", "([] x && y)"),
    ("x U y U x", "((x U y) U x)"),
    ("x -> y -> x", "((x -> y) -> x)"),
    ("x && y U x", "(x && (y U x))"),
    ("x U y || x", "((x U y) || x)"),
    ("x == 1 U y", "((x==1) U y)"),
    ("<> x -> y", "(<> x -> y)"),
    ("[] x -> y && x <-> y", "(([] x -> (y&&x)) <-> y)"),
    ("x | y U x", "((x|y) U x)"),
    ("x U ! y U x", "((x U !(y)) U x)"),
    ("[] <> x U y", "([] <> x U y)"),
    ("x W y U x V y", "(((x W y) U x) V y)"),
    ("x U [] y U x", "((x U [] y) U x)"),
    ("x + y && ! x", "((x+y)&&!(x))"),
    ("x <-> y -> x", "((x <-> y) -> x)"),
    ("! <> x U y", "(!<> x U y)"),
    ("x U y == x U y", "((x U (y==x)) U y)"),
    ("!x == y", "(!(x)==y)"),
    ("[] (x == 1)", "[] (x==1)"),
    ("!(x -> y)", "!(x -> y)"),
    ("always eventually x", "[] <> x"),
    ("next x until y", "(X x U y)"),
    ("x stronguntil y weakuntil x release y", "(((x U y) W x) V y)"),
    ("x implies y equivalent x", "((x -> y) <-> x)"),
    ("(x\n && y)\n || x", "((x&&y)||x)"),
    ("[] (len(q) == 1 -> <> (q?[1,2]))", "[] ((len(q)==1) -> <> q?[1,2])"),
    ("[] !full(q)", "[] !(full(q))"),
    ("P@here U P[1]:v == 2", "(P@here U (P[1]:v==2))"),
    ("z[0] == 1 U z[x + 1]", "((z[0]==1) U z[(x+1)])"),
    ("timeout || np_ || _last == 1", "((timeout||np_)||(_last==1))"),
    ("true U false", "(1 U 0)"),
];

#[test]
fn formulas_become_trees() {
    for (text, shown) in FORMULAS {
        let parsed = valid(&format!("ltl p {{ {text} }} proctype P() {{ int v; here: skip }}"));
        let [Unit::Ltl(ltl), _] = &parsed.program.units[..] else { panic!("{text}") };
        assert_eq!(formula(&ltl.formula), *shown, "{text}");
    }
}

/// The words of temporal logic are names elsewhere, and macros give them.
#[test]
fn the_words_are_names_elsewhere() {
    valid("#define ALWAYS []\n#define SOON(p) <> p\nltl p { ALWAYS SOON(x) }");
    valid("int U, V, W, X, always, until, next; init { U = X + next; until: always = 1 }");
}

#[test]
fn formulas_are_no_numbers() {
    for (text, underlined) in [("[] x == 1", "[] x"), ("x + (x U y)", "(x U y)"), ("-[] x", "[] x")] {
        let model = format!("ltl p {{ {text} }}");
        let mistakes = read(&model).expect_err(text);
        assert_eq!(mistakes[0].message, "a formula of temporal logic is no number", "{text}");
        assert_eq!(&model[mistakes[0].span.range()], underlined);
    }
}
