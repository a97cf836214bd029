//! Known systems with known sizes.

use crate::support::{network, script, space};

const PHILOSOPHERS: &str = "
N = 3
Ids = {0..N-1}
next(i) = (i + 1) % N
channel picks, putsdown : Ids.Ids
PHIL(i) = picks.i.i -> picks.i.next(i) -> putsdown.i.i -> putsdown.i.next(i) -> PHIL(i)
LEFTY = picks.0.next(0) -> picks.0.0 -> putsdown.0.next(0) -> putsdown.0.0 -> LEFTY
FORK(j) = picks!j!j -> putsdown!j!j -> FORK(j)
       [] picks?i:diff(Ids,{j})!j -> putsdown.i.j -> FORK(j)
AlphaP(i) = {picks.i.i, picks.i.next(i), putsdown.i.i, putsdown.i.next(i)}
before(j) = (j + N - 1) % N
AlphaF(j) = {picks.j.j, picks.before(j).j, putsdown.j.j, putsdown.before(j).j}
PHILS = ||| i:Ids @ PHIL(i)
FORKS = ||| j:Ids @ FORK(j)
PLAIN = PHILS [| {| picks, putsdown |} |] FORKS
ASYMMETRIC = (LEFTY ||| (||| i:diff(Ids,{0}) @ PHIL(i))) [| {| picks, putsdown |} |] FORKS
ALPHABETS = (|| i:Ids @ [AlphaP(i)] PHIL(i)) [ {| picks, putsdown |} || {| picks, putsdown |} ] (|| j:Ids @ [AlphaF(j)] FORK(j))
-- expect: violated
assert PLAIN :[deadlock free]
-- expect: holds
assert ASYMMETRIC :[deadlock free [F]]
assert not PLAIN \\ {| picks |} :[divergence free]
";

#[test]
fn philosophers() {
    let plain = space(&network(PHILOSOPHERS, "PLAIN"));
    assert_eq!((plain.states, plain.transitions, plain.deadlocks), (26, 51, 1));
    let asymmetric = space(&network(PHILOSOPHERS, "ASYMMETRIC"));
    assert_eq!((asymmetric.states, asymmetric.transitions, asymmetric.deadlocks), (27, 54, 0));
    let alphabets = space(&network(PHILOSOPHERS, "ALPHABETS"));
    assert_eq!((alphabets.states, alphabets.transitions, alphabets.deadlocks), (26, 51, 1));
}

#[test]
fn philosophers_are_named_as_they_are_written() {
    let network = network(PHILOSOPHERS, "ASYMMETRIC");
    let names: Vec<&str> = network.components().iter().map(|c| c.name()).collect();
    assert_eq!(names, ["LEFTY", "PHIL(1)", "PHIL(2)", "FORK(0)", "FORK(1)", "FORK(2)"]);
    let states: Vec<&str> = network.components()[1].states().iter().map(|s| s.name.as_str()).collect();
    let after = ["picks.1.1", "picks.1.1, picks.1.2", "picks.1.1, picks.1.2, putsdown.1.1"];
    let after = after.map(|events| format!("PHIL(1) after {events}"));
    assert_eq!(states[0], "PHIL(1)");
    assert_eq!(states[1..], after);
    assert!(network.rules().iter().any(|r| &*r.label == "picks.1.2" && r.participants.len() == 2));
}

#[test]
fn assertions_are_listed_with_what_is_expected() {
    let script = script(PHILOSOPHERS);
    let list: Vec<(&str, bool, Option<bool>)> =
        script.assertions().iter().map(|a| (a.text.as_str(), a.negated, a.expected)).collect();
    let expected = [
        ("PLAIN :[deadlock free]", false, Some(false)),
        ("ASYMMETRIC :[deadlock free [F]]", false, Some(true)),
        ("not PLAIN \\ {| picks |} :[divergence free]", true, None),
    ];
    assert_eq!(list, expected);
}

