//! What names, declarations and choices become.

use super::tree;
use crate::promela::ir::{
    Action, Argument, Binary, Column, EdgeId, Expr, Hold, Initial, Look, NodeId, Program, Scalar, Slot, Unary, Variable,
};
use crate::promela::resolve;

fn program(text: &str) -> Program {
    resolve(&tree(text)).unwrap_or_else(|reports| panic!("{reports:#?}\n{text}")).0
}

/// The shapes of variables.
fn columns(variables: &[Variable]) -> Vec<(&str, Scalar, &[u32])> {
    variables.iter().map(|v| (&*v.name, v.scalar, &*v.sizes)).collect()
}

fn local(column: u32) -> Slot {
    Slot { column: Column::Local(column), indices: Vec::new() }
}

fn global(column: u32, indices: &[i64]) -> Slot {
    Slot { column: Column::Global(column), indices: indices.iter().map(|i| Expr::Const(*i)).collect() }
}

#[test]
fn structures_are_columns() {
    let p = program(
        "typedef Inner { byte a; short b[2] };\ntypedef Outer { Inner i[3]; bool c; chan d = [1] of { Inner } };\n\
         Outer o[2]; init { o[1].i[2].b[0] = 7; o[0].d!o[1].i[2] }",
    );
    let expected: [(&str, Scalar, &[u32]); 4] = [
        ("o.i.a", Scalar::Byte, &[2, 3]),
        ("o.i.b", Scalar::Short, &[2, 3, 2]),
        ("o.c", Scalar::Bool, &[2]),
        ("o.d", Scalar::Chan, &[2]),
    ];
    assert_eq!(columns(&p.globals), expected);
    let Initial::Channels { capacity: 1, fields } = &p.globals[3].initial else { panic!("a channel of one message") };
    assert_eq!(fields[..], [Scalar::Byte, Scalar::Short, Scalar::Short]);
    let edges = &p.proctypes[0].graph.edges;
    assert!(matches!(&edges[0].action, Action::Assign(s, Expr::Const(7)) if *s == global(1, &[1, 2, 0])));
    let Action::Send(send) = &edges[1].action else { panic!("a send") };
    let read = |column, indices: &[i64]| Expr::Read(global(column, indices));
    assert_eq!(send.channel, global(3, &[0]));
    assert_eq!(send.values, [read(0, &[1, 2]), read(1, &[1, 2, 0]), read(1, &[1, 2, 1])]);
}

#[test]
fn lists_repeat_their_last_value_and_structures_their_lists() {
    let p = program("typedef T { byte z[3] = { 4, 5 } }; byte l[4] = { 1, 2 }; T t[2]; init { skip }");
    let values = |v: &Variable| match &v.initial {
        Initial::List(list) => list.iter().map(|e| if let Expr::Const(c) = e { *c } else { -1 }).collect::<Vec<_>>(),
        other => panic!("a list, not {other:?}"),
    };
    assert_eq!(values(&p.globals[0]), [1, 2, 2, 2]);
    assert_eq!(values(&p.globals[1]), [4, 5, 5, 4, 5, 5]);
}

#[test]
fn constants_count_from_the_last_of_each_declaration() {
    let p = program(
        "mtype = { a, b, c }; mtype:f = { d, e }; mtype = { g, h }; mtype:f = { i };\n\
         int x; init { x = a; x = e; x = g; x = i }",
    );
    let names: Vec<Vec<&str>> = p.mtypes.iter().map(|m| m.constants.iter().map(|c| &**c).collect()).collect();
    assert_eq!(names, [vec!["c", "b", "a", "h", "g"], vec!["e", "d", "i"]]);
    let assigned = |edge: usize| match &p.proctypes[0].graph.edges[edge].action {
        Action::Assign(_, Expr::Const(value)) => *value,
        other => panic!("a constant, not {other:?}"),
    };
    assert_eq!([0, 1, 2, 3].map(assigned), [3, 1, 5, 3]);
}

#[test]
fn the_innermost_name_is_meant_from_its_declaration_on() {
    let p = program("byte x; active proctype P() { x = 1; byte x = x; { x = 2; byte x; x = 3 }; x = 4 }");
    let proctype = &p.proctypes[0];
    assert_eq!(columns(&proctype.locals).iter().map(|c| c.0).collect::<Vec<_>>(), ["x", "x'2"]);
    let mut edges: Vec<_> = proctype.graph.edges.iter().collect();
    edges.sort_by_key(|e| e.span);
    let target = |edge: usize| match &edges[edge].action {
        Action::Assign(slot, _) => slot.clone(),
        other => panic!("an assignment, not {other:?}"),
    };
    let meant: Vec<Slot> = (0..6).map(target).collect();
    assert_eq!(meant, [global(0, &[]), local(0), local(0), local(1), local(1), local(0)]);
    let Action::Assign(_, value) = &edges[1].action else { unreachable!("seen above") };
    assert_eq!(*value, Expr::Read(global(0, &[])), "its own first value does not see it");
}

