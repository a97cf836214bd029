//! Operators of machine integers and channels that are used out of order: every operation on every small value is what
//! the oracle says, and sorted sends do what SPIN does.

use model::{Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Kind, ObjectId, Pattern, Retrieve};
use model::{System, Target, Unary, Value, Wrap};
use testkit::compare::semantics;
use testkit::naive::{Naive, Semantics, eval};

const UNARY: [Unary; 3] = [Unary::Not, Unary::Neg, Unary::BitNot];
const BINARY: [Binary; 12] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Rem,
    Binary::BitAnd,
    Binary::BitOr,
    Binary::BitXor,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::Lt,
    Binary::Min,
];

/// Numbers around zero, around the ends of machine integers, and the last ones.
fn numbers() -> Vec<i64> {
    let around = |n: i64| [n.saturating_sub(1), n, n.saturating_add(1)];
    let ends = [i64::MIN, -(1 << 32), -(1 << 31), -(1 << 15), -128, 128, 255, 1 << 16, 1 << 31, 1 << 32, i64::MAX];
    (-9..=9).chain([62, 63, 64, 65]).chain(ends.into_iter().flat_map(around)).collect()
}

fn wraps() -> impl Iterator<Item = Unary> {
    (1..=63).flat_map(|bits| [true, false].map(|signed| Unary::Wrap(Wrap { bits, signed })))
}

/// Two variables of which nothing is known, but that they are zero at first.
fn pair() -> (System, [ObjectId; 2]) {
    let mut b = Builder::new("pair");
    let wide = || Kind::Variable(Domain::Range { lo: i32::MIN, hi: i32::MAX });
    let objects = ["x", "y"].map(|name| b.object(name, wide()));
    (b.build().expect("two variables"), objects)
}

/// The compiled semantics and the oracle agree on an expression in the initial state.
fn agree(system: &System, e: &Expr) {
    let state = Naive::new(system).initial();
    let packed = system.initial_state();
    match eval(system.objects(), e, &state) {
        Ok(value) => {
            let is = system.predicate(&e.clone().is(value)).holds(system, &packed);
            assert_eq!(is, Ok(true), "{e:?} is {value}");
        }
        Err(fault) => assert_eq!(system.predicate(e).holds(system, &packed), Err(fault), "{e:?}"),
    }
}

/// A number as a constant, and as something that is known only when it is evaluated: `x` is zero.
fn forms(x: ObjectId, n: i64) -> [Expr; 2] {
    [Expr::Const(n), Expr::Unary(Unary::Neg, Box::new(Expr::read(x))).op(Binary::BitXor, n)]
}

#[test]
fn every_operator_on_every_kind_of_number() {
    let (system, [x, y]) = pair();
    for a in numbers() {
        for op in UNARY.into_iter().chain(wraps()) {
            forms(x, a).into_iter().for_each(|e| agree(&system, &Expr::Unary(op, Box::new(e))));
        }
        for b in numbers() {
            for op in BINARY {
                for (a, b) in forms(x, a).into_iter().zip(forms(y, b)) {
                    agree(&system, &a.op(op, b));
                }
            }
        }
    }
}

/// All operations on one channel, with variables that take what is received; everything can happen at any time.
fn everything(first: &[i64], domain: Domain, capacity: u32) -> System {
    let mut b = Builder::new("everything");
    let process = b.process("P");
    let here = b.location(process, "here");
    let fields = vec![domain.clone(), Domain::Bool];
    let q = b.object("q", Kind::Channel(ChannelType { capacity, lossy: false, fields }));
    let initial = Value::Int(first[0]);
    let taken = b.object_with("taken", Kind::Variable(domain), initial, None);
    let mut add = |c: Command| b.edge(Edge::new(process, here, here).run(c));
    for (v, flag) in first.iter().flat_map(|v| [(*v, 0), (*v, 1)]) {
        let message = || vec![Expr::Const(v), Expr::Const(flag)];
        add(Command::Send(q.into(), message()));
        add(Command::Insert(q.into(), message()));
    }
    let wanted = |v: i64| Pattern::Match(v.into());
    for how in [(false, false), (false, true), (true, false), (true, true)] {
        let how = Retrieve { anywhere: how.0, keep: how.1 };
        let bind = || Pattern::Bind(Target::fixed(taken));
        let again = Pattern::Match(Expr::read(taken));
        let patterns =
            [vec![bind(), wanted(1)], vec![again, Pattern::Ignore], vec![Pattern::Ignore; 2], vec![bind(), wanted(2)]];
        for patterns in patterns {
            add(Command::Retrieve(q.into(), patterns, how));
        }
    }
    b.build().expect("single operations are never refused")
}

