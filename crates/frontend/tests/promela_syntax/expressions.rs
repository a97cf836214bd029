//! Expressions: what binds tighter, and how they are shown (as SPIN's own listings do).

use crate::support::{HEAD, body, last_body};

/// An expression, and the same with all parentheses.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("x + y * y - x / 2 << 1", "(((x+(y*y))-(x/2))<<1)"),
    ("x | y & x ^ y", "(x|((y&x)^y))"),
    ("x == y < x", "(x==(y<x))"),
    ("x && y || x && y", "((x&&y)||(x&&y))"),
    ("x || y && x", "(x||(y&&x))"),
    ("!x == y", "(!(x)==y)"),
    ("-x + y", "(-(x)+y)"),
    ("~x & y", "(~(x)&y)"),
    ("x << y + 1", "(x<<(y+1))"),
    ("x & y == 1", "(x&(y==1))"),
    ("- - x * y", "(-(-(x))*y)"),
    ("x - y - 1", "((x-y)-1)"),
    ("x < y == 1", "((x<y)==1)"),
    ("x % y * 2", "((x%y)*2)"),
    ("x >> 1 << 2", "((x>>1)<<2)"),
    ("x != y != 1", "((x!=y)!=1)"),
    ("x <= y >= 1", "((x<=y)>=1)"),
    ("! !x", "!(!(x))"),
    ("(x -> y : 2) + 1", "(( (x) -> (y) : (2) )+1)"),
    ("(x == 1 -> (y -> 1 : 2) : 3)", "( ((x==1)) -> (( (y) -> (1) : (2) )) : (3) )"),
    ("z[x+1]", "z[(x+1)]"),
    ("ts[1].g[x].f", "ts[1].g[x].f"),
    ("len(q) + len(qs[1])", "(len(q)+len(qs[1]))"),
    ("'a'", "97"),
    ("'\\n' + '\\0' + '\\\\' + '\\''", "(((10+0)+92)+39)"),
    ("010", "10"),
    ("true + false", "(1+0)"),
    ("skip", "1"),
    ("_pid + _nr_pr + _last", "((_pid+_nr_pr)+_last)"),
    ("timeout", "timeout"),
    ("np_", "np_"),
    ("enabled(x) && pc_value(1)", "(enabled(x)&&pc_value(1))"),
    ("get_priority(_pid)", "get_priority(_pid)"),
    ("run P(x, y+1)", "run P(x,(y+1))"),
    ("run P() priority 3", "run P()"),
    ("q?[1, _] && qs[0]??[eval(x+1)]", "(q?[1,_]&&qs[0]??[eval((x+1))])"),
    ("P@here + P[x]@here", "(P@here+P[x]@here)"),
    ("P:y == 1 && P[2]:ts[1].f", "((P:y==1)&&P[2]:ts[1].f)"),
    ("(x -> y : P:y)", "( (x) -> (y) : (P:y) )"),
    ("(x)", "x"),
];

#[test]
fn operators_bind_as_in_c() {
    for (text, shown) in EXPRESSIONS {
        let model = format!("{HEAD} proctype P() {{ int y; here: skip }} init {{ x = {text} }}");
        assert_eq!(last_body(&model), format!("x = {shown}"), "{text}");
        let model = format!("{HEAD} proctype P() {{ int y; here: skip }} init {{ {text} }}");
        assert_eq!(last_body(&model), format!("({shown})"), "{text}");
    }
}

#[test]
fn channels_are_asked_in_conditions() {
    assert_eq!(body("empty(q) && (x || nfull(qs[1])) || full(q)"), "(((empty(q)&&(x||nfull(qs[1])))||full(q)))");
    assert_eq!(body("x = nempty(q); assert empty(q)"), "x = nempty(q); assert(empty(q))");
}

#[test]
fn numbers_have_32_bits() {
    let parsed = crate::support::valid("int x = 2147483647; init { x = 4294967297; x = 99999999999999999999 }");
    assert_eq!(parsed.warnings.len(), 2, "{:?}", parsed.warnings);
    assert_eq!(parsed.warnings[0].label, "taken as 1");
    assert_eq!(parsed.warnings[1].label, "taken as -1");
}
