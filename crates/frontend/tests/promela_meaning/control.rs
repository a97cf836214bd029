//! Who goes on: `atomic`, `d_step`, `unless`, `else`, `timeout`, `provided`. The numbers are SPIN's, with its reductions off.

use frontend::promela::Options;

use crate::space::{Answer, check, explore, read};

#[test]
fn atomic() {
    check(
        r"
        byte x, y;
        active proctype A() { atomic { x = 1; x = 2; y == 1; x = 3; x = 4 } }
        active proctype B() { y = 1; y = 0; y = 1 }
        ",
        15,
        Answer::Fine,
    );
}

#[test]
fn atomic_choice() {
    check(
        r"
        byte x, y;
        active proctype A() { atomic { if :: x = 1 :: x = 2; y > 0; x = 5 :: y == 3 -> x = 6 fi; x = x + 1 } }
        active proctype B() { do :: y < 3 -> y++ :: break od }
        ",
        67,
        Answer::Stuck,
    );
}

#[test]
fn atomic_handover() {
    check(
        r"
        chan r = [0] of { byte }; byte x, y;
        active proctype A() { atomic { r!1; x = 1; x = 2; x = 3 } }
        active proctype B() { atomic { r?y; y = 2; y = 3; x == 3; y = 4; y = 5 }; y = 6 }
        active proctype C() { x = 3 }
        ",
        22,
        Answer::Fine,
    );
}

#[test]
fn atomic_sender() {
    check(
        r"
        chan r = [0] of { byte }; byte x, y;
        active proctype A() { atomic { x = 1; r!1; x = 2; x = 3 } }
        active proctype B() { r?y; y = 2; y = 3 }
        active proctype C() { r?x }
        ",
        11,
        Answer::Stuck,
    );
}

#[test]
fn atomic_buffered() {
    check(
        r"
        chan q = [1] of { byte }; byte x, y;
        active proctype A() { atomic { q!1; q!2; x = 1; x = 2 } }
        active proctype B() { atomic { q?y; q?y; y = 7 } }
        ",
        7,
        Answer::Fine,
    );
}

#[test]
fn d_step() {
    check(
        r"
        byte x, y;
        active proctype A() { d_step { x = 3; do :: x > 0 -> x--; y++ :: else -> break od; if :: y > 1 -> y = 5
            :: y > 0 -> y = 6 fi } }
        active proctype B() { x = 2; y = 1 }
        ",
        16,
        Answer::Fine,
    );
}

#[test]
fn d_step_guard() {
    check(
        r"
        byte x, y;
        active proctype A() { do :: d_step { y < 3 -> x = x + y; x = x * 2; y++ } :: y == 3 -> break od }
        active proctype B() { do :: d_step { y > 0 -> y--; x = 0 } :: break od }
        ",
        38,
        Answer::Fine,
    );
}

#[test]
fn unless() {
    check(
        r"
        byte x, y;
        active proctype A() { { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 7; x = 8 } }
        active proctype B() { y = 1; y = 2 }
        ",
        33,
        Answer::Fine,
    );
}

#[test]
fn unless_nested() {
    check(
        r"
        byte x, y;
        active proctype A() { { { x = 1; y == 5; x = 2 } unless { y == 1 -> x = 3 } } unless { y == 2 -> x = 4
            } }
        active proctype B() { y = 1; y = 2; y = 5 }
        ",
        38,
        Answer::Fine,
    );
}

#[test]
fn unless_receive() {
    check(
        r"
        chan q = [1] of { byte }; byte x;
        active proctype A() { do :: { x = 1; x = 2 } unless { q?1 -> break } od }
        active proctype B() { q!2; x == 1; q!1 }
        active proctype C() { q?2 }
        ",
        32,
        Answer::Fine,
    );
}

#[test]
fn unless_rendezvous() {
    check(
        r"
        chan r = [0] of { byte }; byte x, y;
        active proctype A() { { x = 1; x = 2; x = 3 } unless { r?1 -> x = 7; x = 8 } }
        active proctype B() { r!1; y = 1 }
        ",
        20,
        Answer::Stuck,
    );
}

