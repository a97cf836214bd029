//! What is worth waiting for: not what one's own state rules out, nor what a stopped process has.

use model::{Builder, Command, Domain, Edge, Expr, Kind, LocationId, ObjectId, ProcessId, System, Value};

use crate::support::{cycle, deadlock_of, process, reasons};

fn flag(b: &mut Builder, name: &str) -> ObjectId {
    b.object(name, Kind::Variable(Domain::Bool))
}

fn take(p: ProcessId, from: LocationId, to: LocationId, lock: ObjectId) -> Edge {
    Edge::new(p, from, to).run(Command::Acquire(lock.into(), p))
}

/// Both take two locks in any order and remember which ones they have: what they have already is not waited for.
#[test]
fn a_step_that_ones_own_variable_rules_out_is_not_waited_for() {
    let mut b = Builder::new("two-phase");
    let locks = [b.object("a", Kind::Lock), b.object("b", Kind::Lock)];
    for name in ["T", "U"] {
        let (p, l) = process(&mut b, name, &["growing", "full"]);
        let has = ["a", "b"].map(|k| flag(&mut b, &format!("{name}.has_{k}")));
        for k in 0..2 {
            let edge = take(p, l[0], l[0], locks[k]).when(Expr::read(has[k]).negate());
            b.edge(edge.run(Command::Assign(has[k].into(), Expr::TRUE)));
            let back = Edge::new(p, l[1], l[1]).when(Expr::read(has[k])).run(Command::Release(locks[k].into(), p));
            b.edge(back.run(Command::Assign(has[k].into(), Expr::Const(0))));
        }
        b.edge(Edge::new(p, l[0], l[1]).when(Expr::read(has[0])).when(Expr::read(has[1])));
    }
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(cycle(&d), ["T waits for b, held by U", "U waits for a, held by T"]);
    assert_eq!(
        reasons(&d, 0),
        [
            "`!T.has_a` is false: T.has_a is true (only T itself could change this)",
            "`acquire a` cannot happen: a is held by T (nobody else can release it)",
            "`acquire b` cannot happen: b is held by U",
            "`T.has_b` is false (only T itself could change this)",
        ]
    );
}

#[test]
fn a_lock_of_a_stopped_process_is_the_reason() {
    let mut b = Builder::new("stopped");
    let m = b.object("m", Kind::Lock);
    let (p, l) = process(&mut b, "P", &["start", "done"]);
    let (q, k) = process(&mut b, "Q", &["start", "in"]);
    b.edge(take(p, l[0], l[1], m));
    b.edge(take(q, k[0], k[1], m));
    [(p, l[1]), (q, k[1])].into_iter().for_each(|(p, l)| b.end(p, l));
    let (d, text) = deadlock_of(&b.build().expect("a model"));
    assert!(d.cycle.is_empty());
    assert_eq!(d.no_cycle, ["Q waits for m, held by P, which has stopped at `done`"]);
    assert_eq!(reasons(&d, 1), ["`acquire m` cannot happen: m is held by P (P can never release it any more)"]);
    assert!(text.ends_with("will never come.\n  Q waits for m, held by P, which has stopped at `done`\n"), "{text}");
}

/// Q would be content with a lock that P keeps for good, or with a message of R, who waits for Q.
#[test]
fn what_is_kept_for_good_is_not_preferred_to_what_may_come() {
    let mut b = Builder::new("either");
    let m = b.object_with("m", Kind::Lock, Value::Lock(Some(ProcessId(0))), None);
    let (s, r) = (b.object("s", Kind::Semaphore { max: 1 }), b.object("r", Kind::Semaphore { max: 1 }));
    let (p, l) = process(&mut b, "P", &["done"]);
    b.end(p, l[0]);
    for (name, mine, other) in [("Q", s, r), ("R", r, s)] {
        let (q, k) = process(&mut b, name, &["start", "next"]);
        b.edge(take(q, k[0], k[1], m));
        b.edge(Edge::new(q, k[0], k[1]).run(Command::Take(mine.into(), 1)));
        b.edge(Edge::new(q, k[1], k[0]).run(Command::Gain(other.into(), 1)));
    }
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(cycle(&d), ["Q waits for s, which R could signal", "R waits for r, which Q could signal"]);
}

