//! Model errors: what has no meaning is a fault where it happens, and what cannot be read is refused.

use crate::space::{Answer, check, explore, read};
use frontend::promela::elaborate::{NoSystem, Patience};
use frontend::promela::{Options, read as load, reading};

fn faults(text: &str) -> Vec<String> {
    explore(read(text, &Options::default()), 100_000).faults.into_iter().collect()
}

fn refused(text: &str) -> String {
    let reader = |name: &str| Err(format!("{name} is not there"));
    let mistakes = load("test", text, &reader, &Options::default()).expect_err("the model is refused");
    mistakes[0].message.clone()
}

#[test]
fn a_failed_assertion() {
    check("byte x; active proctype A() { x = 1; assert(x == 2) }", 2, Answer::Faulty);
}

#[test]
fn assertions_can_be_ignored() {
    let options = Options { ignore_assertions: true, ..Options::default() };
    let space = explore(read("byte x; active proctype A() { x = 1; assert(x == 2) }", &options), 100);
    assert_eq!((space.states, space.answer()), (4, Answer::Fine));
}

#[test]
fn an_index_outside_its_array() {
    assert_eq!(faults("byte a[3], i = 3; init { a[i] = 1 }"), ["the index 3 is outside the array `a`"]);
    assert_eq!(faults("byte a[3], i = 3; init { a[i] == 0 }"), ["the index 3 is outside the array `a`"]);
}

#[test]
fn an_index_outside_an_array_of_channels() {
    let text =
        "chan q[2] = [0] of { byte }; byte i = 1; active proctype A() { i++; q[i]!1 } active proctype B() { q[1]?1 }";
    assert_eq!(faults(text), ["the index 2 is outside the array `q`"]);
}

#[test]
fn an_index_outside_an_inner_dimension() {
    let text = "typedef T { byte b[2] } T t[2]; byte i = 2; init { i = 2; t[0].b[i] = 1 }";
    assert_eq!(faults(text).len(), 1);
}

#[test]
fn a_channel_that_was_never_made() {
    assert_eq!(faults("chan q; byte x; init { q?x }").len(), 1);
    assert_eq!(faults("chan p = [1] of { byte }; chan q; init { if :: true -> q = p :: true fi; q!1 }").len(), 1);
}

#[test]
fn division_by_zero() {
    assert_eq!(faults("byte x, y; init { x = 1 / y }"), ["division by zero"]);
}

#[test]
fn stuck_in_a_deterministic_step() {
    assert_eq!(faults("byte x; init { d_step { x = 1; x == 2; x = 3 } }").len(), 1);
}

/// SPIN tries a rendezvous out after the sender has moved; a condition is asked before.
#[test]
fn a_rendezvous_that_depends_on_who_has_moved() {
    let sender = "chan q = [0] of { byte }; byte x; active proctype W() { L: skip; { x = 1 } unless { q!0 } }";
    for receiver in [
        "active proctype R() { q?eval(W@L) }",
        "active proctype R() { q?eval(_last) }",
        "active proctype R() provided (!timeout) { q?_ }",
    ] {
        let said = refused(&format!("{sender} {receiver}"));
        assert!(said.starts_with("whether this rendezvous can happen is asked"), "{said}");
    }
}

#[test]
fn one_process_too_many() {
    let wrong = "the value 256 is outside the range of `_nr_pr`";
    // SPIN: `too many processes` after 254 steps.
    assert_eq!(faults("proctype A() { run A() } init { run A() }"), [wrong]);
    let space = explore(read("proctype A() { run A() } init { run A() }", &Options::default()), 1000);
    assert_eq!((space.states, space.stuck), (255, false));
    // They come one by one and never end.
    let text = "proctype A() { end: false } init { do :: run A() od }";
    assert_eq!(faults(text), [wrong]);
}