#[test]
fn butler() {
    for (n, states, transitions) in [(2, 11, 12), (3, 79, 162), (4, 511, 1544)] {
        let text = format!(
            "N = {n}
             Ids = {{0..N-1}}
             next(i) = (i + 1) % N
             channel pick, put : Ids.Ids
             channel sit, up : Ids
             PHIL(i) = sit.i -> pick.i.i -> pick.i.next(i) -> put.i.i -> put.i.next(i) -> up.i -> PHIL(i)
             FORK(j) = pick?i!j -> put.i.j -> FORK(j)
             BUTLER(S) = (card(S) < N-1 & sit?i:diff(Ids,S) -> BUTLER(union(S,{{i}})))
                      [] up?i:S -> BUTLER(diff(S,{{i}}))
             TABLE = (||| i:Ids @ PHIL(i)) [| {{| pick, put |}} |] (||| j:Ids @ FORK(j))
             SYSTEM = TABLE [| {{| sit, up |}} |] BUTLER({{}})"
        );
        let network = network(&text, "SYSTEM");
        let butler = network.components().last().expect("the butler comes last");
        assert_eq!((butler.name(), butler.states().len()), ("BUTLER({})", (1 << n) - 1));
        let space = space(&network);
        assert_eq!((space.states, space.transitions, space.deadlocks), (states, transitions, 0));
    }
}

#[test]
fn milners_scheduler() {
    for (n, states, transitions) in [(3, 36, 72), (4, 96, 240), (5, 240, 720)] {
        let text = format!(
            "N = {n}
             channel a, b, c : {{0..N-1}}
             CELL(i) = c.i -> WORK(i)
             WORK(i) = a.i -> (b.i -> c.((i+1)%N) -> CELL(i) [] c.((i+1)%N) -> b.i -> CELL(i))
             A(i) = {{a.i, b.i, c.i, c.((i+1)%N)}}
             SCHEDULER = || i:{{0..N-1}} @ [A(i)] (if i == 0 then WORK(0) else CELL(i))"
        );
        let space = space(&network(&text, "SCHEDULER"));
        assert_eq!((space.states, space.transitions, space.deadlocks), (states, transitions, 0));
    }
}

#[test]
fn alternating_bit() {
    let text = "
        channel in, out
        channel send, rcv, ack, sack : {0..1}
        channel lose : {0..1}
        S(b) = in -> A(b) [] ack?_ -> S(b)
        A(b) = send.b -> A(b) [] ack.b -> S(1-b) [] ack.(1-b) -> A(b)
        R(b) = rcv.b -> out -> R(1-b) [] rcv.(1-b) -> R(b) [] sack.(1-b) -> R(b)
        MEDIUM(k, from, to, j, i) = from?b -> FULL(k, from, to, j, i, b)
        FULL(k, from, to, j, i, b) =
             to.b -> MEDIUM(k, from, to, 0, i)
          [] j < k & lose.i -> MEDIUM(k, from, to, j+1, i)
        MEDIA(k) = MEDIUM(k, send, rcv, 0, 0) ||| MEDIUM(k, sack, ack, 0, 1)
        ABP(k) = (S(0) ||| R(0)) [| {| send, rcv, ack, sack |} |] MEDIA(k)
        BUFFER1 = in -> out -> BUFFER1
        assert BUFFER1 [T= ABP(1) \\ {| send, rcv, ack, sack, lose |}";
    for (k, states, transitions) in [(0, 40, 84), (1, 160, 424), (3, 640, 1872)] {
        let space = space(&network(text, &format!("ABP({k})")));
        assert_eq!((space.states, space.transitions, space.deadlocks), (states, transitions, 0));
    }
}

#[test]
fn thousands_of_philosophers_compile_in_seconds() {
    let n = 3000;
    let text = format!(
        "N = {n}
         next(i) = (i + 1) % N
         channel left, right, drop_left, drop_right : {{0..N-1}}
         PHIL(i) = (if i == 0 then right.i -> left.i -> SKIP else left.i -> right.i -> SKIP)
                   ; drop_left.i -> drop_right.i -> PHIL(i)
         FORK(j) = left.j -> drop_left.j -> FORK(j)
                [] right.((j + N - 1) % N) -> drop_right.((j + N - 1) % N) -> FORK(j)
         AP(i) = {{left.i, right.i, drop_left.i, drop_right.i}}
         AF(j) = {{left.j, drop_left.j, right.((j + N - 1) % N), drop_right.((j + N - 1) % N)}}
         ALL = Union({{AP(i) | i <- {{0..N-1}}}})
         SYSTEM = (|| i:{{0..N-1}} @ [AP(i)] PHIL(i)) [| ALL |] (|| j:{{0..N-1}} @ [AF(j)] FORK(j))"
    );
    let start = std::time::Instant::now();
    let network = network(&text, "SYSTEM");
    // Four events and, for each philosopher, the internal step of `;`.
    assert_eq!((network.components().len(), network.rules().len()), (2 * n, 5 * n));
    let time = start.elapsed();
    assert!(time.as_secs() < 20, "{time:?}");
}
