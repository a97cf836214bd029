//! States as a graph: all of them if they are few, else those around the current one; and which of them a search needs that
//! looks for deadlocks with persistent sets.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use check::Walk;
use driver::Selection;
use model::{System, TransitionId};
use serde_json::{Value, json};

/// A state space with more states is shown around the current state.
const WHOLE: usize = 400;
/// So many states are shown around it.
const AROUND: usize = 90;
/// And so many states of the run that led there.
const BEFORE: usize = 12;
/// So many are counted, to say how large the state spaces are.
const COUNTED: usize = 20_000;
/// Each search may take so long; what it does not find by then is not there.
const PATIENCE: Duration = Duration::from_secs(1);
/// So many changes are told of a state.
const TOLD: usize = 6;

/// The graph around the end of a walk.
pub(super) fn of(system: &System, walk: &Walk<'_>) -> Value {
    let initial = system.initial_state();
    let all = Graph::explore(system, &initial, WHOLE, &mut everything);
    let whole = all.complete;
    let (mut graph, root) = match whole {
        true => (all, initial.clone()),
        false => (Graph::explore(system, walk.last(), AROUND, &mut everything), walk.last().to_vec()),
    };
    let mut selection = Selection::new(system);
    let mut select = |state: &[u64], enabled: &[TransitionId]| selection.of(state, enabled);
    let limit = if whole { WHOLE } else { AROUND };
    let reduced = Graph::explore(system, &root, limit, &mut select);
    let same = |from: usize| graph.numbers.get(&reduced.states[from]).copied();
    let mut kept: HashSet<(usize, TransitionId)> =
        reduced.edges.iter().filter_map(|(from, t, _)| Some((same(*from)?, *t))).collect();
    let around = graph.states.len();
    if !whole {
        // How it came to this is no part of either search.
        kept.extend(graph.lead_in(walk));
    }
    let states = graph.states.iter().enumerate().map(|(i, state)| {
        let stuck = graph.expanded[i] && system.enabled(state).next().is_none();
        json!({
            "label": label(system, &initial, state),
            "depth": graph.depths[i],
            "deadlock": stuck && !system.at_end(state),
            "end": stuck && system.at_end(state),
            "more": !graph.expanded[i],
            "reduced": i >= around || reduced.numbers.contains_key(state),
        })
    });
    let edge = |(from, t, to): &(usize, TransitionId, usize)| {
        json!({ "from": from, "to": to, "transition": t.0, "name": system.transition(*t).name,
                "reduced": kept.contains(&(*from, *t)) })
    };
    let path: Vec<Option<usize>> = walk.states().map(|s| graph.numbers.get(&s).copied()).collect();
    let taken: Vec<(usize, usize)> = path.windows(2).filter_map(|pair| Some((pair[0]?, pair[1]?))).collect();
    json!({
        "whole": whole,
        "before": graph.states.len() - around,
        "states": states.collect::<Vec<_>>(),
        "edges": graph.edges.iter().map(edge).collect::<Vec<_>>(),
        "current": graph.numbers.get(walk.last()),
        "path": path.iter().flatten().collect::<Vec<_>>(),
        "taken": taken,
        "faults": graph.faults,
        "passing": system.has_holds(),
        "full": counted(system, &initial, &mut everything),
        "selected": counted(system, &initial, &mut select),
    })
}

/// How many of the enabled transitions are taken.
type Select<'s> = dyn FnMut(&[u64], &[TransitionId]) -> Vec<TransitionId> + 's;

fn everything(_: &[u64], enabled: &[TransitionId]) -> Vec<TransitionId> {
    enabled.to_vec()
}

/// States from a root, breadth-first, and the transitions between them.
struct Graph {
    numbers: HashMap<Vec<u64>, usize>,
    states: Vec<Vec<u64>>,
    depths: Vec<usize>,
    /// Whether the transitions of a state are known.
    expanded: Vec<bool>,
    edges: Vec<(usize, TransitionId, usize)>,
    /// How many steps were model errors, which lead nowhere.
    faults: usize,
    /// Whether all states are there.
    complete: bool,
}

impl Graph {
    /// At most `limit` states.
    fn explore(system: &System, root: &[u64], limit: usize, select: &mut Select<'_>) -> Self {
        let mut graph = Self {
            numbers: HashMap::from([(root.to_vec(), 0)]),
            states: vec![root.to_vec()],
            depths: vec![0],
            expanded: vec![false],
            edges: Vec::new(),
            faults: 0,
            complete: true,
        };
        let (start, mut at) = (Instant::now(), 0);
        while at < graph.states.len() {
            if start.elapsed() > PATIENCE {
                graph.complete = false;
                break;
            }
            let state = graph.states[at].clone();
            let all: Vec<_> = system.enabled(&state).collect();
            let enabled: Vec<TransitionId> = all.iter().filter_map(|e| e.as_ref().ok().copied()).collect();
            graph.faults += all.len() - enabled.len();
            let mut whole = true;
            for t in select(&state, &enabled) {
                let mut next = vec![0; system.words()];
                match system.fire(t, &state, &mut next) {
                    Ok(()) => whole &= graph.arc(at, t, next, limit),
                    Err(_) => graph.faults += 1,
                }
            }
            graph.expanded[at] = whole;
            graph.complete &= whole;
            at += 1;
        }
        graph
    }