#[test]
fn else_and_escapes_are_guarded() {
    let p = program("byte x; init { { if :: x == 1 :: else :: x == 2 fi } unless { if :: x == 3 :: x == 4 fi } }");
    let graph = &p.proctypes[0].graph;
    let unless = |edges: &[u32]| {
        let edges = edges.iter().map(|e| EdgeId(*e)).collect();
        Some(Expr::Unary(Unary::Not, Box::new(Expr::Executable(edges))))
    };
    let found: Vec<_> = graph.edges.iter().map(|e| (&*e.text, e.guard.clone())).collect();
    let expected = [
        ("((x==4))", None),
        ("((x==3))", None),
        ("((x==1))", unless(&[0, 1])),
        ("((x==2))", unless(&[0, 1])),
        ("else", unless(&[0, 1, 2, 3])),
    ];
    assert_eq!(found, expected);
}

#[test]
fn who_arrives_inside_keeps_control() {
    let p = program(
        "byte x; init { atomic { x = 1; M: x = 2; d_step { x = 3; x = 4 }; x = 5 }; if :: goto M :: x = 6 fi }",
    );
    let graph = &p.proctypes[0].graph;
    let arrival = |text: &str| {
        let edges = graph.edges.iter().filter(|e| &*e.text == text);
        edges.map(|e| (graph.nodes[e.to.0 as usize].hold, e.yields)).collect::<Vec<_>>()
    };
    assert_eq!(arrival("x = 1"), [(Hold::Atomic, false)]);
    assert_eq!(arrival("goto M"), [(Hold::Atomic, true)], "a jump from outside does not bring control");
    assert_eq!(arrival("x = 2"), [(Hold::Atomic, false)]);
    assert_eq!(arrival("x = 3"), [(Hold::Step, false)]);
    assert_eq!(arrival("x = 4"), [(Hold::Atomic, false)]);
    assert_eq!(arrival("x = 5"), [(Hold::No, false)]);
}

#[test]
fn other_processes_are_looked_at_by_node_and_column() {
    let p = program(
        "byte x; active proctype P(byte id) { byte k; x = 1; here: x = 2 }\n\
         ltl watch { [] (P[1]@here -> P:k == 0) }\n\
         never { do :: P@here && x == 1 :: else od }",
    );
    let here =
        NodeId(p.proctypes[0].graph.nodes.iter().position(|n| n.labels.iter().any(|l| &**l == "here")).expect("here")
            as u32);
    let p_id = crate::promela::ir::ProctypeId(0);
    let at = Expr::Remote(p_id, Some(Box::new(Expr::Const(1))), Box::new(Look::At(here)));
    let k = Expr::Remote(p_id, None, Box::new(Look::Variable(local(1))));
    assert_eq!(p.formulas[0].atoms, [at, Expr::Binary(Binary::Eq, Box::new(k), Box::new(Expr::Const(0)))]);
    assert_eq!(&*p.claims[0].name, "never_0");
    assert!(matches!(&p.claims[0].graph.edges[0].action, Action::Test(_)));
}

#[test]
fn missing_fields_are_ignored_and_constants_matched() {
    let p = program("mtype = { m }; chan q = [1] of { mtype, byte, byte }; byte x; init { q?m,x; q?_,eval(x),2 }");
    let arguments = |edge: usize| match &p.proctypes[0].graph.edges[edge].action {
        Action::Receive(receive) => receive.arguments.clone(),
        other => panic!("a receive, not {other:?}"),
    };
    let x = global(1, &[]);
    assert_eq!(arguments(0), [Argument::Match(Expr::Const(1)), Argument::Bind(x.clone()), Argument::Ignore]);
    assert_eq!(arguments(1), [Argument::Ignore, Argument::Match(Expr::Read(x)), Argument::Match(Expr::Const(2))]);
}

#[test]
fn what_a_trace_watches_are_events() {
    let p = program("mtype = { m }; chan q = [1] of { mtype, byte }; init { q!m,1 } notrace { q!m,_; q?m,1 }");
    let trace = p.trace.expect("it is there");
    assert!(trace.negated);
    let event = |edge: usize| match &trace.graph.edges[edge].action {
        Action::Event(event) => (event.sends, event.arguments.clone()),
        other => panic!("an event, not {other:?}"),
    };
    let m = Argument::Match(Expr::Const(1));
    assert_eq!(event(0), (true, vec![m.clone(), Argument::Ignore]));
    assert_eq!(event(1), (false, vec![m.clone(), m]));
}

#[test]
fn two_executable_options_of_a_d_proctype_are_an_error() {
    let p = program("byte x; active D_proctype P() { if :: x == 1 :: x == 2 fi }");
    let edges = &p.proctypes[0].graph.edges;
    let executable = |e: u32| Box::new(Expr::Executable(vec![EdgeId(e)]));
    assert_eq!(edges.len(), 3);
    assert_eq!(edges[2].guard, Some(Expr::Binary(Binary::And, executable(0), executable(1))));
    assert!(matches!(edges[2].action, Action::Assert(Expr::Const(0))));
}
