//! Whole runs against claims of them: right ones are accepted, and each way to be wrong has its own refusal.

use automata::Automaton;
use automata::automaton::{Cube, Edge as Arc, Label, Marks, State};
use check::{Finding, ReplayError, replay};
use evidence::Trace;
use model::{
    Acceptor, Binary, Builder, Claim, Command, Domain, Edge, Expr, Hold, Kind, LocationId, Ltl, ProcessId, Property,
    Proposition, Strength, System, Temporal, TransitionId,
};
use testkit::brief::{always, at, eventually, fair, or, trace};

fn found(system: &System, temporal: &Temporal, run: &Trace) -> Result<Finding, ReplayError> {
    replay(system, &Property::Temporal(temporal.clone()), run).map(|checked| checked.finding())
}

/// A client that asks (0), is served (1) or gives up for good (2), and a clock that ticks (3) and rests (4) while the
/// client asks.
fn service() -> System {
    let mut b = Builder::new("service");
    let (client, clock) = (b.process("Client"), b.process("Clock"));
    let [idle, asking, gone] = ["idle", "asking", "gone"].map(|name| b.location(client, name));
    let [tick, tock] = ["tick", "tock"].map(|name| b.location(clock, name));
    let asks = b.object("asks", Kind::Variable(Domain::Bool));
    let set = |value: i64| Command::Assign(asks.into(), Expr::Const(value));
    b.edge(Edge::new(client, idle, asking).label("ask").run(set(1)));
    b.edge(Edge::new(client, asking, idle).label("serve").run(set(0)));
    b.edge(Edge::new(client, asking, gone).label("leave").run(set(0)));
    b.edge(Edge::new(clock, tick, tock).label("tick").when(Expr::read(asks)));
    b.edge(Edge::new(clock, tock, tick).label("rest").when(Expr::read(asks)));
    b.build().expect("a model")
}

const ASK: u32 = 0;
const SERVE: u32 = 1;
const LEAVE: u32 = 2;
const TICK: u32 = 3;
const REST: u32 = 4;

/// Whoever asks is idle again, some time.
fn served() -> Ltl {
    always(or(at(0, 1).negate(), eventually(at(0, 0))))
}

/// Why a run shows nothing.
fn nothing(why: &'static str) -> ReplayError {
    ReplayError::ShowsNothing(why.into())
}

const UNREMARKABLE: &str = "the run does not show what it should";
const NO_CYCLE: &str = "the steps that should repeat do not lead back to where they began";
const GOES_ON: &str = "the run does not end where it stops: something is enabled there";
const ENDS: &str = "the run ends for who looks on, and only runs that go on for ever count";
const FAULTY: &str = "after step 1 what the property speaks of is a model error, but the run goes on";

#[test]
fn lassos_and_ended_runs_show_that_a_formula_is_false() {
    let (system, claim) = (service(), Temporal::formula(served()));
    let shown = |stem: &[u32], cycle: &[u32]| found(&system, &claim, &trace(stem, cycle));
    assert_eq!(shown(&[ASK], &[TICK, REST]), Ok(Finding::FormulaFalse));
    assert_eq!(shown(&[ASK, TICK], &[REST, TICK]), Ok(Finding::FormulaFalse), "it may begin anywhere");
    assert_eq!(shown(&[ASK, LEAVE], &[]), Ok(Finding::FormulaFalse), "the client has gone, and nothing is enabled");
    assert_eq!(shown(&[], &[ASK, SERVE]), Err(nothing(UNREMARKABLE)), "the formula is true of it");
    assert_eq!(shown(&[ASK], &[TICK, REST, SERVE, ASK]), Err(nothing(UNREMARKABLE)));
}

