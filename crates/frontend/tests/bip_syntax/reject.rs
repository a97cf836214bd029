//! What is refused: a text, what is said about it, the part of the text that is underlined, and what may help.

use frontend::Severity;

use crate::support::{SAMPLE, read};

/// A text, the message, what is underlined, and a part of the label or help.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// Whole packages.
const PACKAGES: &[Case] = &[
    ("", "expected `package`, found the end of the text", "", ""),
    ("port type P()", "expected `package`, found `port`", "port", ""),
    ("package", "expected the name of the package, found the end of the text", "", ""),
    ("package end", "expected the name of the package, found `end`", "end", ""),
    ("package p port type on() end", "expected the name of the type, found `on`", "on", "belongs to the language"),
    ("package p", "expected a declaration or `end`, found the end of the text", "", ""),
    ("package p end end", "expected nothing after the `end` of the package, found `end`", "end", ""),
    ("package p /* end", "this comment never ends", "/*", "*/"),
    ("package p extern function f() as \"x end", "`\"x end` means nothing here", "\"x end", "another `\"`"),
    ("package p cont data int x = 3 end", "expected a declaration, found `cont`", "cont", "did you mean `const`?"),
    ("package p const int x = 3 end", "expected `data`, found `int`", "int", ""),
    ("package p const data int x end", "expected `=` and the value of the constant, found `end`", "end", ""),
    ("package p extern type T end", "expected `data type`, `function` or `operator`, found `type`", "type", ""),
    ("package p port type P end", "expected `(`, found `end`", "end", ""),
    ("package p port type P(int) end", "expected the name of the parameter, found `)`", ")", ""),
    ("package p port type P(int x end", "expected `,` or `)`, found `end`", "end", "close the `(`"),
    ("package p port type P() port type P() end", "there are two declarations of the port type `P`", "P", "before"),
    ("package p const data int a = 1, a = 2 end", "there are two declarations of the constant `a`", "a", ""),
    ("package p const data int a = g(1) end", "there is no function `g`", "g", ""),
    (
        "package p extern function f(int) const data int a = f() end",
        "the function `f` has 1 parameter, not 0",
        "f",
        "few",
    ),
    ("package p extern data type L port type P(K x) end", "there is no data type `K`", "K", ""),
    ("package p const data int a = (1 + 2 end", "expected an operator or `)`, found `end`", "end", "close the `(`"),
    ("package p const data int a = 1 + end", "expected an expression, found `end`", "end", ""),
    ("package p use q end", "the package `q` cannot be read: there is no q.bip", "q", "used here"),
    ("package p compound type C() component C c() end end", "the compound type `C` contains itself", "C", "again"),
];

/// Bodies of an atom type with port `p`, data `x` and place `S`.
const ATOMS: &[Case] = &[
    ("on p frm S to S", "expected `from` and a place, found `frm`", "frm", ""),
    ("on p from S", "expected `to` and a place, found `end`", "end", ""),
    ("on p from S to S provided x == 0", "expected a condition between `(` and `)`, found `x`", "x", ""),
    ("on p from S to S provided (x = 0)", "expected an operator or `)`, found `=`", "=", "`==` compares"),
    ("on p from S to S do { x = 1 x = 2; }", "expected `;`, found `x`", "x", ""),
    ("on p from S to S do { x == 1; }", "expected `=` or the arguments of a call, found `==`", "==", ""),
    ("on p from S to S do { if (x == 1) x = 2; fi }", "expected `then`, found `x`", "x", ""),
    ("on p from S to S do { if (x == 1) then x = 2; }", "expected a statement, `else` or `fi`, found `}`", "}", "`if`"),
    ("on p from S to S do { a.b.c = 1; }", "there is no such path to data", "a.b.", "one dot"),
    ("on q from S to S", "there is no port `q`", "q", ""),
    ("on p from T to S", "there is no place `T`", "T", ""),
    ("on p from S, S to S", "the place `S` stands here twice", "S", "second"),
    ("plce T", "expected a declaration of an atom type or `end`, found `plce`", "plce", "did you mean `place`?"),
    ("place S", "there are two declarations of the place `S`", "S", ""),
    ("data bool x", "there are two declarations of the data item `x`", "x", ""),
    ("on p from S to", "expected the name of a place, found `end`", "end", ""),
    ("initial to S", "a second `initial`", "initial", "only one"),
    ("port P r(x)", "the port type `P` has 0 parameters, not 1", "r(x)", "too many"),
    ("port Q r()", "there is no port type `Q`", "Q", ""),
    ("port V r(y)", "there is no data item `y`", "y", ""),
    ("export port P p()", "there are two declarations of the port `p`", "p", ""),
    ("priority a p < r", "there is no port `r`", "r", ""),
    ("priority a p > p", "expected `<`, found `>`", ">", ""),
    ("invariant i at U provided (true)", "there is no place `U`", "U", ""),
    ("invariant i (true)", "expected `provided` and a condition, found `(`", "(", ""),
];

/// Bodies of a connector type with ports `p` and `q`.
const CONNECTORS: &[Case] = &[
    ("", "the connector type `C` defines no interaction", "C", "`define`"),
    ("define p r", "there is no port `r`", "r", ""),
    ("define p p", "the port `p` stands here twice", "p", ""),
    ("define (p q", "expected a port or `)`, found `end`", "end", "close the `(`"),
    ("define p define q", "a second `define`", "define", ""),
    ("define [p q", "`[` means nothing here", "[", "`(` and `)`"),
    ("define p q on p s", "there is no port `s`", "s", ""),
    ("define p q export port V e(y)", "there is no data item `y`", "y", ""),
    ("define p q export port P e(), f()", "a second exported port", "f()", "only one"),
    ("define p q data int p", "there are two declarations of the name `p`", "p", ""),
    (
        "dta int x define p q",
        "expected a declaration of a connector type or `end`, found `dta`",
        "dta",
        "did you mean `data`?",
    ),
];

