//! Variables, types and expressions. The numbers are SPIN's, with its reductions off.

use crate::space::{Answer, check};

#[test]
fn assignments() {
    check(
        r"
        byte x;
        active proctype A() { x = 1; x = x + 1; x++ }
        active proctype B() { x = 7; x-- }
        ",
        45,
        Answer::Fine,
    );
}

#[test]
fn types_wrap() {
    check(
        r"
        bit b; short s; unsigned u : 3; int i; byte y;
        init { b = 3; s = 40000; u = 12; i = 2147483647; i = i + 1; y = 255; y++; assert(b == 1 && s == -25536
            && u == 4 && i < 0 && y == 0) }
        ",
        10,
        Answer::Fine,
    );
}

#[test]
fn arithmetic() {
    check(
        r"
        int i;
        init { i = -7 / 2; assert(i == -3); i = -7 % 3; assert(i == -1); i = (1 << 3) | 5; assert(i == 13); i =
            ~i; assert(i == -14); i = i >> 1; assert(i == -7); i = (i < 0 -> 4 : 5) ^ 6; assert(i == 2); i =
            !i; assert(i == 0 && (i || 2)) }
        ",
        16,
        Answer::Fine,
    );
}

#[test]
fn arrays() {
    check(
        r"
        byte a[3] = 2; byte i;
        init { do :: i < 3 -> a[i] = a[i] + i; i++ :: else -> break od; a[a[0] - 1] = 9; assert(a[1] == 9) }
        ",
        14,
        Answer::Fine,
    );
}

#[test]
fn typedef() {
    check(
        r"
        typedef Pair { byte x; bit y[2] } Pair p[2]; Pair q;
        init { p[1].x = 3; p[p[1].x - 2].y[1] = 1; q.x = p[1].x + p[1].y[1]; assert(q.x == 4) }
        ",
        6,
        Answer::Fine,
    );
}

#[test]
fn mtype() {
    check(
        r"
        mtype = { red, green, blue }; mtype c = green;
        active [2] proctype P() { if :: c == green -> c = blue :: c == blue -> c = red :: else -> c = 0 fi }
        ",
        19,
        Answer::Fine,
    );
}

/// As in SPIN, which counts as many states.
#[test]
fn an_mtype_may_be_named_before_it_is_declared() {
    check(
        r"
        typedef U { mtype:k m; byte z }
        chan q = [1] of { mtype:k };
        mtype:k = { foo, bar }
        U u;
        active proctype A() { mtype:k z; u.m = foo; q!bar; q?z; assert(z == bar && u.m == foo) }
        ",
        6,
        Answer::Fine,
    );
}

#[test]
fn constant_table() {
    check(
        r"
        byte t[4] = { 3, 1, 4, 1 }; byte i, s;
        active proctype A() { do :: i < 4 -> s = s + t[i]; i++ :: else -> break od }
        active proctype B() { i < 2; i = 1 }
        ",
        184,
        Answer::Stuck,
    );
}

#[test]
fn hidden() {
    check(
        r"
        hidden byte h; byte x;
        active [2] proctype P() { h = x; x = 1 - x; h = 7 }
        ",
        21,
        Answer::Fine,
    );
}

#[test]
fn local_initial() {
    check(
        r"
        byte g = 3;
        active proctype A() { byte x = g; byte y = x + 1; g = y; { byte z = 5; g = z } }
        ",
        5,
        Answer::Fine,
    );
}

#[test]
fn conditional() {
    check(
        r"
        byte x;
        active proctype A() { x = (x == 0 -> 3 : x - 1); x = (x > 2 && x < 9 -> x + 1 : 0) }
        active proctype B() { x = 9 }
        ",
        15,
        Answer::Fine,
    );
}

#[test]
fn inline() {
    check(
        r"
        inline add(v, n) { byte t; t = v; v = t + n } byte x;
        active [2] proctype P() { add(x, 1); add(x, _pid) }
        ",
        168,
        Answer::Fine,
    );
}

#[test]
fn for_and_select() {
    check(
        r"
        byte i, a[3], s;
        init { for (i : 0 .. 2) { a[i] = i }; for (i in a) { s = s + a[i] }; select (i : 1 .. 3); assert(s == 3
            && i >= 1 && i <= 3) }
        ",
        32,
        Answer::Fine,
    );
}

#[test]
fn goto_and_labels() {
    check(
        r"
        byte x;
        active proctype A() { again: x++; if :: x < 3 -> goto again :: x >= 2 -> skip fi; end_here: x == 7;
            goto again }
        ",
        10,
        Answer::Fine,
    );
}
