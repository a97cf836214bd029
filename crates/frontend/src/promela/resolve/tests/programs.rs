//! Small programs against SPIN.

use super::automaton::Automaton;
use super::{ours, spin, tree};

/// How the automata of a text differ from SPIN's.
pub(super) fn difference(text: &str) -> Option<String> {
    let theirs = spin::automata_of_text(text).unwrap_or_else(|| panic!("SPIN takes\n{text}"));
    let ours = ours::automata(&tree(text)).unwrap_or_else(|reports| panic!("{reports:#?}\n{text}"));
    differences(&ours, &theirs)
}

/// How automata differ, compared by name.
pub(super) fn differences(ours: &[Automaton], theirs: &[Automaton]) -> Option<String> {
    ours.iter().find_map(|our| match theirs.iter().find(|t| t.name == our.name) {
        Some(their) => our.difference(their),
        None => Some(format!("SPIN has no `{}`", our.name)),
    })
}

/// One proctype for each body.
fn program(bodies: &[&str]) -> String {
    let globals = "mtype = { red, green };\ntypedef Message { byte a; byte b };\nbyte x, y, a[4];\n\
                   chan q = [2] of { byte };\nchan m = [2] of { Message };\n\
                   inline twice(v) { v = v + 1; v = v + 1 }\n";
    let proctype = |(at, body): (usize, &&str)| format!("active proctype P{at}() {{ {body} }}\n");
    bodies.iter().enumerate().map(proctype).fold(globals.to_owned(), |text, p| text + &p)
}

fn agree(bodies: &[&str]) {
    if spin::is_there() {
        assert_eq!(difference(&program(bodies)), None);
    }
}

#[test]
fn choices_and_loops() {
    agree(&[
        "skip",
        "if :: x==1 -> x=2 :: else -> x=3; x=4 :: x==2 fi; x=5",
        "do :: x==1 -> break :: x==2 :: else -> x=3 od; x=5",
        "do :: x=1 :: break od",
        "do :: if :: x==1 -> break :: else fi od",
        "if :: if :: x==1 :: x==2 fi :: do :: x==3 :: x==4 -> break od fi; x=1",
        "if :: skip; x=1 :: { x=2; x=3 } :: { if :: x=4 :: { x=5 } fi } fi",
        "do :: do :: x==1 -> break :: x==2 od :: x==3 -> break od; x=1",
        "if :: if :: x==2 :: else fi :: x==3 :: x==4 -> x=4 fi",
    ]);
}

#[test]
fn jumps() {
    agree(&[
        "goto L; x=1; L: x=2",
        "L: if :: goto L :: x==1 -> goto M :: x=3 fi; x=1; M: x=2; goto L",
        "do :: x==1 -> goto out :: break :: { break } od; x=1; out: skip",
        "L: { goto M }; M: x=1; goto L",
        "L: x=1; if :: x==1 -> goto L :: x==2 -> goto L; x=3 :: else fi; goto M; x=3; M: goto N; N: skip",
        "L: goto M; M: x=1; goto N; N: goto L",
    ]);
}

#[test]
fn atomic_sequences() {
    agree(&[
        "atomic { x=1; x=2; x=3 }; x=4",
        "x=0; atomic { x=1; if :: x==1 -> x=2 :: else fi; x=3 }",
        "x=0; atomic { x=1; if :: x==1 -> x=2 :: else fi }; x=3",
        "atomic { x=1; do :: x==1 -> break :: x=2 od }; x=5",
        "atomic { do :: x==1 -> break :: x=2 od }; x=5",
        "do :: atomic { x==1 -> x=2 } :: atomic { x==2; x=3; break } od; x=4",
        "L: x=0; atomic { x=1; if :: x==2 -> goto L :: x==3 -> goto L; x=5 :: else fi; x=3; M: x=4; x=5 };\
         if :: goto M :: x=12 fi; x=1",
        "atomic { x=1; atomic { x=2; x=3 }; x=4 }; x=5",
        "atomic { x=1; { x=2; x=3 } }; x=5",
        "atomic { x=1; d_step { x=2; x=3 }; x=4; d_step { x=5; x=6 } }; x=5",
        "atomic { goto L }; x=1; L: x=2",
    ]);
}