    /// Adds the last states of a walk to whose end the graph is, above it, and returns the steps between them.
    fn lead_in(&mut self, walk: &Walk<'_>) -> Vec<(usize, TransitionId)> {
        let states: Vec<Vec<u64>> = walk.states().collect();
        let first = states.len().saturating_sub(BEFORE + 1);
        let rows = states.len() - 1 - first;
        self.depths.iter_mut().for_each(|depth| *depth += rows);
        let mut steps = Vec::new();
        for (row, at) in (first..states.len() - 1).enumerate() {
            let t = walk.trace().step(at);
            let from = self.place(&states[at], row);
            let to = self.place(&states[at + 1], row + 1);
            if !self.edges.contains(&(from, t, to)) {
                self.edges.push((from, t, to));
            }
            steps.push((from, t));
        }
        steps
    }

    /// The number of a state, which is put into a row if it is new.
    fn place(&mut self, state: &[u64], row: usize) -> usize {
        let new = self.states.len();
        let number = *self.numbers.entry(state.to_vec()).or_insert(new);
        if number == new {
            self.states.push(state.to_vec());
            self.depths.push(row);
            self.expanded.push(false);
        }
        number
    }

    /// Notes a transition, unless it leads to a state for which there is no room.
    fn arc(&mut self, from: usize, t: TransitionId, next: Vec<u64>, limit: usize) -> bool {
        let to = match self.numbers.get(&next) {
            Some(to) => *to,
            None if self.states.len() >= limit => return false,
            None => {
                let to = self.states.len();
                self.numbers.insert(next.clone(), to);
                self.states.push(next);
                self.depths.push(self.depths[from] + 1);
                self.expanded.push(false);
                to
            }
        };
        self.edges.push((from, t, to));
        true
    }
}

fn counted(system: &System, initial: &[u64], select: &mut Select<'_>) -> Value {
    let graph = Graph::explore(system, initial, COUNTED, select);
    json!({ "states": graph.states.len(), "transitions": graph.edges.len(), "complete": graph.complete })
}

/// What is different from the initial state.
fn label(system: &System, initial: &[u64], state: &[u64]) -> Vec<String> {
    let changes = explain::changes(system, initial, state);
    let more = changes.len().saturating_sub(TOLD);
    let mut lines: Vec<String> = changes.iter().take(TOLD).map(|c| format!("{}: {}", c.subject, c.after)).collect();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(text: &str) -> System {
        frontend::native::load("m", text, &[]).expect("it is a model").system
    }

    fn shown(system: &System, run: &[u32]) -> Value {
        let run = run.iter().map(|t| TransitionId(*t)).collect();
        of(system, &check::walk(system, run).expect("it is a run").0)
    }

    #[test]
    fn philosophers_are_shown_whole_and_the_reduced_states_are_among_them() {
        let text = include_str!("../../../../../corpus/philosophers.imp");
        let space = shown(&system(text), &[0]);
        assert_eq!(
            (&space["whole"], &space["full"]["states"], &space["full"]["transitions"]),
            (&json!(true), &json!(242), &json!(805))
        );
        let states = space["states"].as_array().expect("a list");
        let reduced = states.iter().filter(|s| s["reduced"] == true).count();
        assert_eq!(json!(reduced), space["selected"]["states"], "the two countings agree");
        assert!(reduced < 242 / 2);
        let is_deadlock = |s: &&Value| s["deadlock"] == true;
        assert_eq!(states.iter().filter(is_deadlock).count(), 1);
        assert!(states.iter().find(is_deadlock).is_some_and(|s| s["reduced"] == true), "no deadlock is lost");
        assert_eq!((space["path"].as_array().map(Vec::len), &space["path"][1]), (Some(2), &space["current"]));
        let kept = space["edges"].as_array().expect("a list").iter().filter(|e| e["reduced"] == true).count();
        assert_eq!(json!(kept), space["selected"]["transitions"]);
    }

    #[test]
    fn of_many_states_those_around_the_current_one_are_shown() {
        let text = "param n = 9\nvar x[n] : 0..3\nprocess P[i in 0..n-1] { states a\n a -> a when x[i] < 3 do x[i] := x[i] + 1 }\nproperty deadlock-free";
        let space = shown(&system(text), &[0, 0]);
        assert_eq!(
            (&space["whole"], &space["current"], &space["full"]["complete"]),
            (&json!(false), &json!(0), &json!(false))
        );
        let states = space["states"].as_array().expect("a list");
        assert_eq!((states.len(), &space["before"]), (AROUND + 2, &json!(2)), "and the two states before it");
        assert!(states.iter().any(|s| s["more"] == true) && states[0]["more"] == false);
        assert_eq!((space["taken"].as_array().map(Vec::len), &states[0]["depth"]), (Some(2), &json!(2)));
    }

    #[test]
    fn a_deadlock_of_many_states_is_not_all_of_them() {
        let text = "param n = 9\nvar x[n] : 0..3\nprocess P[i in 0..n-1] { states a, b\n a -> a when x[i] < 3 do x[i] := x[i] + 1\n a -> b when x[i] == 3 }\nproperty deadlock-free";
        let system = system(text);
        let mut run = Vec::new();
        let mut state = system.initial_state();
        while let Some(Ok(t)) = system.enabled(&state).next() {
            let mut next = vec![0; system.words()];
            system.fire(t, &state, &mut next).expect("no model error");
            run.push(t.0);
            state = next;
        }
        let space = shown(&system, &run);
        assert_eq!((&space["whole"], &space["before"]), (&json!(false), &json!(BEFORE)));
        let states = space["states"].as_array().expect("a list");
        assert_eq!(states.len(), BEFORE + 1);
        assert_eq!((&states[0]["deadlock"], &states[0]["depth"]), (&json!(true), &json!(BEFORE)));
    }
}