#[test]
fn what_is_no_maximal_run_is_refused() {
    let (system, claim) = (service(), Temporal::formula(served()));
    let refused = |stem: &[u32], cycle: &[u32]| found(&system, &claim, &trace(stem, cycle)).err();
    let transition = TransitionId;
    assert_eq!(refused(&[ASK], &[TICK]), Some(nothing(NO_CYCLE)));
    assert_eq!(refused(&[ASK], &[]), Some(nothing(GOES_ON)));
    assert_eq!(refused(&[], &[]), Some(nothing(GOES_ON)));
    assert_eq!(refused(&[], &[TICK, REST]), Some(ReplayError::NotEnabled { step: 0, transition: transition(TICK) }));
    let last = ReplayError::NotEnabled { step: 2, transition: transition(TICK) };
    assert_eq!(refused(&[ASK], &[TICK, TICK]), Some(last));
    assert_eq!(refused(&[ASK, 9], &[]), Some(ReplayError::NotEnabled { step: 1, transition: transition(9) }));
    let infinite = Temporal { finite: false, ..claim };
    assert_eq!(found(&system, &infinite, &trace(&[ASK, LEAVE], &[])), Err(nothing(ENDS)));
    assert_eq!(found(&system, &infinite, &trace(&[ASK], &[TICK, REST])), Ok(Finding::FormulaFalse));
}

#[test]
fn only_fair_runs_count() {
    let system = service();
    let refused = |strength, to: &[u32], cycle: &[u32]| {
        let claim = Temporal { fairness: vec![fair(strength, "it", to)], ..Temporal::formula(served()) };
        found(&system, &claim, &trace(&[ASK], cycle))
    };
    let unfair = Err(nothing("the run is not fair to `it`"));
    let (weak, strong) = (Strength::Weak, Strength::Strong);
    assert_eq!(refused(weak, &[ASK, SERVE, LEAVE], &[TICK, REST]), unfair, "the client could always go on");
    assert_eq!(refused(strong, &[SERVE], &[TICK, REST]), unfair);
    assert_eq!(refused(weak, &[TICK, REST], &[TICK, REST]), Ok(Finding::FormulaFalse), "the clock goes on");
    assert_eq!(refused(weak, &[ASK], &[TICK, REST]), Ok(Finding::FormulaFalse), "nobody can ask");
    assert_eq!(refused(strong, &[ASK], &[TICK, REST]), Ok(Finding::FormulaFalse), "nobody can ask");
    assert_eq!(refused(weak, &[], &[TICK, REST]), Ok(Finding::FormulaFalse), "there is nobody to be fair to");
    let never_ticks = |strength| {
        let ticks = always(eventually(at(1, 1)));
        let claim = Temporal { fairness: vec![fair(strength, "Clock", &[TICK, REST])], ..Temporal::formula(ticks) };
        found(&system, &claim, &trace(&[], &[ASK, SERVE]))
    };
    assert_eq!(never_ticks(weak), Ok(Finding::FormulaFalse), "the clock can tick now and then, but not always");
    assert_eq!(never_ticks(strong), Err(nothing("the run is not fair to `Clock`")));
    let ended = Temporal { fairness: vec![fair(strong, "it", &[SERVE])], ..Temporal::formula(served()) };
    assert_eq!(found(&system, &ended, &trace(&[ASK, LEAVE], &[])), Ok(Finding::FormulaFalse), "what ends is fair");
}

#[test]
fn steps_and_enabledness_are_seen() {
    let system = service();
    let ids = |to: &[u32]| to.iter().map(|t| TransitionId(*t)).collect::<Box<[TransitionId]>>();
    let taken = |to: &[u32]| Ltl::Atom(Proposition::Taken(ids(to)));
    let enabled = |to: &[u32]| Ltl::Atom(Proposition::Enabled(ids(to)));
    let shown = |formula: Ltl, stem: &[u32], cycle: &[u32]| {
        found(&system, &Temporal::formula(formula), &trace(stem, cycle)) == Ok(Finding::FormulaFalse)
    };
    assert!(shown(taken(&[ASK]), &[], &[ASK, SERVE]), "no step led to the first position");
    assert!(shown(Ltl::Next(Box::new(taken(&[ASK]))).negate(), &[], &[ASK, SERVE]));
    assert!(shown(always(eventually(taken(&[SERVE]))).negate(), &[], &[ASK, SERVE]));
    assert!(shown(always(eventually(taken(&[SERVE]))), &[ASK], &[TICK, REST]));
    assert!(shown(always(taken(&[ASK, SERVE]).negate()), &[], &[ASK, SERVE]));
    assert!(shown(eventually(always(taken(&[LEAVE]))), &[ASK, LEAVE], &[]), "the end is repeated by no step");
    assert!(shown(eventually(taken(&[LEAVE])).negate(), &[ASK, LEAVE], &[]), "but it was reached by one");
    assert!(shown(always(enabled(&[ASK])), &[], &[ASK, SERVE]));
    assert!(!shown(always(enabled(&[ASK, SERVE])), &[], &[ASK, SERVE]));
    assert!(shown(eventually(always(enabled(&[ASK]).negate())).negate(), &[ASK, LEAVE], &[]));
}