#[test]
fn jumps_between_atomic_sequences() {
    agree(&[
        "L0: atomic { x=0; x=1; L1: x=2; x=3; L2: x=4 };\
         if :: atomic { x=10; goto L0 } :: atomic { x=10; goto L1 } :: atomic { x=10; goto L2 }\
         :: atomic { x=11; if :: x=12; goto L0 :: x=13; goto L1 :: x=14; goto L2 fi; x=15 }\
         :: atomic { goto L0 } :: atomic { goto L1; x=3 }\
         :: atomic { x=16; do :: x=17; goto L1; x=99 :: x=18; break; x=98 :: x=19 od; goto L1 } fi",
        "atomic { x=1; { x=2; goto L } }; x=3; L: x=4",
        "atomic { x=1; { x=2; goto L }; x=5 }; x=3; atomic { x=7; L: x=4; x=6 }",
        "L: atomic { x=1; { if :: x=2; goto L :: goto M :: x=3 fi }; M: x=5 }; x=3",
    ]);
}

#[test]
fn deterministic_steps() {
    agree(&[
        "d_step { x=1; x=2 }; x=3",
        "d_step { x=1 }; x=3",
        "do :: d_step { x==1 -> x=2 } :: d_step { if :: x==2 -> x=3 :: x==3 fi; x=5 } :: x=7; break od; x=6",
        "d_step { do :: x<5 -> x=x+1 :: else -> break od; x=2 }; x=3",
        "d_step { x=1; do :: x<5 -> x=x+1 :: else -> break od }; x=3",
        "d_step { x=1; atomic { x=2; x=3 }; d_step { x=4; x=5 } }; x=3",
        "d_step { x=1; goto L; x=2; L: x=3 }; x=4",
        "d_step { if :: x==1 :: x==2 fi }; if :: x==1 fi",
        "if :: d_step { x==1; x=2 } :: else -> x=3 fi",
    ]);
}

#[test]
fn escapes() {
    agree(&[
        "{ x=1; x=2 } unless { x==3; x=4 }; x=5",
        "{ x=1; if :: x==2 -> x=3 :: else fi; do :: x==1 :: break od } unless { x==3; x=4 }; x=5",
        "{ { x=1; x=2 } unless { if :: x==11 -> x=12 :: x==13 fi; x=14 };\
         x=3; if :: x=4 :: else -> skip fi } unless { x==21; x=22 }; x=30",
        "{ x=1; atomic { x=2; x=3 }; d_step { x=4; x=5 }; d_step { if :: x==1 :: x==2 fi; x=7 } } unless { x==3 }; x=5",
        "if :: { x=1; x=2 } unless { x==3 } :: x==4 fi; x=5",
        "do :: { x==1 -> break } unless { x==3 -> break } od; x=5",
        "L: { x=1; goto L } unless { if :: x==3 :: x==4 -> goto M fi }; M: x=5",
        "x=1 unless { x==3 }; x=2",
        "atomic { x=0; { x=1; x=2 } unless { x==3; x=4 }; x=6 }; x=5",
        "atomic { x=0; { x=1; x=2 } unless { x==3; x=4 } }; x=5",
        "{ x=1; { x=2; x=3 }; atomic { x=7; if :: x==1 -> goto L :: x==2 fi; x=8 } } unless { atomic { x==3; x=4 } }; L: x=5",
        "{ { x=1 } unless { x==2; x=3 } } unless { { x==4; x=5 } unless { x==6; x=7 } }; x=9",
        "do :: x=1; { q?x } unless { timeout -> break } od unless { x==3 }",
        "atomic { x=1; x=2 } unless { x==3; x=4 }; x=5",
        "if :: x=1; x=2 fi unless if :: x==3; x=4 fi; x=5",
        "x=1 unless x==2; d_step { x=3; x=4 } unless x==5; x=6",
        "for (x : 1 .. 2) { y=1 } unless { x==4; x=5 }; x=6",
        "select (x : 1 .. 2) unless { x==4 }; x=6",
        "do :: x=1; end: goto L od unless { x==2; progress: goto L; x=3 }; L: x=4; accept: goto L",
    ]);
}

#[test]
fn loops_that_stand_for_others() {
    agree(&[
        "for (x : 1 .. 3) { y = x }; y = 2",
        "for (x : 1 .. 3) { if :: y==x -> break :: else fi }",
        "for (x in a) { y = a[x] }",
        "Message n; for (n in m) { x = n.a }; x = 1",
        "select (x : 1 .. 4); x=2",
        "select (x : 0 .. y); x=2",
        "select (x : 0 .. 32)",
        "select (x : 0 .. 33)",
        "do :: select (x : 1 .. 2) :: for (x : 0 .. 1) { y=1 } :: break od; x=2",
        "twice(x); twice(y); if :: twice(x) fi",
        "L: for (x : 1 .. 2) { y=1 }; goto L",
        "L: select (x : 1 .. 2); goto L",
    ]);
}

