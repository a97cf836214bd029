//! Trees as text with all parentheses written, so that tests can say how a script is read.

use frontend::csp::ast::{
    Assertion, CheckOption, Claim, Combinator, Decl, DeclKind, Elements, Expr, ExprKind, Field, FieldKind, Items, Name,
    Pairs, Pattern, PatternKind, Property, Replicated, Replicator, Statement,
};

fn joined<T>(parts: &[T], between: &str, show: impl Fn(&T) -> String) -> String {
    parts.iter().map(show).collect::<Vec<_>>().join(between)
}

fn words(names: &[Name], between: &str) -> String {
    joined(names, between, |name| name.text.to_string())
}

pub(crate) fn decls(decls: &[Decl]) -> String {
    joined(decls, "\n", decl)
}

fn decl(decl: &Decl) -> String {
    match &decl.kind {
        DeclKind::Function(f) => joined(&f.clauses, "\n", |clause| {
            let groups = joined(&clause.parameters, "", |group| format!("({})", joined(group, ", ", pattern)));
            format!("{}{groups} = {}", f.name.text, expr(&clause.body))
        }),
        DeclKind::Bind { pattern: p, value } => format!("{} = {}", pattern(p), expr(value)),
        DeclKind::Channel { names, data: None } => format!("channel {}", words(names, ", ")),
        DeclKind::Channel { names, data: Some(data) } => format!("channel {} : {}", words(names, ", "), expr(data)),
        DeclKind::Datatype(t) | DeclKind::Subtype(t) => {
            let word = if matches!(decl.kind, DeclKind::Datatype(_)) { "datatype" } else { "subtype" };
            let constructors = joined(&t.constructors, " | ", |c| match &c.data {
                Some(data) => format!("{}.{}", c.name.text, expr(data)),
                None => c.name.text.to_string(),
            });
            format!("{word} {} = {constructors}", t.name.text)
        }
        DeclKind::Nametype { name, value } => format!("nametype {} = {}", name.text, expr(value)),
        DeclKind::Assert(a) => assertion(a),
        DeclKind::Transparent(names) => format!("transparent {}", words(names, ", ")),
        DeclKind::External(names) => format!("external {}", words(names, ", ")),
        DeclKind::Print(e) => format!("print {}", expr(e)),
        DeclKind::Signature(names) => format!("{} :: Int", words(names, ", ")),
        DeclKind::Module(m) => {
            let parameters = joined(&m.parameters, ", ", pattern);
            let parameters = if parameters.is_empty() { parameters } else { format!("({parameters})") };
            let (private, exported) = (decls(&m.private), decls(&m.exported));
            format!("module {}{parameters}\n{private}\nexports\n{exported}\nendmodule", m.name.text)
        }
        DeclKind::Instance { name, module, arguments } => {
            let given = joined(arguments, ", ", expr);
            let given = if given.is_empty() { given } else { format!("({given})") };
            format!("instance {} = {}{given}", name.text, words(module, "::"))
        }
        DeclKind::Timed { function, decls: inner } => {
            let function = function.as_ref().map_or(String::new(), |f| format!("({})", expr(f)));
            format!("Timed {function} {{\n{}\n}}", decls(inner))
        }
    }
}

fn assertion(a: &Assertion) -> String {
    let not = if a.negated { "not " } else { "" };
    let claim = match &a.claim {
        Claim::Refines { specification, semantics, implementation } => {
            format!("{} [{}= {}", expr(specification), semantics.letters(), expr(implementation))
        }
        Claim::Has { process, property, semantics } => {
            let inner = semantics.map_or(String::new(), |s| format!(" [{}]", s.letters()));
            let (word, rest) = match property {
                Property::DeadlockFree => ("deadlock free", String::new()),
                Property::DivergenceFree => ("divergence free", String::new()),
                Property::Deterministic => ("deterministic", String::new()),
                Property::HasTrace(trace) => ("has trace", format!(": {}", expr(trace))),
            };
            format!("{} :[{word}{inner}]{rest}", expr(process))
        }
    };
    let options = joined(&a.options, "", |option| match option {
        CheckOption::PartialOrderReduce(None) => " :[partial order reduce]".to_owned(),
        CheckOption::PartialOrderReduce(Some(method)) => format!(" :[partial order reduce [{}]]", method.text),
        CheckOption::TauPriority(set) => format!(" :[tau priority over]: {}", expr(set)),
    });
    format!("assert {not}{claim}{options}")
}

fn pattern(p: &Pattern) -> String {
    match &p.kind {
        PatternKind::Wildcard => "_".to_owned(),
        PatternKind::Name(name) => name.to_string(),
        PatternKind::Qualified(path) => words(path, "::"),
        PatternKind::Int(n) => n.to_string(),
        PatternKind::Bool(b) => b.to_string(),
        PatternKind::Char(c) => format!("{c:?}"),
        PatternKind::String(text) => format!("{text:?}"),
        PatternKind::Tuple(parts) => format!("({})", joined(parts, ", ", pattern)),
        PatternKind::Sequence(parts) => format!("<{}>", joined(parts, ", ", pattern)),
        PatternKind::Set(parts) => format!("{{{}}}", joined(parts, ", ", pattern)),
        PatternKind::Dot(parts) => format!("({})", joined(parts, ".", pattern)),
        PatternKind::Concat(parts) => format!("({})", joined(parts, "^", pattern)),
        PatternKind::Both(both) => format!("({} @@ {})", pattern(&both.0), pattern(&both.1)),
    }
}