/// The main part goes on only where nobody would take the message.
#[test]
fn unless_send_in_a_rendezvous() {
    check(
        r"
        chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
        active proctype A() { { x = 1; x = 2; x = 3 } unless { c!5; x = 9 } }
        active proctype B() { byte y; d?y; c?y }
        active proctype C() { d!1 }
        ",
        25,
        Answer::Stuck,
    );
}

/// Receivers that wait for certain values, in their own `unless`, in `atomic`, and only where they may move.
#[test]
fn unless_send_to_particular_receivers() {
    let text = |escape: &str| {
        format!(
            r"
            mtype = {{ a, b }}; chan c = [0] of {{ mtype, byte }}; chan d = [0] of {{ byte }}; chan e[2] = [0] of {{ byte }};
            byte x, i, g;
            active proctype A() {{ do :: {{ x = 1; x = 2; d?x; x = 3 }} unless {{ {escape} }} od }}
            active proctype B() provided (g != 1) {{
                byte y;
                do :: c?b,y :: c?a,eval(g) :: {{ d!1; g = 1 - g }} unless {{ e[1]?y -> g = 2 }} od
            }}
            active proctype C() {{ byte z; do :: i = 1 - i :: atomic {{ d!2; e[0]?z; c?a,z }} od }}
            "
        )
    };
    check(&text("e[i]!x -> x = 0"), 548, Answer::Stuck);
    check(&text("c!a,x; x = 9"), 54, Answer::Stuck);
}

/// Channels in variables and parameters, of processes that come into being.
#[test]
fn unless_send_to_channels_in_variables() {
    check(
        r"
        chan c = [0] of { byte }; chan d = [0] of { byte }; chan e = [2] of { byte }; byte x, i, g;
        active proctype A() {
            do :: { do :: x < 3 -> x++ :: x == 3 -> x = 0 :: e?x od } unless { c!x; g = x } :: x = 0 od
        }
        proctype B(chan q) { byte y; do :: q?2; e!1 :: q?eval(i); i = 1 - i :: d?y od }
        active proctype D() { chan w = c; do :: { w = d; i = 3; w = c } unless { w!1 -> g = 0 } od }
        init { run B(c); run B(d) }
        ",
        36151,
        Answer::Fine,
    );
}

/// What SPIN refuses: `else` where nobody takes the message. The numbers are those with `unless`, and a step for `else`.
#[test]
fn else_beside_a_send_in_a_rendezvous() {
    let text = |other: &str| {
        format!(
            "chan q = [0] of {{ byte }}; byte x; active proctype R() {{ end: q?_ }} active proctype W() {{ {other} }}"
        )
    };
    check(&text("if :: q!1 :: else -> assert(false) fi"), 4, Answer::Fine);
    check(&text("q!1; if :: q!1 -> assert(false) :: else -> x = 1 fi"), 6, Answer::Fine);
}

#[test]
fn enabled_in_statements() {
    check(
        r"
        byte x, y; chan q = [1] of { byte };
        active proctype A() { do :: x < 3 -> x++ :: x == 3 -> q!1; x = 0 od }
        active proctype B() { do :: enabled(0) -> y = 1 :: !enabled(0) -> y = 2; q?_ od }
        ",
        92,
        Answer::Fine,
    );
    check(
        r"
        byte x, y;
        active [2] proctype A() { do :: x == _pid -> x = 2 :: atomic { x == 2 -> x = 3 }; x == 1 od }
        active proctype B() {
            byte i;
            do
            :: i < 2 -> if :: enabled(i) -> y = 0 :: !enabled(i) -> y = i + 1; x = i fi; i++
            :: i == 2 -> i = 0
            od
        }
        ",
        472,
        Answer::Fine,
    );
    check(
        r"
        byte x, y;
        active proctype A() { do :: timeout -> x = 1 - x od }
        active proctype B() { do :: enabled(0) -> y = 1; (y == 2) :: !enabled(0) && y == 0 -> y = 3; y == 4 od }
        ",
        6,
        Answer::Fine,
    );
    let itself = "byte x, y; active proctype A() { x = 1; enabled(_pid) -> y = 1 } active proctype B() { x = 1 }";
    let space = crate::space::explore(crate::space::read(itself, &frontend::promela::Options::default()), 100);
    assert_eq!(space.answer(), Answer::Faulty);
    assert_eq!(space.faults.into_iter().collect::<Vec<_>>(), ["`enabled`: a process asks about itself"]);
}