/// Processes that create each other in so many orders that no plan foresees them all: one run is enough.
#[test]
fn too_many_processes_that_create_each_other() {
    let reader = |name: &str| Err(format!("{name} is not there"));
    for text in [
        "proctype A() { run B(); run B() } proctype B() { run A() } init { run A() }",
        "proctype A(byte a) { run B(a - 1); run B(a - 1) } proctype B(byte a) { run A(a - 1); run A(a - 1) } init { run A(9) }",
    ] {
        let reading = reading("test", text, &reader, &Options::default(), Patience::default()).expect("it is read");
        let system = &reading.loaded().system;
        let (last, way) = reading.error().expect("one process too many").split_last().expect("it takes steps");
        let (mut state, mut next) = (system.initial_state(), system.initial_state());
        for &t in way {
            system.fire(t, &state, &mut next).expect("the way there is no error");
            std::mem::swap(&mut state, &mut next);
        }
        let fault = system.fire(*last, &state, &mut next).expect_err("the last step is one");
        assert_eq!(fault.show(system), "the value 256 is outside the range of `_nr_pr`");
    }
}

#[test]
fn recursion_of_several_that_ends_is_no_error() {
    let text = |depth: u32| {
        format!(
            "proctype A(byte a) {{ if :: a > 0 -> run B(a - 1) :: else fi }}
             proctype B(byte a) {{ if :: a > 0 -> run A(a - 1) :: else fi }} init {{ run A({depth}) }}"
        )
    };
    // SPIN: 755 states, and `too many processes` for one level more than there can be.
    check(&text(250), 755, Answer::Fine);
    assert_eq!(faults(&text(254)), ["the value 256 is outside the range of `_nr_pr`"]);
}

#[test]
fn who_waits_no_longer_gets_no_system_or_the_one_so_far() {
    // Thirty-one processes in any order.
    let text = "proctype A(byte a) { if :: a > 0 -> run B(a - 1); run B(a - 1) :: else fi }
        proctype B(byte a) { if :: a > 0 -> run A(a - 1); run A(a - 1) :: else fi } init { run A(4) }";
    let reader = |name: &str| Err(format!("{name} is not there"));
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let mut cut_short = 0;
    for most in [0, 100, 2000] {
        asked.store(0, std::sync::atomic::Ordering::Relaxed);
        let counter = asked.clone();
        let waits = move || counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < most;
        match reading("test", text, &reader, &Options::default(), Patience::new(waits)) {
            Err(NoSystem::GivenUp { processes }) => assert!(most < 2000 && processes > 0),
            Err(NoSystem::Mistakes(mistakes)) => panic!("{mistakes:?}"),
            // Nobody waits for a wider one, unless there was time for all.
            Ok(so_far) if asked.load(std::sync::atomic::Ordering::Relaxed) >= most => {
                assert!(most > 0, "nobody waited for anything");
                assert!(matches!(so_far.widen(0), Err(NoSystem::GivenUp { .. })));
                cut_short += 1;
            }
            Ok(_) => {}
        }
        assert!(asked.load(std::sync::atomic::Ordering::Relaxed) <= most + 6, "it was asked on and on");
    }
    assert!(cut_short > 0, "the test shows little");
}

#[test]
fn a_program_in_which_nothing_runs_is_refused() {
    let reader = |name: &str| Err(format!("{name} is not there"));
    let mistake = |text: &str| {
        let mut mistakes = load("test", text, &reader, &Options::default()).expect_err("the model is refused");
        (mistakes.len(), mistakes.remove(0))
    };
    let (count, first) = mistake("byte x; proctype A(byte n) { x = n } ltl f { [] (x == 0) }");
    assert_eq!((count, first.message.as_str()), (1, "no process runs: nothing would ever happen"));
    assert_eq!(first.span, model::Span::new(17, 18));
    assert_eq!(first.help.as_deref(), Some("write `active proctype A`, or start it: `init { run A(...) }`"));
    assert!(mistake("active [0] proctype A() { skip }").1.help.is_some_and(|h| h.contains("run A()")));
    assert!(mistake("byte x;").1.help.is_some_and(|h| h.contains("init")));
}
