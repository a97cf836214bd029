//! How expressions are read: precedence, associativity, lines.

use crate::support::{expr, shown};

#[test]
fn operators_bind_as_in_fdr() {
    let table = [
        // Hiding is the loosest on its left, but its set ends before any operator on processes.
        (r"P [] Q \ A", r"((P [] Q) \ A)"),
        (r"P \ A [] Q", r"((P \ A) [] Q)"),
        (r"P [] Q \ A [] R", r"(((P [] Q) \ A) [] R)"),
        (r"a -> P \ {a} ; Q", r"(((a -> P) \ {a}) ; Q)"),
        (r"P \ A \ B |\ C", r"(((P \ A) \ B) |\ C)"),
        (r"P ||| Q \ union(A, B)", r"((P ||| Q) \ union(A, B))"),
        // The ladder of the operators on processes.
        ("P ||| Q [| A |] R", "(P ||| (Q [| A |] R))"),
        ("P |~| Q [A || B] R |~| S", "((P |~| Q) [A || B] (R |~| S))"),
        ("P [] Q |~| R [] S", "((P [] Q) |~| (R [] S))"),
        (r"P /\ Q [] R /\ S", r"((P /\ Q) [] (R /\ S))"),
        (r"P [> Q /\ R", r"((P [> Q) /\ R)"),
        ("P ; Q [> R ; S", "((P ; Q) [> (R ; S))"),
        ("a -> P ; b -> Q", "((a -> P) ; (b -> Q))"),
        ("a -> b -> P [] c -> Q", "((a -> (b -> P)) [] (c -> Q))"),
        ("x == 1 & a -> P [] not y & b -> Q", "(((x == 1) & (a -> P)) [] ((not y) & (b -> Q)))"),
        ("a -> x & b -> P", "(a -> (x & (b -> P)))"),
        ("P [| A |> Q", "(P [| A |> Q)"),
        ("P [+ A +] Q [] R", "(P [+ A +] Q [] R)"),
        (r"P /+ A +\ Q", r"(P /+ A +\ Q)"),
        ("P [a <-> b, c.x <-> d.x | x <- S] Q", "(P [a <-> b, (c.x) <-> (d.x) | x <- S] Q)"),
        // Chains are flat from the left; parentheses stay in the shape.
        ("P [] Q [] R", "(P [] Q [] R)"),
        ("P [] (Q [] R)", "(P [] (Q [] R))"),
        ("(P [] Q) [] R", "((P [] Q) [] R)"),
        ("P ; (Q ; R)", "(P ; (Q ; R))"),
        // Renaming and calls are the tightest.
        ("P [] Q[[a <- b]]", "(P [] Q[[a <- b]])"),
        ("a -> P(1)(2)[[a <- b, c <- d | x <- S]]", "(a -> P(1)(2)[[a <- b, c <- d | x <- S]])"),
        // Data; the dot is looser than arithmetic.
        ("c.i+1.j", "(c.(i + 1).j)"),
        ("c.x == d.y", "(c.(x == d).y)"),
        ("a + b * c - d", "(a + (b * c) - d)"),
        ("-a * b + c", "((-(a * b)) + c)"),
        ("#s ^ t * 2", "((#(s ^ t)) * 2)"),
        ("not a == b and c or d", "(((not (a == b)) and c) or d)"),
        ("a or b and c", "(a or (b and c))"),
        ("a - b - c", "(a - b - c)"),
        ("a - (b - c)", "(a - (b - c))"),
        ("x % 2 == 0", "((x % 2) == 0)"),
    ];
    for (text, reading) in table {
        assert_eq!(expr(text), reading, "{text}");
    }
}

#[test]
fn what_ends_open_takes_all_that_follows() {
    assert_eq!(expr("if a then b else c [] d"), "(if a then b else (c [] d))");
    assert_eq!(expr("a -> if b then P else Q ||| R"), "(a -> (if b then P else (Q ||| R)))");
    assert_eq!(expr(r"[] x : S @ c.x -> P \ A"), r"([] x <- S @ (((c.x) -> P) \ A))");
    assert_eq!(expr("P ||| (||| x : S @ Q) ||| R"), "(P ||| (||| x <- S @ Q) ||| R)");
    assert_eq!(expr("let y = 1 within y + 1"), "(let\ny = 1\nwithin (y + 1))");
    assert_eq!(expr(r"\ x, (y, _) @ x + y"), r"(\ x, (y, _) @ (x + y))");
}