/// Accepts what has the first atom true for ever from some position on; or, with more sets, each again and again.
fn acceptor(atoms: Vec<Proposition>, persistence: bool) -> Acceptor {
    let arc = |positive, marks, target| Arc {
        label: Label([Cube { positive, negative: 0 }].into()),
        marks: Marks(marks),
        target: State(target),
    };
    let n = atoms.len();
    let edges = match persistence {
        true => vec![vec![arc(0, 0, 0), arc(1, 0, 1)], vec![arc(1, 1, 1)]],
        false => vec![std::iter::once(arc(0, 0, 0)).chain((0..n).map(|i| arc(1 << i, 1 << i, 0))).collect()],
    };
    let sets = if persistence { 1 } else { n as u32 };
    Acceptor { atoms, automaton: Automaton { atoms: n, sets, initial: State(0), edges }, places: Vec::new() }
}

#[test]
fn automata_accept_lassos() {
    let system = service();
    let state = |p, l| Proposition::State(Expr::At(ProcessId(p), LocationId(l)));
    let shown = |acceptor: Acceptor, stem: &[u32], cycle: &[u32]| {
        let claim = Temporal { claim: Claim::Never(acceptor), fairness: Vec::new(), finite: true };
        found(&system, &claim, &trace(stem, cycle))
    };
    let nothing = Err(nothing(UNREMARKABLE));
    assert_eq!(shown(acceptor(vec![state(0, 1)], true), &[ASK], &[TICK, REST]), Ok(Finding::Accepted));
    assert_eq!(shown(acceptor(vec![state(0, 1)], true), &[], &[ASK, SERVE]), nothing);
    assert_eq!(shown(acceptor(vec![state(0, 2)], true), &[ASK, LEAVE], &[]), Ok(Finding::Accepted));
    let both = || acceptor(vec![state(0, 1), state(1, 1)], false);
    assert_eq!(shown(both(), &[ASK], &[TICK, REST]), Ok(Finding::Accepted));
    assert_eq!(shown(both(), &[], &[ASK, SERVE]), nothing, "the second is never true");
    let either = || acceptor(vec![state(0, 0), state(1, 1)], false);
    assert_eq!(shown(either(), &[ASK], &[TICK, REST]), nothing, "the first is true once only");
    assert_eq!(shown(either(), &[ASK], &[TICK, REST, SERVE, ASK]), Ok(Finding::Accepted));
    // Every other position is skipped, and of two marks only one is met at a time.
    let mut slow = both();
    slow.automaton.edges = vec![slow.automaton.edges[0].clone(); 2];
    slow.automaton.edges[0].iter_mut().for_each(|e| (e.target, e.marks) = (State(1), Marks(0)));
    assert_eq!(shown(slow.clone(), &[ASK], &[TICK, REST]), nothing, "the clock's tock is always skipped");
    slow.automaton.initial = State(1);
    assert_eq!(shown(slow, &[ASK], &[TICK, REST]), Ok(Finding::Accepted));
}