pub(crate) fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Char(c) => format!("{c:?}"),
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Qualified(path) => words(path, "::"),
        ExprKind::Tuple(parts) => format!("({})", joined(parts, ", ", expr)),
        ExprKind::Dot(parts) => format!("({})", joined(parts, ".", expr)),
        ExprKind::Set(set) => format!("{{{}}}", elements(set)),
        ExprKind::Sequence(sequence) => format!("<{}>", elements(sequence)),
        ExprKind::Productions(set) => format!("{{|{}|}}", elements(set)),
        ExprKind::Map(entries) => {
            format!("(| {} |)", joined(entries, ", ", |(key, value)| format!("{} => {}", expr(key), expr(value))))
        }
        ExprKind::If(i) => format!("(if {} then {} else {})", expr(&i.condition), expr(&i.yes), expr(&i.no)),
        ExprKind::Let(l) => format!("(let\n{}\nwithin {})", decls(&l.decls), expr(&l.body)),
        ExprKind::Lambda(l) => format!("(\\ {} @ {})", joined(&l.parameters, ", ", pattern), expr(&l.body)),
        ExprKind::Call(function, arguments) => format!("{}({})", expr(function), joined(arguments, ", ", expr)),
        ExprKind::Not(e) => format!("(not {})", expr(e)),
        ExprKind::Negate(e) => format!("(-{})", expr(e)),
        ExprKind::Length(e) => format!("(#{})", expr(e)),
        ExprKind::Chain(first, rest) => {
            let rest = joined(rest, "", |(operator, e)| format!(" {} {}", operator.symbol(), expr(e)));
            format!("({}{rest})", expr(first))
        }
        ExprKind::Prefix(p) => format!("({}{} -> {})", expr(&p.event), joined(&p.fields, "", field), expr(&p.then)),
        ExprKind::Guard(g) => format!("({} & {})", expr(&g.condition), expr(&g.process)),
        ExprKind::Combined(first, rest) => {
            let rest = joined(rest, "", |(combinator, e)| format!(" {} {}", combined(combinator), expr(e)));
            format!("({}{rest})", expr(first))
        }
        ExprKind::Hide(h) => format!("({} \\ {})", expr(&h.process), expr(&h.events)),
        ExprKind::Project(h) => format!("({} |\\ {})", expr(&h.process), expr(&h.events)),
        ExprKind::Rename(e, renaming) => format!("{}[[{}]]", expr(e), pairs(renaming, "<-")),
        ExprKind::Replicated(r) => format!("({})", replicated(r)),
    }
}

fn elements(e: &Elements) -> String {
    let items = match &e.items {
        Items::Listed(items) => joined(items, ", ", expr),
        Items::From(first) => format!("{}..", expr(first)),
        Items::Range(range) => format!("{}..{}", expr(&range.0), expr(&range.1)),
    };
    items + &ranging(&e.statements)
}

/// The statements after a bar, if there are any.
fn ranging(list: &[Statement]) -> String {
    if list.is_empty() { String::new() } else { format!(" | {}", statements(list)) }
}

fn statements(list: &[Statement]) -> String {
    joined(list, ", ", |statement| match statement {
        Statement::Generator(p, set) => format!("{} <- {}", pattern(p), expr(set)),
        Statement::Condition(e) => expr(e),
    })
}

fn pairs(p: &Pairs, between: &str) -> String {
    joined(&p.pairs, ", ", |(a, b)| format!("{} {between} {}", expr(a), expr(b))) + &ranging(&p.statements)
}

fn field(f: &Field) -> String {
    let input = |sign: &str, p: &Pattern, set: &Option<Expr>| match set {
        Some(set) => format!("{sign}{}:{}", pattern(p), expr(set)),
        None => format!("{sign}{}", pattern(p)),
    };
    match &f.kind {
        FieldKind::Input(p, set) => input("?", p, set),
        FieldKind::Nondeterministic(p, set) => input("$", p, set),
        FieldKind::Output(e) => format!("!{}", expr(e)),
    }
}

fn combined(c: &Combinator) -> String {
    match c {
        Combinator::External => "[]".to_owned(),
        Combinator::Internal => "|~|".to_owned(),
        Combinator::Sliding => "[>".to_owned(),
        Combinator::Sequential => ";".to_owned(),
        Combinator::Interrupt => "/\\".to_owned(),
        Combinator::Interleave => "|||".to_owned(),
        Combinator::Parallel(set) => format!("[| {} |]", expr(set)),
        Combinator::Alphabetised(sets) => format!("[{} || {}]", expr(&sets.0), expr(&sets.1)),
        Combinator::Exception(set) => format!("[| {} |>", expr(set)),
        Combinator::Linked(links) => format!("[{}]", pairs(links, "<->")),
        Combinator::SynchronisingExternal(set) => format!("[+ {} +]", expr(set)),
        Combinator::SynchronisingInterrupt(set) => format!("/+ {} +\\", expr(set)),
    }
}

fn replicated(r: &Replicated) -> String {
    let (range, body) = (statements(&r.statements), expr(&r.body));
    let operator = match &r.operator {
        Replicator::External => "[]".to_owned(),
        Replicator::Internal => "|~|".to_owned(),
        Replicator::Interleave => "|||".to_owned(),
        Replicator::Sequential => ";".to_owned(),
        Replicator::Parallel(set) => format!("[| {} |]", expr(set)),
        Replicator::Alphabetised(set) => return format!("|| {range} @ [{}] {body}", expr(set)),
        Replicator::Linked(links) => format!("[{}]", pairs(links, "<->")),
        Replicator::SynchronisingExternal(set) => format!("[+ {} +]", expr(set)),
    };
    format!("{operator} {range} @ {body}")
}
