//! Watchers: predicates made local, so that a selective search does not miss the states in which they are true.
//!
//! Section 6.4 of Godefroid's thesis adds a process with one transition that tests the predicate. Here that process has
//! no location of its own: a *watcher* is a transition without processes and without effect, whose guard is the
//! predicate. It is never fired: a search that meets a state where it is enabled has found what it looks for. Until
//! then it is a disabled transition that persistent sets have to reckon with, and that is all it is for.
//!
//! A watcher can also be *awaited* (Godefroid and Wolper 1993, section 4): the processes are then made to stop once it
//! was enabled, by one more transition from a location of each cycle of each process. These transitions wait for the
//! watcher, so that whoever may loop for ever is in conflict with it, and no proviso is needed. They need not be there:
//! it is enough that a transition from such a location is dependent with the watcher. A process that the predicate pins
//! to a location takes part in the watcher and stops there, and nowhere else.

use crate::compile::Program;
use crate::{Binary, Expr, Joining, LocationId, Process, ProcessId, System, Transition, TransitionId, Unary};

/// What is known of the watchers of a system.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// The first watcher; all later transitions are watchers, too.
    pub(crate) first: TransitionId,
    /// By transition, whether it is in conflict with the watchers because it may be part of an endless loop.
    pub(crate) feedback: Vec<bool>,
}

/// The most watchers that one predicate is split into.
const MOST: usize = 64;

impl System {
    /// The same system with watchers, after all other transitions, for predicates that may become true or false;
    /// perhaps awaited.
    #[must_use]
    pub fn watching<'p>(&self, goals: impl IntoIterator<Item = (&'p Expr, bool)>, awaited: bool) -> System {
        let mut system = self.clone();
        let mut guards: Vec<Vec<Expr>> = goals.into_iter().flat_map(|(e, value)| ways(e, value)).collect();
        let first = TransitionId::new(system.transitions.len());
        let mut feedback = vec![false; system.transitions.len()];
        if awaited {
            guards.extend(errors(self).map(|error| vec![error]));
            let graphs = control_graphs(self);
            let stops = |p: ProcessId| {
                let pinned = pins(&guards, p, self.process(p).locations.len());
                pinned.unwrap_or_else(|| loop_heads(self.process(p), &graphs[p.index()]))
            };
            let stops: Vec<Vec<bool>> = self.process_ids().map(stops).collect();
            for (t, feedback) in self.transitions.iter().zip(&mut feedback) {
                let leaves = t.moves.iter().any(|m| stops[m.process.index()][m.from.index()]);
                *feedback = t.moves.is_empty() || leaves;
            }
        }
        system.transitions.extend(guards.into_iter().map(watcher));
        feedback.resize(system.transitions.len(), false);
        system.watch = Some(Watch { first, feedback });
        system.program = Program::new(&system);
        system
    }
}

/// The error locations of the observer, which counts as one more process. They need no watchers unless they are awaited:
/// transitions that move the observer are dependent with each other.
fn errors(system: &System) -> impl Iterator<Item = Expr> {
    let observer = ProcessId::new(system.processes.len());
    let locations = system.observer.iter().flat_map(|o| &o.locations).enumerate();
    locations.filter(|(_, l)| l.error).map(move |(i, _)| Expr::At(observer, LocationId::new(i)))
}

fn watcher(guard: Vec<Expr>) -> Transition {
    let (name, label) = ("watcher".to_owned(), "watcher".into());
    let (moves, command, spans) = (Vec::new(), Vec::new(), Vec::new());
    Transition { name, label, moves, guard, command, joining: Joining::Plain, last_resort: false, spans }
}

/// The ways in which an expression takes a truth value, each a conjunction; in the order of evaluation. Not taken apart
/// if there are many.
fn ways(expr: &Expr, value: bool) -> Vec<Vec<Expr>> {
    all_ways(expr, value, MOST).unwrap_or_else(|| {
        let mut conjuncts = Vec::new();
        conjoin(expr, value, &mut conjuncts);
        vec![conjuncts]
    })
}

