//! What the builder refuses, and in which words; what it makes of edges that belong together.

use model::{
    Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Joining, Kind, LocationId, ObjectId, Pattern, ProcessId,
    Retrieve, System, Target, Unary, Value, Wrap,
};

/// What the builder says about a small model after a change that makes it wrong.
fn refused(change: impl FnOnce(&mut Builder, &World)) -> Vec<String> {
    let (mut builder, world) = world();
    change(&mut builder, &world);
    builder.build().expect_err("the model is wrong").into_iter().map(|e| e.message).collect()
}

struct World {
    p: ProcessId,
    x: ObjectId,
    lock: ObjectId,
    queue: ObjectId,
    tokens: ObjectId,
    meet: ObjectId,
}

const A: LocationId = LocationId(0);
const B: LocationId = LocationId(1);

fn channel(capacity: u32, lossy: bool, fields: usize) -> Kind {
    Kind::Channel(ChannelType { capacity, lossy, fields: vec![Domain::Range { lo: 0, hi: 2 }; fields] })
}

fn world() -> (Builder, World) {
    let mut b = Builder::new("world");
    let p = process(&mut b, "P");
    let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 2 }));
    let lock = b.object("m", Kind::Lock);
    let queue = b.object("q", channel(2, false, 1));
    let tokens = b.object("c", Kind::Counter { max: 3 });
    let meet = b.object("r", channel(0, false, 1));
    (b, World { p, x, lock, queue, tokens, meet })
}

fn process(b: &mut Builder, name: &str) -> ProcessId {
    let p = b.process(name);
    b.location(p, "a");
    b.location(p, "b");
    p
}

fn assert_says(messages: &[String], part: &str) {
    assert!(messages.iter().any(|m| m.contains(part)), "`{part}` is not said in {messages:?}");
}

#[test]
fn names_are_used_once() {
    assert_says(&refused(|b, _| _ = b.object("x", Kind::Lock)), "`x` is used twice");
    assert_says(&refused(|b, _| _ = process(b, "P")), "`P` is used twice");
    assert_says(&refused(|b, w| _ = b.location(w.p, "a")), "two states `a`");
}

#[test]
fn values_are_in_range() {
    let wrong = refused(|b, _| _ = b.object_with("y", Kind::Variable(Domain::Bool), Value::Int(2), None));
    assert_says(&wrong, "initial value of `y`");
    let empty = refused(|b, _| _ = b.object("y", Kind::Variable(Domain::Range { lo: 1, hi: 0 })));
    assert_says(&empty, "domain of `y` is empty");
    let full = Value::Queue(vec![vec![0]; 3]);
    assert_says(&refused(|b, _| _ = b.object_with("y", channel(2, false, 1), full, None)), "initial value of `y`");
    let nobody = Value::Lock(Some(ProcessId(7)));
    assert_says(&refused(|b, _| _ = b.object_with("y", Kind::Lock, nobody, None)), "does not exist");
    assert_says(&refused(|b, _| _ = b.object("y", channel(0, true, 1))), "cannot be lossy");
}

#[test]
fn a_process_has_states() {
    assert_says(&refused(|b, _| _ = b.process("Q")), "`Q` has no states");
    assert_says(&refused(|b, w| b.process_mut(w.p).initial = LocationId(7)), "starts nowhere");
    assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, LocationId(2)))), "no state number 2");
}

#[test]
fn operations_fit_their_objects() {
    let send_to_lock = refused(|b, w| b.edge(Edge::new(w.p, A, B).run(Command::Send(w.lock.into(), vec![]))));
    assert_says(&send_to_lock, "does not fit a lock");
    let two_fields = Command::Send(ObjectId(2).into(), vec![0.into(), 1.into()]);
    assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, B).run(two_fields))), "wrong number of fields");
    let read_channel = refused(|b, w| b.edge(Edge::new(w.p, A, B).when(Expr::read(w.queue).is(0))));
    assert_says(&read_channel, "does not fit");
    let bind_lock = refused(|b, w| {
        let pattern = vec![Pattern::Bind(w.lock.into())];
        b.edge(Edge::new(w.p, A, B).run(Command::Receive(w.queue.into(), pattern)));
    });
    assert_says(&bind_lock, "only a variable");
    let unknown = refused(|b, w| b.edge(Edge::new(w.p, A, B).when(Expr::read(ObjectId(99)).is(0))));
    assert_says(&unknown, "not declared");
    let no_index = Target { first: ObjectId(0), len: 2, index: None };
    assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, B).when(Expr::Read(no_index)))), "needs an index");
}