/// Where an automaton has seen enough, a run need not go on; nor must it have stopped.
#[test]
fn automata_come_to_their_end() {
    let system = service();
    let edge = |positive, target| Arc {
        label: Label([Cube { positive, negative: 0 }].into()),
        marks: Marks(u32::from(target == 1).into()),
        target: State(target),
    };
    let served = Proposition::State(Expr::At(ProcessId(0), LocationId(1)));
    let claim = |last: Vec<Arc>, finite| {
        let automaton =
            Automaton { atoms: 1, sets: 1, initial: State(0), edges: vec![vec![edge(0, 0), edge(1, 1)], last] };
        let acceptor = Acceptor { atoms: vec![served.clone()], automaton, places: Vec::new() };
        Temporal { claim: Claim::Never(acceptor), fairness: Vec::new(), finite }
    };
    let sink = claim(vec![edge(0, 1)], true);
    assert_eq!(found(&system, &sink, &trace(&[ASK], &[])), Ok(Finding::Ended));
    assert_eq!(found(&system, &sink, &trace(&[], &[])), Err(nothing(GOES_ON)), "nothing was seen yet");
    assert_eq!(found(&system, &sink, &trace(&[ASK, TICK], &[])), Err(nothing(GOES_ON)), "it ended before");
    assert_eq!(check::ended(&system, &sink, &trace(&[], &[ASK, SERVE]), 2), Some(1));
    let waiting = claim(vec![edge(1, 1)], true);
    assert_eq!(
        found(&system, &waiting, &trace(&[ASK], &[])),
        Err(nothing(GOES_ON)),
        "what follows may not be accepted"
    );
    let endless = claim(vec![edge(0, 1)], false);
    assert_eq!(
        check::ended(&system, &endless, &trace(&[], &[ASK, SERVE]), 2),
        None,
        "only what goes on for ever counts"
    );
}

/// A model error is possible after the automaton has seen enough, and it does not see a step that is one.
#[test]
fn automata_come_to_their_end_before_a_model_error() {
    let mut b = Builder::new("faulty");
    let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 1 }));
    let p = b.process("P");
    let s = b.location(p, "s");
    let more = Expr::read(x).op(Binary::Add, Expr::Const(1));
    b.edge(Edge::new(p, s, s).run(Command::Assign(x.into(), more)));
    let system = b.build().expect("a model");
    let claim = |value| {
        let seen = Proposition::State(Expr::read(x).op(Binary::Eq, Expr::Const(value)));
        let edge = |positive, target| Arc {
            label: Label([Cube { positive, negative: 0 }].into()),
            marks: Marks(u32::from(target == 1).into()),
            target: State(target),
        };
        let edges = vec![vec![edge(0, 0), edge(1, 1)], vec![edge(0, 1)]];
        let automaton = Automaton { atoms: 1, sets: 1, initial: State(0), edges };
        let acceptor = Acceptor { atoms: vec![seen], automaton, places: Vec::new() };
        Temporal { claim: Claim::Never(acceptor), fairness: Vec::new(), finite: true }
    };
    let run = trace(&[0, 0], &[]);
    for (value, end) in [(0, Some(0)), (1, Some(1)), (2, None)] {
        let claim = claim(value);
        let shown = replay(&system, &Property::Temporal(claim.clone()), &run).expect("the last step is an error");
        assert!(matches!(shown.finding(), Finding::Fault(_)) && shown.fired() == 1);
        assert_eq!(check::ended(&system, &claim, &run, shown.fired()), end, "{value}");
    }
}

/// A process that has control for ever, and one that has it for a while: `x` is 1 only in between.
fn controlled(for_ever: bool) -> System {
    let mut b = Builder::new("controlled");
    let x = b.object("x", Kind::Variable(Domain::Bool));
    let p = b.process("P");
    let (free, held) = (b.location(p, "free"), b.location(p, "held"));
    b.hold(p, held, Hold::Atomic);
    b.edge(Edge::new(p, free, held).run(Command::Assign(x.into(), Expr::Const(1))));
    let back = if for_ever { held } else { free };
    b.edge(Edge::new(p, held, back).run(Command::Assign(x.into(), Expr::Const(0))));
    b.build().expect("a model")
}

