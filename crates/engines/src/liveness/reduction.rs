//! Which steps suffice in a node: a persistent set that neither the automaton nor fairness sees, unless it would close a
//! cycle.
//!
//! Why this is exact. Let the automaton be *blind*: for each of its states `q` and each letter `a` on an edge into `q`, the
//! words that `q` accepts are the same up to stuttering, and `w` is among them if and only if `a·w` is. Let what is chosen
//! depend on the state of the system and on the strongly connected component `C` of `q` only. Claim: if a run that counts
//! is accepted from a node `(s, q)`, then so is one that takes chosen steps only. By induction over the components below
//! `C`:
//!
//! - Follow the run `r` from `(s, q)`. In a node that is expanded fully take its first step. In a reduced one, take the
//!   first step of `r` that was chosen, before all others: it is independent of those and repeats the letter of `s`; what
//!   is left is accepted from `q` again, because `q` is blind. If no step of `r` was chosen take any chosen one: the same
//!   holds of `r` as it is. With each step the automaton takes the first edge of some accepting run on what is now left.
//!   If that edge leaves `C`, an accepted run leads on from the node behind it, and there the claim holds by induction.
//! - Otherwise all these nodes are of the reduced product and in `C`; they repeat, and a cycle has a fully expanded
//!   node: so every step of `r` comes. The run that results is `r` up to stuttering, and as fair: a chosen step does not
//!   change whether a fairness set is offered, unless it belongs to the set. One that does, and that `r` does not have,
//!   stays enabled all along `r`, so that a fair `r` takes from the set again and again.
//! - That run is accepted from `q`. As long as the automaton, accepting it, stays in `C`, this is a run of the reduced
//!   product, because choices do not depend on where in `C` the automaton is. If it leaves `C`, it does so in some node,
//!   from which an accepted run leads on: the claim holds by induction once more.
//!
//! What goes wrong without these conditions: an automaton that has already made up its mind cannot take a step earlier or
//! later (Siegel 2019), and choices that depend on the node change while the run is being rearranged. Persistent sets
//! never contain a step that is disabled on the way, so that states which correspond are labelled alike (this fails for
//! weak stubborn sets: Neele, Valmari and Willemse 2020).
//!
//! A step after which somebody has control counts as visible: what is left of a run need not come after it, if control is
//! kept for ever. A run that keeps it has the last position, repeated, as the rest of its word, and where the automaton
//! guesses so makes no difference to the argument.
//!
//! A cycle needs a node in which nothing visible is put off. Peled's proviso takes all steps there; Valmari's takes a
//! stubborn set with all visible transitions, and some invisible one. A visible step that is taken before invisible ones drops
//! repetitions of the letter of `s`, which a blind automaton does not mind.
//!
//! Where a cycle closes is a matter of nodes, not of states and components, unless the component has one state. In larger
//! ones no set is chosen that has a step which closes a cycle in the graph of some process: every cycle of the system has
//! one of these, whatever the search has met before (static reduction: Kurshan, Levin, Minea, Peled and Yenigün 1998).

use automata::automaton::{Components, State as Place};
use automata::{Automaton, Blind};
use model::{Fairness, Proposition, System, TransitionId};

use super::Liveness;
use super::conditions::Condition;
use super::product::Product;
use super::visible::{beginning_blocks, closing, disturbing};
use crate::persistent::{Dense, PersistentSets};
use crate::store::{StateIndex, Store, hash};

/// What is done in a node whose steps would close a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CycleProviso {
    /// All enabled transitions are taken (Peled 1994).
    #[default]
    Peled,
    /// A stubborn set with all visible transitions is taken (Valmari 1990).
    Valmari,
}

/// What a reduction may look at.
pub(super) struct Looks<'l, 'a> {
    pub(super) product: &'l Product<'a>,
    pub(super) store: &'l Store,
    /// Whether a node is on the stack.
    pub(super) is_open: &'l dyn Fn(StateIndex) -> bool,
    pub(super) node: &'l [u64],
    pub(super) next: &'l mut [u64],
}

pub(super) struct Reduction<'a> {
    sets: PersistentSets<'a>,
    proviso: CycleProviso,
    engine: Liveness,
    /// By place, the transitions that are seen from there on, or may close a cycle; `None` where nothing is left out.
    visible: Vec<Option<Dense>>,
    /// The same, as lists.
    listed: Vec<Vec<TransitionId>>,
    /// By place, whether its component has others.
    entangled: Vec<bool>,
}

impl<'a> Reduction<'a> {
    /// A reduction of the product with an automaton that is blind; `None` if nothing can be left out anywhere.
    pub(super) fn new(
        engine: &Liveness,
        system: &'a System,
        automaton: &Blind,
        propositions: &[&Proposition],
        fairness: &[Fairness],
    ) -> Option<Self> {
        Self::of(engine, system, automaton.automaton(), propositions, fairness)
    }