#[test]
fn only_buffered_channels_are_used_out_of_order() {
    let says = |c: fn(&World) -> Command, part: &str| {
        assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, B).run(c(w)))), part);
    };
    let how = Retrieve { anywhere: true, keep: false };
    let ignore = |n: usize| vec![Pattern::Ignore; n];
    says(|w| Command::Insert(w.meet.into(), vec![0.into()]), "does not fit a channel");
    says(|w| Command::Insert(w.queue.into(), Vec::new()), "wrong number of fields");
    says(|w| Command::Insert(w.lock.into(), Vec::new()), "does not fit a lock");
    let retrieve = |to: fn(&World) -> ObjectId, patterns: Vec<Pattern>, part: &str| {
        let command = |w: &World| Command::Retrieve(to(w).into(), patterns.clone(), how);
        assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, B).run(command(w)))), part);
    };
    retrieve(|w| w.meet, ignore(1), "does not fit a channel");
    retrieve(|w| w.queue, ignore(2), "wrong number of fields");
    retrieve(|w| w.queue, vec![Pattern::Bind(ObjectId(1).into())], "only a variable");
    let lossy = refused(|b, w| {
        let lossy = b.object("w", channel(1, true, 1));
        b.edge(Edge::new(w.p, A, B).run(Command::Insert(lossy.into(), vec![0.into()])));
    });
    assert_says(&lossy, "does not fit a channel");
    let offers = |to: fn(&World) -> ObjectId, patterns: Vec<Pattern>, part: &str| {
        let e = |w: &World| Expr::Offers(to(w).into(), patterns.clone(), true);
        assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, B).when(e(w)))), part);
    };
    offers(|w| w.meet, ignore(1), "does not fit the object");
    offers(|w| w.queue, ignore(2), "does not fit the object");
    offers(|w| w.x, ignore(1), "does not fit the object");
    offers(|_| ObjectId(99), ignore(1), "not declared");
    offers(|w| w.queue, vec![Pattern::Match(Expr::read(ObjectId(99)))], "not declared");
    let wide = |bits| Expr::Unary(Unary::Wrap(Wrap { bits, signed: false }), Box::new(Expr::Const(1)));
    for bits in [0, 64, 255] {
        assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, B).when(wide(bits)))), "1 to 63 bits");
    }
}

/// What is only looked at can be looked at again; what was received cannot.
#[test]
fn a_message_that_stays_can_be_received_in_the_same_step() {
    let look =
        |w: &World, keep| Command::Retrieve(w.queue.into(), vec![Pattern::Ignore], Retrieve { anywhere: false, keep });
    let receive = |w: &World| Command::Receive(w.queue.into(), vec![Pattern::Ignore]);
    let (mut b, w) = world();
    b.edge(Edge::new(w.p, A, B).run(look(&w, true)).run(receive(&w)));
    b.build().expect("nothing has changed in between");
    assert_says(&refused(|b, w| b.edge(Edge::new(w.p, A, B).run(look(w, false)).run(receive(w)))), "split the step");
    let matched = |w: &World, how| Command::Retrieve(w.queue.into(), vec![Pattern::Match(Expr::read(w.x))], how);
    let changed = refused(|b, w| {
        let how = Retrieve { anywhere: true, keep: true };
        b.edge(Edge::new(w.p, A, B).run(Command::Assign(w.x.into(), 1.into())).run(matched(w, how)));
    });
    assert_says(&changed, "`x` is modified earlier");
}

#[test]
fn guards_do_not_look_at_locations() {
    let at = refused(|b, w| b.edge(Edge::new(w.p, A, B).when(Expr::At(w.p, A))));
    assert_says(&at, "only properties");
}

#[test]
fn a_waiting_operation_knows_beforehand() {
    let twice = refused(|b, w| {
        let send = Command::Send(w.queue.into(), vec![0.into()]);
        b.edge(Edge::new(w.p, A, B).run(send.clone()).run(send));
    });
    assert_says(&twice, "split the step");
    let index = refused(|b, w| {
        let first = b.object("l[0]", Kind::Lock);
        b.object("l[1]", Kind::Lock);
        let cell = Target::cell(first, 2, Expr::read(w.x));
        b.edge(Edge::new(w.p, A, B).run(Command::Assign(w.x.into(), 1.into())).run(Command::Acquire(cell, w.p)));
    });
    assert_says(&index, "`x` is modified earlier");
    let joint = refused(|b, w| {
        let q = process(b, "Q");
        let go = b.action("go");
        b.edge(Edge::new(w.p, A, B).sync(go).run(Command::Take(w.tokens.into(), 1)));
        b.edge(Edge::new(q, A, B).sync(go).run(Command::Take(w.tokens.into(), 1)));
    });
    assert_says(&joint, "`c` is modified earlier");
}