#[test]
fn what_happens_under_control_is_not_seen() {
    let x = |system: &System| Expr::read(system.find_object("x").expect("it is there"));
    let system = controlled(false);
    let seen = Temporal::formula(eventually(Ltl::state(x(&system))));
    assert_eq!(found(&system, &seen, &trace(&[], &[0, 1])), Ok(Finding::FormulaFalse), "`x` is never seen to be 1");
    assert_eq!(found(&system, &seen, &trace(&[0], &[1, 0])), Ok(Finding::FormulaFalse));
    let by_first = Ltl::Atom(Proposition::Taken([TransitionId(0)].into()));
    assert_eq!(
        found(&system, &Temporal::formula(eventually(by_first)), &trace(&[], &[0, 1])),
        Ok(Finding::FormulaFalse),
        "the last step under control is the one that leads to the next position"
    );
    let system = controlled(true);
    let kept = |formula: Ltl| found(&system, &Temporal::formula(formula), &trace(&[0, 1], &[1]));
    let by_first = Ltl::Atom(Proposition::Taken([TransitionId(0)].into()));
    assert_eq!(kept(eventually(Ltl::state(x(&system)))), Ok(Finding::FormulaFalse), "the first position is repeated");
    assert_eq!(kept(eventually(by_first.clone())), Ok(Finding::FormulaFalse), "by no step");
    assert_eq!(kept(eventually(by_first).negate()), Err(nothing(UNREMARKABLE)));
    assert_eq!(kept(always(Ltl::state(x(&system)).negate())), Err(nothing(UNREMARKABLE)));
    let endless = Temporal { finite: false, ..Temporal::formula(Ltl::state(Expr::TRUE).negate()) };
    assert_eq!(found(&system, &endless, &trace(&[0, 1], &[1])), Err(nothing(ENDS)));
}

/// After the last position, fairness looks at what is enabled while somebody has control.
#[test]
fn who_keeps_control_must_be_fair() {
    let mut b = Builder::new("kept");
    let (p, q) = (b.process("P"), b.process("Q"));
    let (free, held, only) = (b.location(p, "free"), b.location(p, "held"), b.location(q, "only"));
    b.hold(p, held, Hold::Atomic);
    b.edge(Edge::new(p, free, held));
    b.edge(Edge::new(p, held, held));
    b.edge(Edge::new(p, held, free));
    b.edge(Edge::new(q, only, only));
    let system = b.build().expect("a model");
    let shown = |strength, to: &[u32]| {
        let claim = Temporal { fairness: vec![fair(strength, "it", to)], ..Temporal::formula(always(at(0, 1))) };
        found(&system, &claim, &trace(&[0], &[1]))
    };
    for strength in [Strength::Weak, Strength::Strong] {
        assert_eq!(shown(strength, &[2]), Err(nothing("the run is not fair to `it`")), "it could leave");
        assert_eq!(shown(strength, &[1, 2]), Ok(Finding::FormulaFalse));
        assert_eq!(shown(strength, &[3]), Ok(Finding::FormulaFalse), "nobody else can go on");
    }
}

#[test]
fn model_errors_are_shown_by_finite_runs() {
    let mut b = Builder::new("error");
    let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 2 }));
    let p = b.process("P");
    let here = b.location(p, "here");
    b.edge(Edge::new(p, here, here).run(Command::Assign(x.into(), Expr::read(x).op(Binary::Add, 1))));
    b.edge(Edge::new(p, here, here).run(Command::Assign(x.into(), Expr::Const(0))));
    let system = b.build().expect("a model");
    let quotient = Expr::Const(1).op(Binary::Div, Expr::read(x).op(Binary::Sub, 1));
    let claim = Temporal::formula(always(Ltl::state(quotient.is(5))));
    let shown = |stem: &[u32], cycle: &[u32]| found(&system, &claim, &trace(stem, cycle));
    assert!(matches!(shown(&[0, 0, 0], &[]), Ok(Finding::Fault(_))), "the last step is one");
    assert!(matches!(shown(&[0], &[]), Ok(Finding::Fault(_))), "the atom is one in the last state");
    assert_eq!(shown(&[0, 0], &[]), Err(nothing(FAULTY)));
    assert_eq!(shown(&[], &[0, 1]), Err(nothing(FAULTY)));
    assert_eq!(shown(&[], &[1]), Ok(Finding::FormulaFalse));
}