#[test]
fn else_receive() {
    check(
        r"
        chan q = [1] of { byte }; byte x;
        active proctype A() { if :: q?1 -> x = 1 :: q?2 -> x = 2 :: else -> x = 3 fi }
        active proctype B() { q!1 }
        active proctype C() { q!2 }
        ",
        32,
        Answer::Stuck,
    );
}

#[test]
fn timeout() {
    check(
        r"
        chan q = [1] of { byte }; byte x;
        active proctype A() { end: do :: q?1 -> x++ :: timeout -> x = 0; q!2; break od }
        active proctype B() { q!1; q!1; q?2 }
        ",
        14,
        Answer::Fine,
    );
}

#[test]
fn timeout_conjunct() {
    check(
        r"
        byte x;
        active proctype A() { do :: x < 2 && timeout -> x++ :: timeout && x == 2 -> x = 5 :: x == 5 -> break od
            }
        active proctype B() { x = 1; x == 5 -> x = 5 }
        ",
        14,
        Answer::Fine,
    );
}

#[test]
fn timeout_else() {
    check(
        r"
        byte x;
        active proctype A() { if :: timeout -> x = 1 :: else -> x = 2 fi }
        active proctype B() { x = 3 }
        ",
        13,
        Answer::Fine,
    );
}

#[test]
fn provided() {
    check(
        r"
        byte x, turn;
        active [2] proctype P() provided (turn == _pid) { x = x + 1; turn = 1 - turn; x = x + 2; turn = 1 -
            turn }
        ",
        9,
        Answer::Fine,
    );
}

#[test]
fn provided_atomic() {
    check(
        r"
        byte x, y;
        active proctype A() provided (y == 0) { atomic { x = 1; x = 2; x = 3 } x = 4 }
        active proctype B() { y = 1; y = 0 }
        ",
        13,
        Answer::Fine,
    );
}

/// The first receive takes what the second, which has precedence, leaves.
#[test]
fn unless_rendezvous_same_message() {
    check(
        r"
        chan q = [0] of { byte }; byte got, out;
        active proctype S() { do :: q!0 :: q!1 :: q!2 od }
        active proctype R() { byte x; do :: { q?x; got = x } unless { q?1; out++; out = out % 3 } od }
        ",
        48,
        Answer::Fine,
    );
}

#[test]
fn unless_rendezvous_same_message_computed() {
    check(
        r"
        chan q = [0] of { byte }; byte got;
        active proctype S() { q!0; q!1; q!1; q!2 }
        active proctype R() { byte x = 2; do :: { q?x; got = x } unless { q?eval(got) } od }
        ",
        7,
        Answer::Stuck,
    );
}

/// Where a process is blocked inside of an `atomic`, it does not matter whether it came there with control.
#[test]
fn atomic_entered_by_a_jump() {
    check(
        r"
        byte g = 1, two; chan q = [2] of { bit };
        active [2] proctype P() { if :: goto L :: atomic { q!g; L: if :: two == 2 fi } fi }
        ",
        8,
        Answer::Stuck,
    );
}

#[test]
fn atomic_loop() {
    check(
        r"
        chan q = [1] of { byte }; byte y;
        active [2] proctype A() { byte x; atomic { do :: q?x; y = 1 - y :: q?3; y = 0 od } }
        active proctype B() { do :: q!1 :: q!3 od }
        ",
        84,
        Answer::Fine,
    );
}

#[test]
fn d_step_rendezvous() {
    let text = |body: &str| {
        format!("chan r = [0] of {{ byte }}; byte x; active proctype A() {{ {body} }} active proctype B() {{ r?1 }}")
    };
    for wrong in ["d_step { x = 1; r!1; x = 2 }", "d_step { r!1; x = 2 }"] {
        let space = explore(read(&text(wrong), &Options::default()), 1000);
        assert_eq!(space.answer(), Answer::Faulty, "{wrong}");
    }
}

/// What an `else` inside of a `d_step` stands beside is inside of it, too.
#[test]
fn d_step_else() {
    check(
        r"
        bool g; chan q = [2] of { byte };
        active proctype P() { do :: g == 0 :: d_step { if :: else fi }; q!1 od }
        ",
        6,
        Answer::Stuck,
    );
}