#[test]
fn a_step_meets_in_one_way() {
    let both = refused(|b, w| {
        let go = b.action("go");
        b.edge(Edge::new(w.p, A, B).sync(go).run(Command::Send(w.meet.into(), vec![0.into()])));
    });
    assert_says(&both, "one rendezvous or in one action");
}

#[test]
fn bombs_are_refused() {
    let many = refused(|b, _| {
        let go = b.action("go");
        for i in 0..24 {
            let p = process(b, &format!("Q{i}"));
            b.edge(Edge::new(p, A, B).sync(go));
            b.edge(Edge::new(p, B, A).sync(go));
        }
    });
    assert_says(&many, "more than");
    let meetings = refused(|b, w| {
        for i in 0..2100 {
            let p = process(b, &format!("Q{i}"));
            let command = match i % 2 {
                0 => Command::Send(w.meet.into(), vec![0.into()]),
                _ => Command::Receive(w.meet.into(), vec![Pattern::Ignore]),
            };
            b.edge(Edge::new(p, A, B).run(command));
        }
    });
    assert_says(&meetings, "can meet in more than");
    let wide = refused(|b, _| _ = b.object("huge", channel(4_000_000_000, false, 1)));
    assert_says(&wide, "bits");
    let deep = refused(|b, w| {
        let nest = (0..1000).fold(Expr::read(w.x), |e, _| e.op(Binary::Add, 1));
        b.edge(Edge::new(w.p, A, B).when(nest));
    });
    assert_says(&deep, "nested deeper");
}

fn names(system: &System) -> Vec<&str> {
    system.transitions().iter().map(|t| t.name.as_str()).collect()
}

/// The numbers of the enabled transitions.
fn enabled(system: &System, state: &[u64]) -> Vec<usize> {
    system.enabled(state).map(|t| t.expect("nothing is a fault").index()).collect()
}

/// The state after the first transition from the initial one.
fn after_first(system: &System) -> Vec<u64> {
    let state = system.initial_state();
    let mut next = state.clone();
    system.fire(model::TransitionId(0), &state, &mut next).expect("nothing is a fault");
    next
}

#[test]
fn a_shared_action_takes_every_process_that_knows_it() {
    let (mut b, w) = world();
    let (q, r) = (process(&mut b, "Q"), process(&mut b, "R"));
    let (go, stop) = (b.action("go"), b.action("stop"));
    b.edge(Edge::new(q, A, B).sync(go));
    b.edge(Edge::new(w.p, A, B).sync(go));
    b.edge(Edge::new(w.p, B, A).sync(go));
    b.edge(Edge::new(q, A, B).sync(stop));
    b.alphabet(r, stop);
    let system = b.build().expect("the model is right");
    assert_eq!(names(&system), ["go", "go"], "R knows `stop` and never takes part in it");
    assert!(system.transitions().iter().all(|t| t.moves.len() == 2 && t.joining == Joining::Action));
}

#[test]
fn a_rendezvous_joins_a_sender_and_a_receiver_of_different_processes() {
    let (mut b, w) = world();
    let q = process(&mut b, "Q");
    let receive = |pattern| Command::Receive(w.meet.into(), vec![pattern]);
    b.edge(Edge::new(w.p, A, B).label("ask").run(Command::Send(w.meet.into(), vec![1.into()])));
    b.edge(Edge::new(w.p, B, A).label("self").run(receive(Pattern::Ignore)));
    b.edge(Edge::new(q, A, B).label("take").run(receive(Pattern::Bind(w.x.into()))));
    b.edge(Edge::new(q, A, A).label("refuse").run(receive(Pattern::Match(2.into()))));
    let system = b.build().expect("the model is right");
    assert_eq!(names(&system), ["P.ask > Q.take", "P.ask > Q.refuse"]);
    assert_eq!(enabled(&system, &system.initial_state()), [0], "1 is not 2, so nothing is refused");
    assert_eq!(system.value(w.x, &after_first(&system)), Value::Int(1));
}