/// The same, if there are no more than so many.
pub(crate) fn all_ways(expr: &Expr, value: bool, most: usize) -> Option<Vec<Vec<Expr>>> {
    let mut parts = Vec::new();
    alternatives(expr, value, &mut parts);
    if parts.len() > most {
        return None;
    }
    let conjunction = |(e, value): (&Expr, bool)| {
        let mut conjuncts = Vec::new();
        conjoin(e, value, &mut conjuncts);
        conjuncts
    };
    Some(parts.into_iter().map(conjunction).collect())
}

/// Splits an expression where one of its parts is enough to give it its value.
fn alternatives<'e>(expr: &'e Expr, value: bool, parts: &mut Vec<(&'e Expr, bool)>) {
    match (expr, value) {
        (Expr::Unary(Unary::Not, a), _) => alternatives(a, !value, parts),
        (Expr::Binary(Binary::Or, a, b), true) | (Expr::Binary(Binary::And, a, b), false) => {
            alternatives(a, value, parts);
            alternatives(b, value, parts);
        }
        (Expr::Binary(Binary::Implies, a, b), true) => {
            alternatives(a, false, parts);
            alternatives(b, true, parts);
        }
        _ => parts.push((expr, value)),
    }
}

/// Splits an expression where all of its parts are needed to give it its value.
fn conjoin(expr: &Expr, value: bool, conjuncts: &mut Vec<Expr>) {
    match (expr, value) {
        (Expr::Unary(Unary::Not, a), _) => conjoin(a, !value, conjuncts),
        (Expr::Binary(Binary::And, a, b), true) | (Expr::Binary(Binary::Or, a, b), false) => {
            conjoin(a, value, conjuncts);
            conjoin(b, value, conjuncts);
        }
        (Expr::Binary(Binary::Implies, a, b), false) => {
            conjoin(a, true, conjuncts);
            conjoin(b, false, conjuncts);
        }
        (e, true) => conjuncts.push(e.clone()),
        (e, false) => conjuncts.push(Expr::Unary(Unary::Not, Box::new(e.clone()))),
    }
}

/// The locations that the watchers pin a process to, if each of them does.
fn pins(guards: &[Vec<Expr>], process: ProcessId, locations: usize) -> Option<Vec<bool>> {
    let mut pinned = vec![false; locations];
    for guard in guards {
        let pin = guard.iter().find_map(|e| match e {
            Expr::At(p, l) if *p == process => Some(*l),
            _ => None,
        });
        pinned[pin?.index()] = true;
    }
    Some(pinned)
}

/// Of each location of a process, the locations that it may go to.
type Graph = Vec<Vec<LocationId>>;

fn control_graphs(system: &System) -> Vec<Graph> {
    let mut graphs: Vec<Graph> = system.processes.iter().map(|p| vec![Vec::new(); p.locations.len()]).collect();
    for m in system.transitions.iter().flat_map(|t| &t.moves) {
        graphs[m.process.index()][m.from.index()].push(m.to);
    }
    graphs
}

/// Locations of a process without which its control graph has no cycle: the targets of the backward edges of a
/// depth-first search.
pub(crate) fn loop_heads(process: &Process, graph: &Graph) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let (mut heads, mut colours) = (vec![false; graph.len()], vec![Colour::New; graph.len()]);
    for start in std::iter::once(process.initial).chain((0..graph.len()).map(LocationId::new)) {
        if colours[start.index()] != Colour::New {
            continue;
        }
        colours[start.index()] = Colour::Open;
        let mut stack = vec![(start, 0)];
        while let Some((location, next)) = stack.last_mut() {
            let location = *location;
            let Some(&to) = graph[location.index()].get(*next) else {
                colours[location.index()] = Colour::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match colours[to.index()] {
                Colour::New => {
                    colours[to.index()] = Colour::Open;
                    stack.push((to, 0));
                }
                Colour::Open => heads[to.index()] = true,
                Colour::Done => {}
            }
        }
    }
    heads
}