/// Predicates for everything that can be offered.
fn offers(system: &System, first: &[i64]) -> Vec<Expr> {
    let q = system.find_object("q").expect("the channel");
    let wanted = |v: i64| Pattern::Match(v.into());
    let some = |p: Vec<Pattern>| [false, true].map(|anywhere| Expr::Offers(q.into(), p.clone(), anywhere));
    let both = first.iter().flat_map(|v| [0, 1].map(|flag| vec![wanted(*v), wanted(flag)]));
    let one = first.iter().map(|v| vec![wanted(*v), Pattern::Ignore]);
    both.chain(one).chain([vec![Pattern::Ignore; 2]]).flat_map(some).collect()
}

#[test]
fn every_operation_on_every_content_of_a_channel() {
    let narrow = (vec![0, 1, 2], Domain::Range { lo: 0, hi: 2 }, 3);
    let signed = (vec![-3, 4], Domain::Range { lo: -3, hi: 4 }, 4);
    // Three numbers of 32 bits take more than one word.
    let wide = (vec![i64::from(i32::MIN), i64::from(i32::MAX)], Domain::Range { lo: i32::MIN, hi: i32::MAX }, 3);
    for (first, domain, capacity) in [narrow, signed, wide] {
        let system = everything(&first, domain, capacity);
        semantics(&system, 5_000).expect("few states").unwrap_or_else(|e| panic!("{e}"));
        let graph = testkit::naive::explore(&testkit::packed::Packed(&system), 5_000).expect("few states");
        let contents = (0..=capacity).map(|n| (2 * first.len()).pow(n)).sum::<usize>();
        assert!(graph.states.len() > contents, "all contents are met");
        for e in offers(&system, &first) {
            testkit::compare::predicate(&system, &graph, &e).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// What SPIN 6.5.2 makes of `q!5,1; q!2,9; q!4,0; q!!3,7; q!!6,1; q!!2,1; q!!5,0`, and of equal and negative fields.
#[test]
fn sorted_sends_are_those_of_spin() {
    let runs = [
        (
            vec![
                (false, [5, 1]),
                (false, [2, 9]),
                (false, [4, 0]),
                (true, [3, 7]),
                (true, [6, 1]),
                (true, [2, 1]),
                (true, [5, 0]),
            ],
            vec![[2, 1], [3, 7], [5, 0], [5, 1], [2, 9], [4, 0], [6, 1]],
        ),
        (
            vec![(false, [5, 1]), (true, [3, 2]), (true, [5, 0]), (true, [5, 1]), (true, [-1, 7]), (true, [5, 2])],
            vec![[-1, 7], [3, 2], [5, 0], [5, 1], [5, 1], [5, 2]],
        ),
    ];
    for (sent, expected) in runs {
        let mut b = Builder::new("sorted");
        let process = b.process("P");
        let fields = vec![Domain::Range { lo: -32768, hi: 32767 }; 2];
        let q = b.object("q", Kind::Channel(ChannelType { capacity: 8, lossy: false, fields }));
        let mut at = b.location(process, "l0");
        for (i, (sorted, message)) in sent.into_iter().enumerate() {
            let to = b.location(process, format!("l{}", i + 1));
            let message = message.map(Expr::Const).to_vec();
            let command = if sorted { Command::Insert(q.into(), message) } else { Command::Send(q.into(), message) };
            b.edge(Edge::new(process, at, to).run(command));
            at = to;
        }
        let system = b.build().expect("single operations are never refused");
        let mut state = system.initial_state();
        for t in system.transition_ids() {
            system.fire_in_place(t, &mut state).expect("each step is the next one");
        }
        let expected = expected.iter().map(|m| m.to_vec()).collect();
        assert_eq!(system.value(q, &state), Value::Queue(expected));
    }
}

#[test]
fn what_was_not_foreseen_is_told_by_its_number() {
    let mut b = Builder::new("unforeseen");
    let process = b.process("P");
    let here = b.location(process, "here");
    b.edge(Edge::new(process, here, here).run(Command::Unforeseen(7)));
    let system = b.build().expect("the model is right");
    let (state, t) = (system.initial_state(), model::TransitionId(0));
    assert_eq!(system.is_enabled(t, &state), Ok(true));
    let mut next = state.clone();
    assert_eq!(system.fire(t, &state, &mut next), Err(model::Fault::Unforeseen(7)));
    assert!(!system.is_lawful());
    semantics(&system, 10).expect("one state").expect("both semantics agree");
}