#[test]
fn joint_steps_remember_their_parts_and_edges_without_partners_are_kept() {
    let (mut b, w) = world();
    let (q, r) = (process(&mut b, "Q"), process(&mut b, "R"));
    let (go, stop) = (b.action("go"), b.action("stop"));
    b.edge(Edge::new(q, A, B).sync(go).when(Expr::read(w.x).is(1)));
    b.edge(Edge::new(w.p, A, A).label("alone"));
    b.edge(Edge::new(w.p, A, B).sync(go).run(Command::Assign(w.x.into(), 2.into())));
    b.edge(Edge::new(q, B, A).sync(stop).label("halt"));
    b.alphabet(r, stop);
    let system = b.build().expect("the model is right");
    let parts = |t| system.parts(model::TransitionId(t)).map(|e| (e.process, e.guard.len(), e.command.len()));
    assert_eq!(names(&system), ["P.alone", "go"]);
    assert_eq!(parts(0).count(), 0);
    assert_eq!(parts(1).collect::<Vec<_>>(), [(w.p, 0, 1), (q, 1, 0)]);
    let kept = system.joint_edges().iter().map(|e| e.label.as_deref().expect("labelled"));
    assert_eq!(kept.collect::<Vec<_>>(), ["go", "go", "halt"]);
    assert_eq!((system.action(stop), system.members(stop)), ("stop", &[q, r][..]));
}

#[test]
fn a_lossy_channel_may_lose_and_must_when_full() {
    let (mut b, w) = world();
    let q = b.object("lossy", channel(1, true, 1));
    b.edge(Edge::new(w.p, A, A).label("send").run(Command::Send(q.into(), vec![Expr::read(w.x)])));
    let system = b.build().expect("the model is right");
    assert_eq!(names(&system), ["P.send", "P.send (message lost)"]);
    assert_eq!(enabled(&system, &after_first(&system)), [1]);
}

#[test]
fn transitions_are_numbered_by_process_then_by_declaration() {
    let (mut b, w) = world();
    let q = process(&mut b, "Q");
    b.edge(Edge::new(q, A, B).label("first"));
    b.edge(Edge::new(w.p, A, B).label("second"));
    b.edge(Edge::new(w.p, A, B).label("third"));
    let system = b.build().expect("the model is right");
    assert_eq!(names(&system), ["P.second", "P.third", "Q.first"]);
}

#[test]
fn expressions_read_as_they_are_written() {
    let (b, w) = world();
    let system = b.build().expect("the model is right");
    let x = || Expr::read(w.x);
    let shown = |e: Expr| system.show_expr(&e);
    assert_eq!(shown(x().op(Binary::Add, -1).is(2)), "x - 1 == 2");
    let minus = Expr::Unary(Unary::Neg, Box::new(x().op(Binary::Add, 1)));
    assert_eq!(shown(x().op(Binary::Add, minus)), "x - (x + 1)");
    assert_eq!(shown(x().op(Binary::Sub, x().op(Binary::Sub, 1))), "x - (x - 1)");
    assert_eq!(
        shown(Expr::Free(w.lock.into()).negate().op(Binary::And, x().is(0).op(Binary::Or, Expr::TRUE))),
        "!free(m) && (x == 0 || 1)"
    );
    let masked = x().op(Binary::BitAnd, x().op(Binary::Add, 1));
    assert_eq!(shown(masked.clone().is(0)), "(x & (x + 1)) == 0");
    assert_eq!(shown(Expr::Unary(Unary::BitNot, Box::new(masked.op(Binary::ShiftLeft, 2)))), "~((x & (x + 1)) << 2)");
    // Nobody writes that a machine integer wraps around.
    let byte = Unary::Wrap(Wrap { bits: 8, signed: false });
    assert_eq!(shown(Expr::Unary(byte, Box::new(x().op(Binary::Add, 1))).op(Binary::Mul, 2)), "(x + 1) * 2");
    let patterns = || vec![Pattern::Match(x())];
    assert_eq!(shown(Expr::Offers(w.queue.into(), patterns(), true)), "q??[=x]");
    let command = |anywhere, keep| {
        system.show_command(&Command::Retrieve(w.queue.into(), patterns(), Retrieve { anywhere, keep }))
    };
    assert_eq!([command(true, false), command(false, true)], ["q??(=x)", "q?<=x>"]);
    assert_eq!(system.show_command(&Command::Insert(w.queue.into(), vec![x()])), "q!!x");
}