#[test]
fn declarations_behind_statements() {
    agree(&[
        "byte k = 1; byte l; x=k; byte z; byte w=3; x=z",
        "byte k[3]; x=1; byte l[3]=4; Message n; x=2",
        "{ byte k=2; x=k }; { byte l; byte n; x=l }",
        "if :: byte k=3; x=k :: x=4 fi; x=5",
        "atomic { byte k=3; x=k; byte l }; x=5",
        "do :: byte k; break :: x==1 -> byte z od",
    ]);
}

#[test]
fn labels_that_mean_something() {
    agree(&[
        "x=1; end: x=2; progress: x=3; accept: x=4",
        "end1: do :: x==1 -> progress2: x=2 :: x==3 -> accept_it: skip; x=5 :: goto done od; done: skip",
        "endL: atomic { x=1; x=2 }; x=3",
        "L: x=1; end: goto L",
        "do :: x==1 -> progress: goto M; x=3 :: x==2 -> end: break od; M: x=2",
        "end: progress: x=1",
        "L: end: { { x=1; accept: x=2 } unless { x==3; endhere: x=4 } }; goto L",
        "do :: x==1; end: do :: x==2 -> break od od",
    ]);
}

#[test]
fn labels_of_first_statements() {
    agree(&[
        "do :: end: x==1 :: x==2 -> x=3 od",
        "do :: end: x==1 -> x=2 :: accept: x==3 -> break :: progress: x=4; x=5 od; x=6",
        "if :: accept: if :: x==1 -> x=2 :: progress: x==3 -> x=4 fi; x=5 :: x==6 fi; x=7",
        "do :: end: { x==1; x=2 }; x=3 :: accept: atomic { x=4; x=5 }; x=6 :: progress: d_step { x=7; x=8 }; x=9 od",
        "do :: end: do :: x==1 -> break :: progress: x==2 -> x=3 od :: accept: goto L od; L: x=4",
        "do :: end1: x==1 -> x=2 :: x==3 -> goto end1 od",
        "if :: x==1 :: accept: else -> x=2 fi; if :: end: x==3 fi",
        "do :: accept: { { x==1; x=2 } unless { x==3; x=4 } } od",
        "{ end: do :: x==1 -> x=2 od }",
        "atomic { x=1; if :: end: x==2 -> x=3 :: accept: x=4 fi; x=5 }; x=6",
        "d_step { x=1; if :: end: x==2 :: accept: x=4 fi }; x=6",
        "do :: progress: skip; x=1 :: end: break od; x=2",
        "if :: x==1 -> if :: accept: x==2 fi :: if :: if :: end: x=3 fi fi fi; x=4",
    ]);
}

#[test]
fn labels_that_others_look_at() {
    if spin::is_there() {
        let text = "byte x; active proctype A() { L: goto M; x=1; N: goto L; M: if :: x==1 -> goto N :: K: x=2 fi; goto L }\n\
                    active proctype B() { A@L; x=1; !A@N; A@K; A@M }\n";
        assert_eq!(difference(text), None);
    }
}

#[test]
fn claims() {
    if spin::is_there() {
        let text = "byte x; active proctype A() { x=1 }\n\
                    never { do :: x==1 -> break :: else od; accept: do :: x==2 od }\n\
                    never second { T0: if :: x==2 -> assert(!(x==2)) :: goto T0 fi; S: skip; progress: x==1; goto S }\n";
        assert_eq!(difference(text), None);
    }
}

#[test]
fn a_planted_difference_is_found() {
    if spin::is_there() {
        let text = |body: &str| format!("byte x; active proctype A() {{ {body} }}");
        let theirs = spin::automata_of_text(&text("do :: x==1 -> break :: x=2 od; x=3")).expect("SPIN takes it");
        let find = |body: &str| {
            let ours = ours::automata(&tree(&text(body))).expect("it is right");
            differences(&ours, &theirs).is_some()
        };
        assert!(!find("do :: x==1 -> break :: x=2 od; x=3"));
        assert!(find("do :: x==1 -> skip; break :: x=2 od; x=3"), "another state");
        assert!(find("do :: x=2 :: x==1 -> break od; x=3"), "another order");
        assert!(find("do :: x==1 -> break :: atomic { x=2; x=2 } od; x=3"), "control is kept");
        assert!(find("end: do :: x==1 -> break :: x=2 od; x=3"), "a label");
    }
}
