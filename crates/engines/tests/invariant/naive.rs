//! What invariants are, by the definitions: all sets of local states, all states of the whole.

use std::collections::HashSet;

use model::views::{LocalMove, Network, Rule, StateId};

pub(crate) type State = Vec<StateId>;

/// All combinations of a choice for each.
pub(crate) fn combinations<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |done, choice| {
        done.iter().flat_map(|d| choice.iter().map(move |&x| [d.as_slice(), &[x]].concat())).collect()
    })
}

/// Every state of the whole.
pub(crate) fn everything(network: &Network) -> Vec<State> {
    let all = network.components().iter().map(|c| (0..c.states().len()).map(StateId::new).collect());
    combinations(&all.collect::<Vec<_>>())
}

/// The states that can be reached from some of the initial ones.
pub(crate) fn reachable(network: &Network, starts: &[Vec<StateId>]) -> HashSet<State> {
    let mut open = combinations(starts);
    let mut known: HashSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for next in network.rule_ids().flat_map(|r| network.successors(r, &state)) {
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    known
}

/// The place of a local state.
fn place(network: &Network, c: usize, s: StateId) -> usize {
    network.components()[..c].iter().map(|c| c.states().len()).sum::<usize>() + s.index()
}

/// The places that each transition of the net takes from and gives to: one for each choice of moves of a rule.
fn transitions(network: &Network, rule: &Rule) -> Vec<(u32, u32)> {
    let moves = rule.participants.iter().map(|&(c, event)| {
        let component = network.component(c);
        let from = (0..component.states().len()).map(StateId::new);
        let with = move |m: &&LocalMove| m.event == event;
        let place = |s: StateId| 1_u32 << place(network, c.index(), s);
        from.flat_map(|s| component.moves(s).iter().filter(with).map(move |m| (place(s), place(m.to)))).collect()
    });
    let choices = combinations(&moves.collect::<Vec<Vec<(u32, u32)>>>());
    choices.into_iter().map(|moves| moves.iter().fold((0, 0), |sum, m| (sum.0 | m.0, sum.1 | m.1))).collect()
}

/// The states that mark every trap that is marked in every initial state, or every trap that is not empty.
pub(crate) fn marking_all(network: &Network, starts: &[Vec<StateId>], initially: bool) -> HashSet<State> {
    let places: usize = network.components().iter().map(|c| c.states().len()).sum();
    assert!(places <= 16, "few places");
    let steps: Vec<(u32, u32)> = network.rules().iter().flat_map(|rule| transitions(network, rule)).collect();
    let marking = |state: &State| state.iter().enumerate().fold(0, |all, (c, &s)| all | 1_u32 << place(network, c, s));
    let initial: Vec<u32> = combinations(starts).iter().map(marking).collect();
    let is_trap = |set: &u32| steps.iter().all(|(take, give)| set & take == 0 || set & give != 0);
    let is_marked = |set: &u32| if initially { initial.iter().all(|m| m & set != 0) } else { *set != 0 };
    let traps: Vec<u32> = (0..1_u32 << places).filter(|set| is_trap(set) && is_marked(set)).collect();
    everything(network).into_iter().filter(|state| traps.iter().all(|trap| trap & marking(state) != 0)).collect()
}
