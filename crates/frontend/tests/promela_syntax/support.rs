//! What the tests share: reading a model that includes nothing, and writing trees.

use frontend::Diagnostic;
use frontend::promela::ast::{Formula, Proctype, Sequence, Stmt, StmtKind, Unit};
use frontend::promela::{Options, Parsed, parse};

/// A model with every construct of the language.
pub(crate) const SAMPLE: &str = include_str!("sample.pml");

/// What statements of the tests refer to.
pub(crate) const HEAD: &str = "int x, y; int z[3]; typedef T { int f; byte g[2] }; T t; T ts[2]; \
    chan q = [2] of { int, int }; chan qs[2] = [1] of { int }; mtype = { ma, mb }; mtype mm; ";

/// Reads a model that includes no file.
pub(crate) fn read(text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    parse(text, &|name| Err(format!("there is no {name}")), &Options::default())
}

/// The tree of a model that is valid.
pub(crate) fn valid(text: &str) -> Parsed {
    read(text).unwrap_or_else(|mistakes| panic!("{text} was refused: {mistakes:?}"))
}

/// The proctypes of a model.
pub(crate) fn proctypes(text: &str) -> Vec<Proctype> {
    let units = valid(text).program.units.into_iter();
    let proctype = |unit| if let Unit::Proctype(proctype) = unit { Some(proctype) } else { None };
    units.filter_map(proctype).collect()
}

/// The last body of a model, in one line.
pub(crate) fn last_body(text: &str) -> String {
    sequence(&proctypes(text).last().expect("a proctype").body)
}

/// Statements in a body of their own.
pub(crate) fn body(statements: &str) -> String {
    last_body(&format!("{HEAD} init {{ {statements} }}"))
}

/// Statements in one line, every structure in brackets.
pub(crate) fn sequence(sequence: &Sequence) -> String {
    sequence.iter().map(stmt).collect::<Vec<_>>().join("; ")
}

fn stmt(stmt: &Stmt) -> String {
    let labels: String = stmt.labels.iter().map(|label| format!("{}: ", label.text)).collect();
    let options = |all: &[Sequence]| all.iter().map(sequence).collect::<Vec<_>>().join(" | ");
    let inner = match &stmt.kind {
        StmtKind::If(all) => format!("if <{}>", options(all)),
        StmtKind::Do(all) => format!("do <{}>", options(all)),
        StmtKind::Unless(main, escape) => format!("<{}> unless <{}>", inside(main), inside(escape)),
        StmtKind::Atomic(inner) => format!("atomic <{}>", sequence(inner)),
        StmtKind::DStep(inner) => format!("d_step <{}>", sequence(inner)),
        StmtKind::Block(inner) => format!("<{}>", sequence(inner)),
        StmtKind::For(_, _, inner) => format!("{} <{}>", stmt.kind, sequence(inner)),
        other => other.to_string(),
    };
    labels + &inner
}

/// A formula with all parentheses written.
pub(crate) fn formula(f: &Formula) -> String {
    let two = |a: &Formula, operator: &str, b: &Formula| format!("({} {operator} {})", formula(a), formula(b));
    match f {
        Formula::Atom(e) => e.to_string(),
        Formula::Not(a) => format!("!{}", formula(a)),
        Formula::Next(a) => format!("X {}", formula(a)),
        Formula::Always(a) => format!("[] {}", formula(a)),
        Formula::Eventually(a) => format!("<> {}", formula(a)),
        Formula::And(a, b) => two(a, "&&", b),
        Formula::Or(a, b) => two(a, "||", b),
        Formula::Implies(a, b) => two(a, "->", b),
        Formula::Equivalent(a, b) => two(a, "<->", b),
        Formula::Until(a, b) => two(a, "U", b),
        Formula::WeakUntil(a, b) => two(a, "W", b),
        Formula::Release(a, b) => two(a, "V", b),
    }
}

/// What is in a block, or the statement alone.
fn inside(statement: &Stmt) -> String {
    match &statement.kind {
        StmtKind::Block(statements) => sequence(statements),
        _ => stmt(statement),
    }
}
