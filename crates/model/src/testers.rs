//! Testers: predicates as transitions, for the views of a system.
//!
//! A tester changes nothing and is enabled where its predicate is true. Guards know nothing of locations, so each
//! process that the predicate asks about takes part in the tester, staying where it is: there is one for each choice of
//! locations with which the predicate can still be true.

use crate::bounds::bounds;
use crate::compile::Program;
use crate::watch::all_ways;
use crate::{Expr, Joining, LocationId, Move, ProcessId, System, Target, Transition, ViewError};

/// The most testers of one predicate.
const MOST: usize = 1 << 12;
/// The most parts of expressions that are looked at for one predicate.
const WORK: usize = 1 << 22;

/// A system with testers after all its transitions.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The system.
    pub system: System,
    /// Of each tester, the number of the predicate that it tests.
    pub testers: Vec<usize>,
}

impl System {
    /// This system with testers, or why there are none.
    pub(crate) fn tested(&self, goals: &[(&Expr, bool)]) -> Result<Tested, ViewError> {
        let why = "the question may be a model error itself, or has too many cases";
        self.with_testers(goals).ok_or_else(|| ViewError::new(why))
    }

    /// This system with testers for predicates that have some truth value. `None` if evaluating one may be a fault, or if
    /// one takes too many testers.
    pub fn with_testers(&self, goals: &[(&Expr, bool)]) -> Option<Tested> {
        let mut tested = Tested { system: self.clone(), testers: Vec::new() };
        for (number, &(predicate, value)) in goals.iter().enumerate() {
            bounds(predicate, self.objects())?;
            let (mut found, mut work) = (Vec::new(), WORK);
            for guard in all_ways(predicate, value, MOST)? {
                expand(self, Vec::new(), guard, &mut found, &mut work)?;
            }
            tested.testers.extend(found.iter().map(|_| number));
            tested.system.transitions.extend(found);
        }
        tested.system.program = Program::new(&tested.system);
        Some(tested)
    }
}

/// The testers for a conjunction, with some processes placed already. `None` if they become too many.
fn expand(
    system: &System,
    moves: Vec<Move>,
    guard: Vec<Expr>,
    found: &mut Vec<Transition>,
    work: &mut usize,
) -> Option<()> {
    let mut parts = moves.len();
    guard.iter().for_each(|e| e.walk(&mut |_| parts += 1));
    *work = work.checked_sub(parts)?;
    let range = |e: &Expr| bounds(e, system.objects());
    if guard.iter().any(|e| range(e) == Some((0, 0))) {
        return Some(());
    }
    let guard: Vec<Expr> = guard.into_iter().filter(|e| !range(e).is_some_and(|(lo, hi)| lo > 0 || hi < 0)).collect();
    let Some(process) = guard.iter().find_map(asked) else {
        found.push(tester(moves, guard));
        return (found.len() <= MOST).then_some(());
    };
    for location in (0..system.process(process).locations.len()).map(LocationId::new) {
        let label = "test".into();
        let placed = Move { process, from: location, to: location, label };
        let moves = moves.iter().cloned().chain([placed]).collect();
        expand(system, moves, guard.iter().map(|e| placing(e, process, location)).collect(), found, work)?;
    }
    Some(())
}

fn tester(mut moves: Vec<Move>, guard: Vec<Expr>) -> Transition {
    moves.sort_by_key(|m| m.process);
    let (name, label, joining) = ("test".to_owned(), "test".into(), Joining::Plain);
    Transition {
        name,
        label,
        moves,
        guard,
        command: Vec::new(),
        joining,
        last_resort: false,
        yields: false,
        spans: Vec::new(),
    }
}

/// A process whose location an expression asks for.
fn asked(e: &Expr) -> Option<ProcessId> {
    let mut process = None;
    e.walk(&mut |part| {
        if let Expr::At(p, _) = part {
            process = process.or(Some(*p));
        }
    });
    process
}

/// An expression while a process is at a location.
fn placing(e: &Expr, process: ProcessId, location: LocationId) -> Expr {
    let below = |e: &Expr| Box::new(placing(e, process, location));
    let within = |t: &Target| Target { index: t.index.as_deref().map(below), ..t.clone() };
    match e {
        Expr::At(p, l) if *p == process => Expr::from(*l == location),
        e => e.rebuilt(within, |e| placing(e, process, location)),
    }
}