#[test]
fn whoever_could_once_help_is_named() {
    let mut b = Builder::new("too-late");
    let s = b.object("s", Kind::Semaphore { max: 1 });
    let (w, l) = process(&mut b, "W", &["waiting", "on"]);
    b.edge(Edge::new(w, l[0], l[1]).run(Command::Take(s.into(), 1)));
    let (p, k) = process(&mut b, "P", &["start", "signalling", "off"]);
    b.edge(Edge::new(p, k[0], k[2]));
    b.edge(Edge::new(p, k[1], k[2]).run(Command::Gain(s.into(), 1)));
    b.end(p, k[2]);
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    let reason = "W: `wait s` cannot happen: s is 0; nobody can change this any more: P has stopped at `off`";
    assert_eq!(d.no_cycle, [reason]);
}

/// x + y == 4 takes a write to both, neither of which is enough.
#[test]
fn a_condition_that_takes_two_is_not_said_to_be_out_of_reach() {
    let mut b = Builder::new("two");
    let [x, y] = ["x", "y"].map(|n| b.object(n, Kind::Variable(Domain::Range { lo: 0, hi: 2 })));
    let (p, l) = process(&mut b, "P", &["a", "b"]);
    b.edge(Edge::new(p, l[0], l[1]).when(Expr::read(x).op(model::Binary::Add, Expr::read(y)).is(4)));
    let never = b.object("never", Kind::Lock);
    for (name, object) in [("X", x), ("Y", y)] {
        let (q, k) = process(&mut b, name, &["a", "b"]);
        let holds = b.object_with(format!("of_{name}"), Kind::Lock, Value::Lock(Some(p)), None);
        b.edge(take(q, k[0], k[1], holds).run(Command::Assign(object.into(), 2.into())));
    }
    b.edge(take(p, l[1], l[0], never));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(reasons(&d, 0), ["`x + y == 4` is false: x is 0, y is 0 (X, Y could change this)"]);
}

/// Clients that take a permit and may forget to give it back, or that take two of them one after the other.
fn clients(second: bool) -> System {
    let mut b = Builder::new("clients");
    let avail = b.object_with("avail", Kind::Semaphore { max: 2 }, Value::Int(2), None);
    for i in 0..2 {
        let (p, at) = process(&mut b, &format!("Client[{i}]"), &["idle", "one", "using"]);
        b.edge(Edge::new(p, at[0], at[1]).run(Command::Take(avail.into(), 1)));
        let go_on = Edge::new(p, at[1], at[2]);
        b.edge(if second { go_on.run(Command::Take(avail.into(), 1)) } else { go_on });
        b.edge(Edge::new(p, at[2], at[0]).run(Command::Gain(avail.into(), 1 + u32::from(second))));
        if !second {
            b.edge(Edge::new(p, at[2], at[0]));
        }
    }
    b.build().expect("a model")
}

#[test]
fn whoever_forgot_a_permit_is_not_waited_for() {
    let (d, text) = deadlock_of(&clients(false));
    assert_eq!(cycle(&d), Vec::<&str>::new());
    let told = "`wait avail` cannot happen: avail is 0 (used up by steps 1 and 4 and not given back)";
    assert_eq!(reasons(&d, 0), [told], "{text}");
    assert!(text.contains("There is no wait-for cycle"), "{text}");
}

#[test]
fn whoever_has_one_permit_of_two_is_waited_for() {
    let (d, text) = deadlock_of(&clients(true));
    assert_eq!(cycle(&d).len(), 2, "{text}");
}