#[test]
fn replicated_operators_are_read() {
    let table = [
        ("|~| x : {1..3} @ P(x)", "(|~| x <- {1..3} @ P(x))"),
        ("; x : <1,2> @ P(x)", "(; x <- <1, 2> @ P(x))"),
        ("[| A |] x : S, y <- T, x != y @ P", "([| A |] x <- S, y <- T, (x != y) @ P)"),
        ("|| x : S @ [A(x)] P(x) [] Q", "(|| x <- S @ [A(x)] (P(x) [] Q))"),
        ("[a <-> b] x : <1..3> @ P", "([a <-> b] x <- <1..3> @ P)"),
        ("[+ A +] x : S @ P", "([+ A +] x <- S @ P)"),
        ("[] c.x : S @ P", "([] (c.x) <- S @ P)"),
        ("(|||x:S@P)", "(||| x <- S @ P)"),
        ("(|~|x:S@P)", "(|~| x <- S @ P)"),
    ];
    for (text, reading) in table {
        assert_eq!(expr(text), reading, "{text}");
    }
}

#[test]
fn communications_are_read_field_by_field() {
    let table = [
        ("c?x:S!y$z.w -> P", "(c?x:S!y$(z.w) -> P)"),
        ("c?x.y!1+2.z -> P", "(c?(x.y)!((1 + 2).z) -> P)"),
        ("c.1?_?(x,y)?<z>^s -> P", "((c.1)?_?(x, y)?(<z>^s) -> P)"),
        ("c?x:{1,2}.y -> P", "(c?x:{1, 2}!y -> P)"),
        ("c$x:S?y:diff(S,{x}) -> P", "(c$x:S?y:diff(S, {x}) -> P)"),
        ("f(1)!x -> P", "(f(1)!x -> P)"),
    ];
    for (text, reading) in table {
        assert_eq!(expr(text), reading, "{text}");
    }
}

#[test]
fn collections_are_read() {
    let table = [
        ("{}", "{}"),
        ("{0..}", "{0..}"),
        ("{0..n-1 | n <- S}", "{0..(n - 1) | n <- S}"),
        ("{x, y.1 | x <- S, (y, _) <- T, x < y}", "{x, (y.1) | x <- S, (y, _) <- T, (x < y)}"),
        ("<x | x <- s, x < 2>", "<x | x <- s, (x < 2)>"),
        ("<x | x <- s, (x > 2)>", "<x | x <- s, (x > 2)>"),
        ("<1,2> < <1,2>", "(<1, 2> < <1, 2>)"),
        ("< > > <>", "(<> > <>)"),
        ("<<1>,<>,<<>>>", "<<1>, <>, <<>>>"),
        ("{|c, d.x | x <- S|}", "{|c, (d.x) | x <- S|}"),
        ("{||}", "{||}"),
        ("(| 0 => 1, 1 => 2 |)", "(| 0 => 1, 1 => 2 |)"),
        ("f((| |), (||))", "f((|  |), (|  |))"),
        ("({1},{2})", "({1}, {2})"),
        (r#"("a\"b\n", 'c', '\'')"#, r#"("a\"b\n", 'c', '\'')"#),
    ];
    for (text, reading) in table {
        assert_eq!(expr(text), reading, "{text}");
    }
}

#[test]
fn a_line_ends_a_declaration_only_where_it_can() {
    let same = "P = (a -> (Q [] R))\ns = <1>\n(x, y) = z\n<h>^t = u";
    let text = "P =\n  a\n  ->\n  (Q\n  [] R)\ns = <1>\n(x, y)\n  = z\n<h>^t = u";
    assert_eq!(shown(text), same.replace("<h>^t", "(<h>^t)"));
    assert_eq!(shown("P = Q\n[] R"), "P = (Q [] R)");
    assert_eq!(shown("P = Q\n  \\ A\nR = Q"), "P = (Q \\ A)\nR = Q");
    assert_eq!(shown("x = f\n(y) = g"), "x = f\ny = g");
    assert_eq!(shown("x = (f\n (1)\n - 2)"), "x = (f(1) - 2)");
    assert_eq!(shown("x = 1 -\n 2"), "x = (1 - 2)");
    assert_eq!(shown("x = (let y = 1\n(a, b) = c\nwithin y)"), "x = (let\ny = 1\n(a, b) = c\nwithin y)");
}
