//! Who made a condition false, however long ago.

use model::{Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Joining, Kind, ObjectId, System, TransitionId};

use crate::support::{cycle, explained, process};

const TICKS: i32 = 9_000;

/// Two processes take booleans as locks in opposite orders, each with a message that may be lost; a clock ticks.
fn system() -> System {
    let mut b = Builder::new("long");
    let f: Vec<ObjectId> = ["f1", "f2"].map(|name| b.object(name, Kind::Variable(Domain::Bool))).into();
    let channel = ChannelType { capacity: 1, lossy: true, fields: vec![Domain::Bool] };
    let c = b.object("c", Kind::Channel(channel));
    let n = b.object("n", Kind::Variable(Domain::Range { lo: 0, hi: TICKS }));
    for (name, first, second) in [("A", f[0], f[1]), ("B", f[1], f[0])] {
        let (p, l) = process(&mut b, name, &["0", "1", "2"]);
        let take =
            Edge::new(p, l[0], l[1]).when(Expr::read(first).is(0)).run(Command::Send(c.into(), vec![Expr::TRUE]));
        b.edge(take.run(Command::Assign(first.into(), Expr::Const(1))).label("take"));
        b.edge(Edge::new(p, l[1], l[2]).when(Expr::read(second).is(0)));
        b.edge(Edge::new(p, l[2], l[0]).run(Command::Assign(first.into(), Expr::Const(0))));
    }
    let (clock, l) = process(&mut b, "Clock", &["on"]);
    let up = Expr::read(n).op(Binary::Add, 1);
    let tick = Edge::new(clock, l[0], l[0]).when(Expr::read(n).op(Binary::Lt, i64::from(TICKS)));
    b.edge(tick.run(Command::Assign(n.into(), up)).label("tick"));
    b.build().expect("a model")
}

/// The transition of this process and label that loses its message, or that does not.
fn step(system: &System, process: &str, label: &str, loses: bool) -> TransitionId {
    let fits = |t: &TransitionId| {
        let t = system.transition(*t);
        let moves = t.moves.iter().any(|m| system.process(m.process).name == process && m.label.contains(label));
        moves && matches!(t.joining, Joining::Lost(_)) == loses
    };
    system.transition_ids().find(fits).expect("there is such a transition")
}

#[test]
fn the_step_that_made_a_condition_false_is_found_far_from_the_end() {
    let system = system();
    let tick = step(&system, "Clock", "tick", false);
    let ticks = |n: usize| vec![tick; n];
    for loses in [false, true] {
        // The second message always gets lost: the channel may be full.
        let (a, b) = (step(&system, "A", "take", loses), step(&system, "B", "take", true));
        let path = [ticks(700), vec![a], ticks(1300), vec![b], ticks(TICKS as usize - 2000)].concat();
        let (d, text, _) = explained(&system, path);
        assert_eq!(
            cycle(&d),
            [
                "A waits for `f2 == false`, made false by B in step 2002",
                "B waits for `f1 == false`, made false by A in step 701"
            ]
        );
        assert!(text.starts_with("9002 steps lead to a deadlock:\n"), "{text}");
        let gap = "... steps 31 to 8972 are left out (--all-steps shows more, a saved trace has them all)\n";
        assert!(text.contains(gap), "{text}");
    }
}
