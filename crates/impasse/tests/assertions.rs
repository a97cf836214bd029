//! What assertions say, and when they pass.

use std::panic::catch_unwind;
use std::time::Duration;

use impasse::{
    Builder, Check, Edge, Model, Property, Verdict, assert_deadlock_free, assert_holds, assert_violated, deadlock_free,
    invariant, ltl, partial_deadlock_free, reachable,
};

/// Two threads that take two locks, in the same order or not.
fn two(crossed: bool) -> Model {
    let mut model = Model::new("two");
    let (a, b) = (model.lock("a"), model.lock("b"));
    for (name, swap) in [("P", false), ("Q", crossed)] {
        let (first, second) = if swap { (b, a) } else { (a, b) };
        model.thread(name, |t| {
            t.forever(|t| {
                t.acquire(first);
                t.acquire(second);
                t.at("inside");
                t.release(second);
                t.release(first);
            });
        });
    }
    model
}

/// What a panic says.
fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(f).expect_err("it panics");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn the_message_is_the_explanation() {
    let text = message(|| {
        assert_deadlock_free!(two(true));
    });
    assert!(text.starts_with("does not hold: a property of the model `two`\n\nVIOLATED deadlock-free: "), "{text}");
    assert!(text.contains("1. P.acquire a  [crates/impasse/tests/assertions.rs:19]\n      do acquire a\n"), "{text}");
    assert!(text.contains("P is at `before acquire b`  [crates/impasse/tests/assertions.rs:20]"), "{text}");
    assert!(text.contains("Wait-for cycle:\n  P waits for b, held by Q\n  Q waits for a, held by P\n"), "{text}");
}

#[test]
fn what_was_not_decided_fails() {
    let none = Check::default().timeout(Duration::ZERO);
    let text = message(|| {
        assert_deadlock_free!(two(false), Check::default().timeout(Duration::ZERO));
    });
    let head = "not decided, and so not a pass: a property of the model `two`\n\nUNKNOWN deadlock-free: the time limit";
    assert!(text.starts_with(head), "{text}");
    let text = message(|| {
        assert_violated!(two(true), deadlock_free(), Check::default().timeout(Duration::ZERO));
    });
    assert!(text.contains("UNKNOWN"), "neither is it a violation: {text}");
    assert_eq!(none.ask(&two(true), &deadlock_free()).expect("a model").verdict(), Verdict::Unknown);
    let declined = Check::default().engine("unfold").ask(&two(false), &ltl("always true")).expect("a model");
    assert_eq!(declined.verdict(), Verdict::Unknown, "{declined}");
}

#[test]
fn questions_are_in_words() {
    let model = two(false);
    assert_deadlock_free!(model);
    assert_deadlock_free!(&model);
    assert_holds!(model, invariant("!(P at inside && Q at inside)"));
    assert_holds!(model, reachable("P at inside"));
    assert_holds!(model, ltl("always eventually (P at inside || Q at inside)"));
    assert_violated!(model, ltl("always eventually P at inside"));
    assert_holds!(model, Property::DeadlockFree, Check::default().engine("explore:order=depth"));
    let answer = assert_violated!(model, invariant("!P at inside"));
    assert!(answer.to_string().contains("P: before acquire b -> inside"), "{answer}");
}

#[test]
fn mistakes_are_told() {
    let text = message(|| {
        assert_holds!(two(false), invariant("P at insid"));
    });
    assert!(text.contains("did you mean `inside`?"), "{text}");
    let mut twice = Model::new("twice");
    twice.lock("a");
    twice.lock("a");
    let text = message(move || {
        assert_deadlock_free!(twice);
    });
    assert!(text.contains("the object name `a` is used twice  [crates/impasse/tests/assertions.rs:"), "{text}");
    let text = message(|| {
        assert_violated!(two(false), deadlock_free());
    });
    assert!(text.starts_with("holds, and should not: a property of the model `two`"), "{text}");
}

#[test]
fn a_clock_hides_no_partial_deadlock() {
    for crossed in [false, true] {
        let mut model = two(crossed);
        model.thread("clock", |t| t.forever(|t| t.step("tick")));
        assert_deadlock_free!(model);
        if crossed {
            let text = assert_violated!(model, partial_deadlock_free()).to_string();
            assert!(
                text.contains("P and Q are stuck for good") && text.contains("clock can still take steps"),
                "{text}"
            );
        } else {
            assert_holds!(model, partial_deadlock_free());
        }
    }
}

#[test]
fn systems_of_a_builder_are_models_too() {
    let mut builder = Builder::new("m");
    let p = builder.process("P");
    let (a, b) = (builder.location(p, "a"), builder.location(p, "b"));
    builder.edge(Edge::new(p, a, b));
    let system = builder.build().expect("a model");
    let answer = assert_violated!(system, deadlock_free());
    assert!(answer.to_string().contains("P: a -> b"), "{answer}");
}

