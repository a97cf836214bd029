//! Which transitions an automaton, or fairness, may see: all others only repeat what is read. And which ones every cycle
//! has.

use model::{Expr, Fairness, Hold, LocationId, ObjectId, ProcessId, Proposition, System, Transition, TransitionId};

use crate::persistent::Dense;

/// The transitions that may change the truth of a proposition; `None` if any step may.
pub(super) fn seen_by(system: &System, proposition: &Proposition) -> Option<Dense> {
    match proposition {
        // Any other step makes it false again.
        Proposition::Taken(_) => None,
        Proposition::State(e) => Some(all(system, |t| changes(t, e))),
        Proposition::Enabled(some) => enabling(system, some),
    }
}

/// The transitions outside of a fairness set that may change whether one of it is enabled; `None` if any step may.
pub(super) fn disturbing(system: &System, fairness: &Fairness) -> Option<Dense> {
    let seen = enabling(system, &fairness.to)?;
    let others = system.transition_ids().filter(|t| seen.contains(*t) && !fairness.to.contains(t));
    let mut dense = Dense::new(system.transitions().len());
    others.for_each(|t| dense.insert(t));
    Some(dense)
}

/// The transitions that may change whether one of some is enabled.
fn enabling(system: &System, some: &[TransitionId]) -> Option<Dense> {
    if system.has_holds() || system.has_last_resorts() {
        return None;
    }
    let mut used = vec![false; system.objects().len()];
    let mut places = Vec::new();
    for transition in some.iter().map(|t| system.transition(*t)) {
        let guards = transition.guard.iter();
        let commands = transition.command.iter().filter(|c| c.is_partial());
        commands.clone().filter_map(|c| c.target()).flat_map(|t| t.objects()).for_each(|o| used[o.index()] = true);
        let expressions = guards.chain(commands.flat_map(|c| c.expressions()));
        for e in expressions {
            read(e, &mut |o| used[o.index()] = true);
            places.extend(locations(e));
        }
        places.extend(transition.moves.iter().map(|m| (m.process, m.from)));
    }
    Some(all(system, |t| crosses(t, &places) || modified(t).any(|o| used[o.index()])))
}

/// The transitions after which somebody may have control. What goes on then is seen when it is over, if it ever is.
pub(super) fn beginning_blocks(system: &System) -> Dense {
    let holds = |m: &model::Move| system.process(m.process).locations[m.to.index()].hold != Hold::No;
    all(system, |t| t.moves.iter().any(holds))
}

/// Transitions such that every cycle of the system has one: those that close a cycle in the graph of a process when it is
/// searched depth first, and those that move nobody.
pub(super) fn closing(system: &System) -> Dense {
    let mut closing = all(system, |t| t.moves.is_empty());
    for p in system.process_ids() {
        let mut edges = vec![Vec::new(); system.process(p).locations.len()];
        for t in system.transition_ids() {
            if let Some(m) = system.transition(t).part(p) {
                edges[m.from.index()].push((t, m.to.index()));
            }
        }
        back_edges(&edges).for_each(|t| closing.insert(t));
    }
    closing
}

/// The edges that lead back to the path of a depth-first search.
fn back_edges(edges: &[Vec<(TransitionId, usize)>]) -> impl Iterator<Item = TransitionId> + use<> {
    let (mut seen, mut on_path, mut back) = (vec![false; edges.len()], vec![false; edges.len()], Vec::new());
    for start in 0..edges.len() {
        let mut path = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            on_path[start] = true;
            path.push((start, 0));
        }
        while let Some((at, tried)) = path.last_mut() {
            let (from, next) = (*at, *tried);
            *tried += 1;
            match edges[from].get(next) {
                Some(&(t, to)) if on_path[to] => back.push(t),
                Some(&(_, to)) if !seen[to] => {
                    (seen[to], on_path[to]) = (true, true);
                    path.push((to, 0));
                }
                Some(_) => {}
                None => {
                    on_path[from] = false;
                    path.pop();
                }
            }
        }
    }
    back.into_iter()
}

fn all(system: &System, is_seen: impl Fn(&Transition) -> bool) -> Dense {
    let mut dense = Dense::new(system.transitions().len());
    system.transition_ids().filter(|t| is_seen(system.transition(*t))).for_each(|t| dense.insert(t));
    dense
}

/// Whether a transition enters or leaves one of some locations.
fn crosses(t: &Transition, places: &[(ProcessId, LocationId)]) -> bool {
    t.moves.iter().any(|m| places.iter().any(|(p, at)| *p == m.process && (m.from == *at) != (m.to == *at)))
}

/// The locations that an expression asks for.
fn locations(e: &Expr) -> Vec<(ProcessId, LocationId)> {
    let mut places = Vec::new();
    e.walk(&mut |e| {
        if let Expr::At(p, l) = e {
            places.push((*p, *l));
        }
    });
    places
}

/// Whether a transition may change the value of an expression.
fn changes(t: &Transition, e: &Expr) -> bool {
    let mut found = crosses(t, &locations(e));
    read(e, &mut |object| found |= modified(t).any(|o| o == object));
    found
}

/// The objects that an expression looks at.
fn read(e: &Expr, f: &mut impl FnMut(ObjectId)) {
    e.walk(&mut |e| {
        if let Some(target) = e.target() {
            target.objects().for_each(&mut *f);
        }
    });
}

/// The objects that a transition may modify.
fn modified(t: &Transition) -> impl Iterator<Item = ObjectId> {
    t.command.iter().flat_map(|c| c.written()).flat_map(|target| target.objects())
}
