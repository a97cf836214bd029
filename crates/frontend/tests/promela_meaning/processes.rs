//! Processes that are created and die, and looks into other processes. The numbers are SPIN's, with its reductions off.

use crate::space::{Answer, check};

#[test]
fn run_and_die() {
    check(
        r"
        proctype P() { skip } byte x;
        init { x = 1; run P(); run P(); x = _nr_pr }
        ",
        26,
        Answer::Fine,
    );
}

#[test]
fn run_parameters() {
    check(
        r"
        byte a[3];
        proctype P(byte i; short v) { a[i] = v; a[i] = a[i] + i }
        init { byte i; atomic { do :: i < 3 -> run P(i, i * 300); i++ :: else -> break od } }
        ",
        42,
        Answer::Fine,
    );
}

#[test]
fn run_value() {
    check(
        r"
        byte p;
        proctype Q(byte x) { p = _pid + x }
        init { pid n; n = run Q(3); n == 1; n = run Q(n); assert(n == 2 || n == 1) }
        ",
        36,
        Answer::Fine,
    );
}

#[test]
fn recursion() {
    check(
        r"
        chan out = [1] of { int };
        proctype fact(int n; chan p) { chan c = [1] of { int }; int r; if :: n <= 1 -> p!1 :: n >= 2 -> run
            fact(n - 1, c); c?r; p!n * r fi }
        init { chan c = [1] of { int }; int r; run fact(5, c); c?r; assert(r == 120) }
        ",
        58,
        Answer::Fine,
    );
}

#[test]
fn reborn() {
    check(
        r"
        byte n;
        proctype P(byte x) { chan q = [2] of { byte }; byte l = x; q!x; n = n + l }
        init { do :: n < 3 -> run P(1); _nr_pr == 1 :: else -> break od }
        ",
        21,
        Answer::Fine,
    );
}

#[test]
fn reborn_other() {
    check(
        r"
        byte n;
        proctype P() { byte x = 4; x++; n = x }
        proctype Q() { short x; x--; n = 1 }
        init { if :: run P() :: run Q() fi; _nr_pr == 1; if :: run Q() :: run P() fi }
        ",
        25,
        Answer::Fine,
    );
}

#[test]
fn dies_in_order() {
    check(
        r"
        byte x;
        active proctype A() { x++ }
        active proctype B() { x++; x == 3; x = 9 }
        active proctype C() { x++ }
        ",
        18,
        Answer::Fine,
    );
}

#[test]
fn remote_label() {
    check(
        r"
        byte x;
        active proctype A() { x = 1; x = 2; there: x = 3; x = 4 }
        active proctype B() { A[0]@there -> x = 7; A@there -> x = 8 }
        ",
        28,
        Answer::Stuck,
    );
}

#[test]
fn remote_variable() {
    check(
        r"
        byte x;
        proctype P(byte v) { byte w = v + 1; w++; x = w }
        init { run P(4); P[1]:w == 6; x = P:w }
        ",
        14,
        Answer::Stuck,
    );
}

#[test]
fn count_in_atomic() {
    check(
        r"
        byte x;
        proctype P() { x++ }
        init { atomic { run P(); run P(); run P(); x = 10 } (_nr_pr == 1) -> x = 0 }
        ",
        19,
        Answer::Fine,
    );
}

#[test]
fn nested_start() {
    check(
        r"
        byte x;
        proctype Leaf(byte n) { x = x + n }
        proctype Mid(byte n) { run Leaf(n); run Leaf(n + 1) }
        init { run Mid(1); run Mid(5) }
        ",
        662,
        Answer::Fine,
    );
}

#[test]
fn spawn_late() {
    check(
        r"
        byte n;
        proctype W(byte k) { n = n + k }
        active proctype A() { do :: n < 40 -> n++ :: else -> break od; run W(2); run W(3) }
        ",
        95,
        Answer::Fine,
    );
}

/// Processes of several kinds under the same numbers, by others that were created themselves.
#[test]
fn kinds_that_share_numbers() {
    let text = "proctype B() { skip } \
        proctype A(byte a) { if :: a > 0 -> run A(a - 1); run B() :: else fi } \
        init { run A(2); run A(1) }";
    check(text, 3180, Answer::Fine);
}

/// Everybody has the priority 1 anyway.
#[test]
fn the_priority_of_everybody() {
    let text = "byte x; proctype B() { x = 1 } active proctype A() priority 1 { run B() priority 1 }";
    check(text, 5, Answer::Fine);
}