#[test]
fn threads_end_wait_and_choose() {
    let mut model = Model::new("all kinds");
    let (numbers, taken) = (model.queue_of("numbers", 1, 0..=3), model.variable("taken", 0..=3, 0));
    let (permits, meeting) = (model.semaphore("permits", 1), model.queue("meeting", 0));
    model.thread("sender", |t| {
        t.send_number(numbers, 3);
        t.send(meeting);
    });
    model.thread("receiver", |t| {
        t.take(permits);
        t.receive_into(numbers, taken);
        t.wait_until(taken.at_least(3));
        t.choose(|c| {
            c.when(taken.is(3), |t| t.set(taken, taken.plus(-1)));
            c.when(taken.at_most(2), |t| t.step("never"));
        });
        t.give(permits);
        t.receive(meeting);
    });
    assert_deadlock_free!(model);
    assert_holds!(model, reachable("sender at done && receiver at done && taken == 2"));
    assert_violated!(model, reachable("taken == 1"));
}

#[test]
fn only_declared_places_are_ends() {
    let server = |may_stop: bool| {
        let mut model = Model::new("server");
        let requests = model.queue("requests", 1);
        model.thread("server", |t| {
            t.forever(|t| {
                if may_stop {
                    t.may_stop();
                }
                t.receive(requests);
            });
        });
        model.thread("client", |t| t.send(requests));
        model
    };
    assert_deadlock_free!(server(true));
    assert_violated!(server(false), deadlock_free());
}

#[test]
fn a_semaphore_is_a_read_write_lock() {
    let mut model = Model::new("readers and writers");
    let access = model.semaphore("access", 2);
    for (name, permits) in [("reader", 1), ("other", 1), ("writer", 2)] {
        model.thread(name, |t| {
            t.forever(|t| {
                t.take_many(access, permits);
                t.at("inside");
                t.give_many(access, permits);
            });
        });
    }
    assert_deadlock_free!(model);
    assert_holds!(model, reachable("reader at inside && other at inside"));
    assert_holds!(model, invariant("!(writer at inside && (reader at inside || other at inside))"));
}

thread_local! {
    /// The line of the last panic of this thread.
    static LINE: std::cell::Cell<(bool, u32)> = const { std::cell::Cell::new((false, 0)) };
}

/// What a panic says, and the line of this file that it points to.
fn pointed(f: impl FnOnce() + std::panic::UnwindSafe) -> (String, u32) {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().expect("a place");
            LINE.set((place.file() == file!(), place.line()));
            usual(panic);
        }));
    });
    let text = message(f);
    let (here, line) = LINE.get();
    assert!(here, "the panic points elsewhere: {text}");
    (text, line)
}

#[test]
fn handles_belong_to_their_model() {
    let mut a = Model::new("a");
    let (lock, queue, variable) = (a.lock("l"), a.queue("q", 1), a.variable("v", 0..=1, 0));
    let semaphore = a.semaphore("s", 1);
    type Use = Box<dyn FnOnce(&mut impasse::Thread<'_>) + std::panic::UnwindSafe>;
    let mut own = Model::new("b");
    let (sum, mine) = (own.variable("w", 0..=1, 0), own.queue_of("x", 1, 0..=1));
    let uses: [(&str, Use); 10] = [
        ("lock", Box::new(move |t| t.acquire(lock))),
        ("queue", Box::new(move |t| t.send(queue))),
        ("variable", Box::new(move |t| t.set(variable, 1))),
        ("semaphore", Box::new(move |t| t.take(semaphore))),
        ("variable", Box::new(move |t| t.set(sum, variable))),
        ("variable", Box::new(move |t| t.send_number(mine, sum.plus(variable)))),
        ("lock", Box::new(move |t| t.wait_until(lock.is_free()))),
        ("queue", Box::new(move |t| t.wait_until(sum.is(1).or(queue.is_full().negate())))),
        ("semaphore", Box::new(move |t| t.wait_until(sum.value().is(semaphore.permits())))),
        ("queue", Box::new(move |t| t.choose(|c| c.when(queue.is_empty().and(true), |t| t.step("x"))))),
    ];
    let first = line!() - 11;
    for ((kind, used), line) in uses.into_iter().zip(first..) {
        let mut b = own.clone();
        let (text, at) = pointed(move || {
            for name in ["y", "z"] {
                b.lock(name);
            }
            b.thread("t", used);
        });
        assert_eq!(text, format!("this {kind} belongs to another model than the thread that uses it"));
        assert_eq!(at, line, "{kind}");
    }
    // A copy has what it was copied with, and not what came later.
    let mut copy = a.clone();
    copy.thread("t", |t| t.acquire(lock));
    let late = a.lock("late");
    copy.lock("other");
    pointed(move || copy.thread("u", |t| t.acquire(late)));
}

#[test]
fn a_model_without_threads_has_no_deadlock() {
    let mut model = Model::new("idle");
    model.lock("l");
    let line = line!() + 2;
    let (text, at) = pointed(move || {
        assert_deadlock_free!(model);
    });
    assert!(text.contains("the model `idle` has no threads"), "{text}");
    assert_eq!(at, line);
}

#[test]
fn wrong_questions_point_to_the_assertion() {
    let model = two(false);
    let line = line!() + 2;
    let (text, at) = pointed(move || {
        assert_holds!(model, invariant("P at insid"));
    });
    assert!(text.contains("did you mean `inside`?"), "{text}");
    assert_eq!(at, line);
}