    /// The same of an automaton that need not be blind, to show what goes wrong.
    #[cfg(test)]
    pub(super) fn of_any(
        engine: &Liveness,
        system: &'a System,
        automaton: &Automaton,
        propositions: &[&Proposition],
        fairness: &[Fairness],
    ) -> Option<Self> {
        Self::of(engine, system, automaton, propositions, fairness)
    }

    fn of(
        engine: &Liveness,
        system: &'a System,
        automaton: &Automaton,
        propositions: &[&Proposition],
        fairness: &[Fairness],
    ) -> Option<Self> {
        let persistent = engine.persistent?;
        let atoms: Vec<Option<Dense>> = propositions.iter().map(|p| engine.seen_by(system, p)).collect();
        let fair: Option<Vec<Dense>> = fairness.iter().map(|f| disturbing(system, f)).collect();
        let (fair, components, observed) = (fair?, Components::of(automaton), automaton.observed());
        let (blocks, closing) = (beginning_blocks(system), closing(system));
        let mut sizes = vec![0; components.count()];
        automaton.states().for_each(|s| sizes[components.at(s)] += 1);
        let is_entangled = |place: Place| sizes[components.at(place)] > 1 && engine.keeps(Condition::Blind);
        let visible = |place: Place| {
            let seen = (0..atoms.len()).filter(|a| observed[place.index()] >> a & 1 == 1);
            let seen: Option<Vec<&Dense>> = seen.map(|a| atoms[a].as_ref()).collect();
            let closing = (is_entangled(place) && engine.keeps(Condition::Proviso)).then_some(&closing);
            Some(union(system, seen?.into_iter().chain(&fair).chain([&blocks]).chain(closing)))
        };
        // Nobody can be put off where control is kept.
        let visible: Vec<Option<Dense>> = automaton.states().map(visible).chain([None]).collect();
        let useful = |d: &Dense| system.transition_ids().any(|t| !d.contains(t));
        visible.iter().flatten().any(useful).then_some(())?;
        let list = |d: &Option<Dense>| match d {
            None => Vec::new(),
            Some(d) => system.transition_ids().filter(|t| d.contains(*t)).collect(),
        };
        // Valmari's proviso keeps what is visible, and fairness asks for more.
        let proviso = if fairness.is_empty() { engine.proviso } else { CycleProviso::Peled };
        let sets = PersistentSets::new(system, persistent.algorithm, persistent.interference, false);
        let entangled = automaton.states().map(is_entangled).chain([false]).collect();
        Some(Self { sets, entangled, proviso, engine: *engine, listed: visible.iter().map(list).collect(), visible })
    }

    /// Writes what is to be taken of the enabled transitions.
    pub(super) fn choose(&mut self, looks: Looks<'_, '_>, enabled: &[TransitionId], chosen: &mut Vec<TransitionId>) {
        let (state, place) = looks.product.parts(looks.node);
        let Looks { product, store, is_open, next, .. } = looks;
        let mut closes = |t: TransitionId| {
            let Ok(reading) = product.fire(t, state, next) else { return true };
            if !self.engine.keeps(Condition::Proviso) {
                return false;
            }
            let mut edge = 0;
            while let Some((after, _, target)) = product.edge(place, reading, edge) {
                edge = after;
                product.set_place(next, target);
                if store.find(next, hash(next)).is_some_and(is_open) {
                    return true;
                }
            }
            false
        };
        #[cfg(test)]
        if let (false, Some(visible)) = (self.engine.keeps(Condition::Labels), &self.visible[place.index()])
            && let Some(set) = super::flawed::weakly_stubborn(product.system, state, enabled, |t| !visible.contains(t))
        {
            *chosen = set;
            return;
        }
        let found = match &self.visible[place.index()] {
            Some(visible) if enabled.len() > 1 && self.entangled[place.index()] => {
                self.sets.choose_among(state, enabled, &mut |t| !visible.contains(t), chosen)
            }
            Some(visible) if enabled.len() > 1 => match self.proviso {
                CycleProviso::Peled => {
                    self.sets.choose_among(state, enabled, &mut |t| !visible.contains(t) && !closes(t), chosen)
                }
                CycleProviso::Valmari => {
                    let hidden = self.sets.choose_among(state, enabled, &mut |t| !visible.contains(t), chosen);
                    let open = hidden && !chosen.iter().any(|t| closes(*t));
                    open || {
                        let all = &self.listed[place.index()];
                        self.sets.choose_with_all(all, |t| !visible.contains(t), state, enabled, chosen)
                    }
                }
            },
            _ => false,
        };
        if !found {
            chosen.clear();
            chosen.extend_from_slice(enabled);
        }
    }
}

fn union<'d>(system: &System, sets: impl Iterator<Item = &'d Dense>) -> Dense {
    let mut all = Dense::new(system.transitions().len());
    sets.for_each(|set| system.transition_ids().filter(|t| set.contains(*t)).for_each(|t| all.insert(t)));
    all
}