/// Bodies of a compound type with component `a` of a type with ports `p` and, not exported, `hidden`.
const COMPOUNDS: &[Case] = &[
    ("component B b()", "there is no component type `B`", "B", ""),
    ("component Atm b()", "there is no component type `Atm`", "Atm", "did you mean `Atom`?"),
    ("component Atom b(1)", "the component type `Atom` has 0 parameters, not 1", "b(1)", "too many"),
    ("component Atom a()", "there are two declarations of the component or connector `a`", "a", ""),
    ("connector Sngle c(a.p)", "there is no connector type `Sngle`", "Sngle", "did you mean `Single`?"),
    ("connector Single c()", "the connector type `Single` has 1 parameter, not 0", "c()", "too few"),
    ("connector Single c(a)", "expected `.` and what belongs to it, found `)`", ")", ""),
    ("connector Single c(b.p)", "there is no component or connector `b`", "b", ""),
    ("connector Single c(a.q)", "`a` has no port `q`", "a.q", ""),
    ("connector Single c(a.hidden)", "the port `hidden` of `a` is not exported", "a.hidden", "export"),
    ("connector Up c(d.e), d(c.e)", "the connector `c` is connected to itself", "c.e", ""),
    ("export data a.x as x", "the data item `x` of `a` is not exported", "a.x", "export"),
    ("export port a.p", "expected `as` and the name that others use, found `end`", "end", ""),
    ("connector Single c(a.p) priority m d:* < c:*", "there is no connector `d`", "d", ""),
    ("connector Single c(a.p) priority m c:a.q < *:*", "`c` does not connect the port `a.q`", "a.q", ""),
    ("priority m *:* < *", "everything cannot go before everything", "priority m *:* < *", "both sides"),
];

fn atom(body: &str) -> String {
    format!(
        "package k port type P() port type V(int v) atom type A() data int x port P p() place S initial to S {body} end end"
    )
}

fn connector(body: &str) -> String {
    format!("package k port type P() port type V(int v) connector type C(P p, P q) {body} end end")
}

fn compound(body: &str) -> String {
    format!(
        "package k port type P() atom type Atom() data int x export port P p() port P hidden() place S initial to S end \
         connector type Single(P z) define z end connector type Up(P z) export port P e() define z end \
         compound type T() component Atom a() {body} end end"
    )
}

fn assert_refused(text: &str, (_, message, underlined, hint): Case) {
    let mistakes = read(text).expect_err(text);
    let mistake = &mistakes[0];
    assert_eq!(mistakes.len(), 1, "{text}: {mistakes:?}");
    assert_eq!(mistake.severity, Severity::Error);
    assert_eq!(mistake.message, message, "{text}");
    assert_eq!(text.get(mistake.span.range()), Some(underlined), "{text}: {mistake:?}");
    assert!(!mistake.label.is_empty(), "{text}");
    let said = format!("{} {}", mistake.label, mistake.help.as_deref().unwrap_or_default());
    assert!(said.contains(hint), "{text}: {said}");
}

#[test]
fn wrong_packages_are_explained() {
    PACKAGES.iter().for_each(|case| assert_refused(case.0, *case));
}

#[test]
fn wrong_atoms_are_explained() {
    ATOMS.iter().for_each(|case| assert_refused(&atom(case.0), *case));
}

#[test]
fn wrong_connectors_are_explained() {
    CONNECTORS.iter().for_each(|case| assert_refused(&connector(case.0), *case));
}

#[test]
fn wrong_compounds_are_explained() {
    COMPOUNDS.iter().for_each(|case| assert_refused(&compound(case.0), *case));
}

#[test]
fn the_frames_themselves_are_valid() {
    for text in [atom(""), connector("define p q"), compound("")] {
        assert!(read(&text).is_ok(), "{text}");
    }
}

#[test]
fn an_atom_must_begin_somewhere() {
    let mistakes = read("package k atom type A() place S end end").expect_err("no initial transition");
    assert_eq!(mistakes[0].message, "the atom type `A` has no initial transition");
}

/// One mistake in each of several declarations: each is reported, and none twice.
#[test]
fn one_run_reports_several_mistakes() {
    let damages = [
        ("const data float PI = 3.14", "const data float PI 3.14"),
        ("port type Plain()", "port type Plain("),
        ("on p from LEFT, RIGHT to IDLE lazy", "on p from LEFT, to IDLE lazy"),
        ("priority second * < p", "priority second * p"),
        ("define (a b)' c", "define (a b' c"),
        ("connector Single sa(a.start), sb(b.start)", "connector Single sa(a.start, sb(b.start)"),
        ("component Team team(3)", "component Team"),
    ];
    let damaged = damages.iter().fold(SAMPLE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let mistakes = read(&damaged).expect_err("seven mistakes");
    let lines: Vec<usize> = mistakes.iter().map(|m| m.position(damaged.as_bytes()).0).collect();
    assert_eq!(lines.len(), damages.len(), "{mistakes:#?}");
    assert!(lines.is_sorted());
}
