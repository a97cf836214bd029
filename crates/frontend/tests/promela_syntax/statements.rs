//! Statements: what stands in a body, and what the tree of it is.

use crate::support::body;

/// Statements, and their tree in one line.
const STATEMENTS: &[(&str, &str)] = &[
    ("x = 1; y = x", "x = 1; y = x"),
    ("x++; z[1]--", "x = (x+1); z[1] = (z[1]-1)"),
    ("x == 1 -> y = 2 -> skip", "((x==1)); y = 2; (1)"),
    ("skip;; skip -> -> skip;", "(1); (1); (1)"),
    ("x = 1\ny = 2", "x = 1; y = 2"),
    ("x = y\n- 1", "x = y; (-(1))"),
    ("x = (y\n- 1)", "x = (y-1)"),
    ("x = y -\n1", "x = (y-1)"),
    ("x /* one\n two */ y", "(x); (y)"),
    ("x = 1 // one\ny = 2", "x = 1; y = 2"),
    ("x = 1 + \\\n 2", "x = (1+2)"),
    ("q!x\n(y)", "q!x; (y)"),
    ("do :: break od\nskip", "do <break>; (1)"),
    ("atomic\n{ skip\n}\nskip", "atomic <(1)>; (1)"),
    ("{ skip\n}\nunless\n{ skip\n}", "<(1)> unless <(1)>"),
    ("for (x : 0 .. 2)\n{ skip }\nskip", "for (x : 0 .. 2) <(1)>; (1)"),
    ("q!1,2; q!ma(3); q!!x,y+1; qs[x]!1", "q!1,2; q!ma,3; q!!x,(y+1); qs[x]!1"),
    ("q!(x)(y); q!(1),2", "q!x,y; q!1,2"),
    ("q?x,y; q?x(y); q?(x,y); q?x,(y); q?(x(y))", "q?x,y; q?x,y; q?x,y; q?x,y; q?x,y"),
    ("q??1,-2; q?ma,_; q?eval(x+1),true", "q??1,-2; q?ma,_; q?eval((x+1)),1"),
    ("q?<x,y>; q??<x(y)>", "q?<x,y>; q??<x,y>"),
    ("q?t.f,ts[1].g[0]", "q?t.f,ts[1].g[0]"),
    ("q?[x,y]; (q??[1,2] && x)", "(q?[x,y]); ((q??[1,2]&&x))"),
    ("if :: x -> y = 1 :: else fi", "if <(x); y = 1 | else>"),
    ("if :: else x = 1 :: y; fi", "if <else; x = 1 | (y)>"),
    ("do :: x; :: y -> break od", "do <(x) | (y); break>"),
    ("do :: { x = 1 } y = 2 od", "do <<x = 1>; y = 2>"),
    ("{ x = 1 } { y = 1 } x = 2", "<x = 1>; <y = 1>; x = 2"),
    ("atomic { x = 1 } d_step { y = 1; x = 2 }", "atomic <x = 1>; d_step <y = 1; x = 2>"),
    ("x = 1 unless y", "<x = 1> unless <(y)>"),
    ("{ x = 1; y = 2 } unless { y -> skip } x = 2", "<x = 1; y = 2> unless <(y); (1)>; x = 2"),
    ("L: { x = 1 } unless { y }", "L: <x = 1> unless <(y)>"),
    ("{ { x } unless { y } } unless { skip }", "<<(x)> unless <(y)>> unless <(1)>"),
    ("do :: x unless y od", "do <<(x)> unless <(y)>>"),
    ("L: M: skip; goto L", "L: M: (1); goto L"),
    ("L: ; skip; M:", "L: (1); (1); M: (1)"),
    ("if :: skip; L: :: M: x fi", "if <(1); L: (1) | M: (x)>"),
    ("goto L; L: skip", "goto L; L: (1)"),
    ("assert(x); assert x == 1; assert(x) && y", "assert(x); assert((x==1)); assert((x&&y))"),
    ("printf(\"a %d\\n\", x, y+1); printf(\"b\")", "printf('a %d\\n',x,(y+1)); printf('b')"),
    ("printm(mm); printm(ma)", "printm(mm); printm(ma)"),
    ("for (x : 1 .. y*2) { skip; }", "for (x : 1 .. (y*2)) <(1)>"),
    ("for (x : 1..3) { skip } unless { y }", "<for (x : 1 .. 3) <(1)>> unless <(y)>"),
    ("for (x in z) { y = x }", "for (x in z) <y = x>"),
    ("for (t.f : 0 .. 1) { break }", "for (t.f : 0 .. 1) <break>"),
    ("select (x : 1..y)", "select (x : 1 .. y)"),
    ("set_priority(_pid, 3)", "set_priority(_pid, 3)"),
    ("run P(1); x = run P(2); (run P(3))", "(run P(1)); x = run P(2); (run P(3))"),
    ("int a, b[2]; byte c = 1", "declaration of a,b; declaration of c"),
    ("int a[2] = { 1, 2 } int b", "declaration of a; declaration of b"),
    ("x = 1; T a; chan c = [2] of { int }", "x = 1; declaration of a; declaration of c"),
    ("xr q; xs qs[0], q", "xr q; xs qs[0],q"),
    ("_ = x; x = _pid", "_ = x; x = _pid"),
    ("timeout -> skip; (timeout && x)", "(timeout); (1); ((timeout&&x))"),
    ("in: x = 1; of_: y = 1", "in: x = 1; of_: y = 1"),
    ("STDIN?x", "STDIN?x"),
];

#[test]
fn statements_become_trees() {
    for (text, shown) in STATEMENTS {
        assert_eq!(body(text), *shown, "{text}");
    }
}

/// Where statements stand: a macro's where it is used, an inline's where it is called.
#[test]
fn statements_know_their_places() {
    let text = "#define STEP x = x + 1\ninline f(a) { x = a }\nint x; init { L: x = 3; STEP; f(1) }";
    let proctypes = crate::support::proctypes(text);
    let span = |stmt: &frontend::promela::ast::Stmt| text[stmt.span.range()].to_owned();
    let body = &proctypes[0].body;
    assert_eq!(body.iter().map(span).collect::<Vec<_>>(), ["x = 3", "STEP", "f(1)"]);
    let frontend::promela::ast::StmtKind::Block(inner) = &body[2].kind else { panic!("not a block: {body:?}") };
    assert_eq!(inner.iter().map(span).collect::<Vec<_>>(), ["f(1)"]);
}
