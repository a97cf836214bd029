//! TINA's nets.

use crate::support::{mistake, net};
use frontend::tina::read;

#[test]
fn a_net() {
    let text = "# comment\nnet {any \\} net}\n\ntr t1 : {a label} [0,w[ p1 p2*3 p3?2 -> p1*2 {p 4}\n\
        tr t2 [0,w[  -> \ntr t1 -> p2\r\npl p1 : x (2K)\npl p5 (1) t2*4 -> t1 t2?3\nlb t1 {new\nlabel}\n\
        nt n1 1 {note # here}\npl {p 4} (7)\npl p6\ntr t3";
    let expected = "p1=2000\np2=0\np3=0\np 4=7\np5=1\np6=0\n\
        t1: p1 3*p2 2*p3 p5 -> 2*p1 p2 2*p3 p 4\nt2: 3*p5 -> 7*p5\nt3: ->\n";
    assert_eq!(net(read, text), expected);
    assert_eq!(net(read, "tr {a\\}\\\\b} {} -> {}"), "=0\na}\\b: -> \n".replace(": -> ", ":  -> "));
    assert_eq!(net(read, "tr x x -> x*2"), "x=0\nx: x -> 2*x\n");
    assert_eq!(net(read, ""), "");
}

#[test]
fn what_plain_nets_do_not_have() {
    let never = "cannot be expressed by a place/transition net";
    assert_eq!(mistake(read, "tr t p?-1 -> q"), format!("1:7 an inhibitor arc {never}"));
    assert_eq!(mistake(read, "tr t p!1 -> q"), format!("1:7 a stopwatch arc {never}"));
    assert_eq!(mistake(read, "tr t p!-1 -> q"), format!("1:7 a stopwatch inhibitor arc {never}"));
    assert_eq!(mistake(read, "tr t [1,w[ p -> q"), format!("1:6 a time interval other than [0,w[ {never}"));
    assert_eq!(mistake(read, "tr t [0,3] p -> q"), format!("1:6 a time interval other than [0,w[ {never}"));
    assert_eq!(mistake(read, "tr t ]0,w[ p -> q"), format!("1:6 a time interval {never}"));
    assert_eq!(mistake(read, "\npr t > u"), format!("2:1 priorities between transitions {never}"));
}

#[test]
fn mistakes() {
    assert_eq!(mistake(read, "pl p\n  xx p"), "2:3 lines that start with `xx` are unknown");
    assert_eq!(mistake(read, "-> p"), "1:1 expected a keyword, found `-`");
    assert_eq!(mistake(read, "tr"), "1:3 expected the name of a transition, found the end of the line");
    assert_eq!(mistake(read, "tr t p q\n"), "1:9 expected a place or `->`, found the end of the line");
    assert_eq!(mistake(read, "tr t p -> , q"), "1:11 expected a place, found `,`");
    assert_eq!(mistake(read, "tr t p*0 -> q"), "1:8 an arc has the weight 0");
    assert_eq!(mistake(read, "tr t p*-2 -> q"), "1:8 the weight `-2` is negative");
    assert_eq!(mistake(read, "tr t p*5G -> q"), "1:8 the weight `5000000000` is more than 4294967295");
    assert_eq!(mistake(read, "tr t p*x -> q"), "1:8 the weight `x` is not a number");
    assert_eq!(mistake(read, "tr t p -> q?1"), "1:12 a test arc leads to a place");
    assert_eq!(mistake(read, "pl p (1"), "1:8 expected `)`, found the end of the line");
    assert_eq!(mistake(read, "pl p (1)\npl p (2)"), "2:4 the marking of `p` is given twice");
    assert_eq!(mistake(read, "pl p (0KK)"), "1:7 the marking `0KK` is not a number");
    assert_eq!(mistake(read, "pl p (K)"), "1:7 the marking `K` is not a number");
    assert_eq!(mistake(read, "tr {t"), "1:4 a name in braces is not closed");
    assert_eq!(mistake(read, "tr t p p?1 ->"), "1:8 transition `t` tests place `p` and has another arc from it");
}
