//! Channels: buffered, rendezvous, in arrays, in variables and in messages. The numbers are SPIN's, with its reductions off.

use crate::space::{Answer, check};

#[test]
fn buffered() {
    check(
        r"
        chan q = [2] of { byte, bit }; byte x; bit b;
        active proctype S() { q!1,0; q!2,1; q!3,1 }
        active proctype R() { q?x,b; q?x,_; if :: q?3,b :: q?x,0 fi }
        ",
        11,
        Answer::Fine,
    );
}

#[test]
fn message_truncated() {
    check(
        r"
        chan q = [1] of { byte }; int x; byte y;
        init { q!300; q?x; assert(x == 44); q!x + 256; q?y; assert(y == 44) }
        ",
        8,
        Answer::Fine,
    );
}

#[test]
fn receive_narrow() {
    check(
        r"
        chan q = [2] of { int, short }; byte x; bit y;
        init { q!1000,3; q?x,y; assert(x == 232 && y == 1); q!-1,2; q?x,y; assert(x == 255 && y == 0) }
        ",
        8,
        Answer::Fine,
    );
}

#[test]
fn sorted_and_random() {
    check(
        r"
        chan q = [4] of { byte, byte }; byte a, b;
        active proctype S() { q!!3,1; q!!1,5; q!!3,0; q!!2,2 }
        active proctype R() { q??3,b; q?a,b; q??a,2; q?<a,b>; q??[9,_] || len(q) == 1; q??eval(a),eval(b) }
        ",
        28,
        Answer::Fine,
    );
}

#[test]
fn queries() {
    check(
        r"
        chan q = [2] of { byte }; byte x;
        active proctype S() { do :: nfull(q) -> q!len(q) :: full(q) -> break od }
        active proctype R() { nempty(q); q?x; empty(q) -> x = 9 }
        ",
        40,
        Answer::Stuck,
    );
}

#[test]
fn poll() {
    check(
        r"
        chan q = [2] of { byte }; byte x;
        active proctype S() { q!1; q!2 }
        active proctype R() { do :: q?[2] -> q?x; break :: q?[1] && x == 0 -> q?x od }
        ",
        11,
        Answer::Fine,
    );
}

#[test]
fn channel_array() {
    check(
        r"
        chan q[3] = [1] of { byte }; byte i, x;
        active proctype S() { q[i]!i; i = i + 1; q[i]!i }
        active proctype R() { q[0]?x; q[1]?x; q[x]!7 }
        ",
        11,
        Answer::Fine,
    );
}

#[test]
fn channel_variable() {
    check(
        r"
        chan a = [1] of { byte }; chan b = [1] of { byte }; chan c; byte x;
        active proctype S() { if :: c = a :: c = b fi; c!3 }
        active proctype R() { if :: a?x :: b?x fi }
        ",
        11,
        Answer::Fine,
    );
}

#[test]
fn channels_in_messages() {
    check(
        r"
        chan s = [1] of { chan, byte }; byte x;
        active [2] proctype C() { chan me = [1] of { byte }; byte r; s!me,_pid; me?r; assert(r == _pid + 1) }
        active proctype S() { chan to; byte n; end: do :: s?to,n -> to!n + 1 od }
        ",
        43,
        Answer::Fine,
    );
}

#[test]
fn rendezvous() {
    check(
        r"
        chan r = [0] of { byte, byte }; byte x, y;
        active proctype S() { r!1,2; r!2,3; x = 9 }
        active proctype T() { r!1,7 }
        active proctype R() { r?x,y; r?1,y; r?eval(x + 1),y }
        ",
        12,
        Answer::Fine,
    );
}

#[test]
fn rendezvous_overtaken() {
    check(
        r"
        chan r = [0] of { byte, byte }; byte x = 1, y = 2;
        active proctype S() { r!y,x }
        active proctype R() { r?x,y; assert(x == 2 && y == 1) }
        ",
        5,
        Answer::Fine,
    );
}

#[test]
fn rendezvous_narrow() {
    check(
        r"
        chan r = [0] of { int }; byte x;
        active proctype S() { r!300; r!255 }
        active proctype R() { r?x; assert(x == 44); r?255 }
        ",
        6,
        Answer::Fine,
    );
}

#[test]
fn rendezvous_array() {
    check(
        r"
        chan r[2] = [0] of { byte }; byte got[2];
        active [2] proctype S() { r[_pid]!_pid + 1; r[1 - _pid]!5 }
        active proctype R() { byte i; do :: i < 4 -> if :: r[0]?got[0] :: r[1]?got[1] fi; i++ :: else -> break
            od }
        ",
        47,
        Answer::Fine,
    );
}

#[test]
fn invalid_end() {
    check(
        r"
        chan q = [1] of { byte };
        active proctype A() { q!1; q!2 }
        active proctype B() { end: q?2 }
        ",
        2,
        Answer::Stuck,
    );
}

#[test]
fn end_label() {
    check(
        r"
        chan q = [1] of { byte }; byte x;
        active proctype A() { q!1; q!1 }
        active proctype B() { end: do :: q?x od }
        ",
        5,
        Answer::Fine,
    );
}
