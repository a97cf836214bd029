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
//! Where a cycle closes is a matter of nodes, not of states and components, unless the component has one state. So there
//! are two kinds of choices, and each has a type:
//!
//! - [`Static`]: no set is chosen that has a step which closes a cycle in the graph of some process. Every cycle of the system
//!   has one of these, whatever the search has met before (static reduction: Kurshan, Levin, Minea, Peled and Yenigün 1998),
//!   and where it is taken all steps are, or, after Valmari, all that are visible or close a cycle. What is chosen depends on
//!   the state and the component alone: the reduced product is one graph, the same in every order of search, in both searches
//!   of a nested one and on every thread. It does not matter how many of the marks a node has counted.
//! - [`OnStack`]: the same in components of several states; in those of one state, a set is only chosen if no step of it leads
//!   to the stack of the search. That leaves out more, and needs one search, depth-first and on one thread: there every cycle
//!   closes on the stack.
//!
//! Which set is chosen may depend on nothing else either: not on what was asked before (see `persistent::first`).

use automata::Automaton;
use automata::automaton::{Components, State as Place};
use model::{Fairness, Proposition, State, System, TransitionId};

use super::conditions::Condition;
use super::product::Product;
use super::visible::{beginning_blocks, closing, disturbing};
use super::{Breaking, Liveness};
use crate::persistent::{Dense, PersistentSets};
use crate::refuter::Refuter;
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

/// A product that can be reduced: its automaton is blind.
pub(super) struct Reducible<'r, 'a> {
    engine: &'r Liveness,
    system: &'a System,
    automaton: &'r Automaton,
    propositions: &'r [&'r Proposition],
    fairness: &'r [Fairness],
}

impl<'r, 'a> Reducible<'r, 'a> {
    /// `None` if the automaton is not blind, or no reduction is wanted.
    pub(super) fn new(
        engine: &'r Liveness,
        system: &'a System,
        breaking: &'r Breaking<'_>,
        fairness: &'r [Fairness],
    ) -> Option<Self> {
        let automaton = match &breaking.automaton {
            Refuter::Blind(blind) => blind.automaton(),
            Refuter::Any(automaton) if !engine.keeps(Condition::Blind) => automaton,
            Refuter::Any(_) => return None,
        };
        engine.persistent?;
        Some(Self { engine, system, automaton, propositions: &breaking.atoms, fairness })
    }
}

/// What a reduction may look at that knows the stack of the search.
pub(super) struct Looks<'l, 'a> {
    pub(super) product: &'l Product<'a>,
    pub(super) store: &'l Store,
    /// Whether a node is on the stack.
    pub(super) is_open: &'l dyn Fn(StateIndex) -> bool,
    pub(super) node: &'l [u64],
    pub(super) next: &'l mut [u64],
}

/// Choices by the state and the component of the automaton: for searches in any order, on any number of threads.
pub(super) struct Static<'a>(Choices<'a>);

/// Choices that mind the stack of the search: for one search, depth-first.
pub(super) struct OnStack<'a>(Choices<'a>);

impl<'a> Static<'a> {
    /// `None` if nothing can be left out anywhere.
    pub(super) fn new(of: &Reducible<'_, 'a>) -> Option<Self> {
        Choices::new(of, |_| true).map(Self)
    }

    /// Writes what is to be taken of the enabled transitions.
    pub(super) fn choose(
        &mut self,
        (state, place): (&State, Place),
        enabled: &[TransitionId],
        chosen: &mut Vec<TransitionId>,
    ) {
        self.0.choose((state, place), enabled, &mut |_| false, chosen);
    }

    /// Whether what is chosen is the same whoever asks: always, but for tests.
    #[cfg(test)]
    pub(super) fn keeps(&self, condition: Condition) -> bool {
        self.0.engine.keeps(condition)
    }
}

impl<'a> OnStack<'a> {
    /// `None` if nothing can be left out anywhere.
    pub(super) fn new(of: &Reducible<'_, 'a>) -> Option<Self> {
        Choices::new(of, |states| states > 1 && of.engine.keeps(Condition::Blind)).map(Self)
    }

    /// Writes what is to be taken of the enabled transitions.
    pub(super) fn choose(&mut self, looks: Looks<'_, '_>, enabled: &[TransitionId], chosen: &mut Vec<TransitionId>) {
        let (state, place) = looks.product.parts(looks.node);
        let Looks { product, store, is_open, next, .. } = looks;
        let (is_static, minds) = (self.0.is_static[place.index()], self.0.engine.keeps(Condition::Proviso));
        let mut closes = |t: TransitionId| {
            if is_static {
                return false;
            }
            let Ok(reading) = product.fire(t, state, next) else { return true };
            let mut edge = 0;
            while let Some((after, _, target)) = product.edge(place, reading, edge).filter(|_| minds) {
                edge = after;
                product.set_place(next, target);
                if store.find(next, hash(next)).is_some_and(is_open) {
                    return true;
                }
            }
            false
        };
        self.0.choose((state, place), enabled, &mut closes, chosen);
    }
}

/// What both kinds have in common.
struct Choices<'a> {
    sets: PersistentSets<'a>,
    proviso: CycleProviso,
    engine: Liveness,
    /// By place, the transitions that are seen from there on, or may close a cycle; `None` where nothing is left out.
    visible: Vec<Option<Dense>>,
    /// The same, as lists.
    listed: Vec<Vec<TransitionId>>,
    /// By place, whether steps that may close a cycle count as visible.
    is_static: Vec<bool>,
}

impl<'a> Choices<'a> {
    /// `is_static` says of a component with so many states whether cycles are minded without looking at the search.
    fn new(of: &Reducible<'_, 'a>, is_static: impl Fn(usize) -> bool) -> Option<Self> {
        let Reducible { engine, system, automaton, propositions, fairness } = *of;
        let persistent = engine.persistent?;
        let atoms: Vec<Option<Dense>> = propositions.iter().map(|p| engine.seen_by(system, p)).collect();
        let fair: Option<Vec<Dense>> = fairness.iter().map(|f| disturbing(system, f)).collect();
        let (fair, components, observed) = (fair?, Components::of(automaton), automaton.observed());
        let (blocks, closing) = (beginning_blocks(system), closing(system));
        let mut sizes = vec![0; components.count()];
        automaton.states().for_each(|s| sizes[components.at(s)] += 1);
        let is_static = |place: Place| is_static(sizes[components.at(place)]);
        let visible = |place: Place| {
            let seen = (0..atoms.len()).filter(|a| observed[place.index()] >> a & 1 == 1);
            let seen: Option<Vec<&Dense>> = seen.map(|a| atoms[a].as_ref()).collect();
            let closing = (is_static(place) && engine.keeps(Condition::Proviso)).then_some(&closing);
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
        let is_static = automaton.states().map(is_static).chain([false]).collect();
        Some(Self { sets, is_static, proviso, engine: *engine, listed: visible.iter().map(list).collect(), visible })
    }

    /// Writes what is to be taken of the enabled transitions, if those that close a cycle are told by `closes`, too.
    fn choose(
        &mut self,
        (state, place): (&State, Place),
        enabled: &[TransitionId],
        closes: &mut dyn FnMut(TransitionId) -> bool,
        chosen: &mut Vec<TransitionId>,
    ) {
        let found = match &self.visible[place.index()] {
            #[cfg(test)]
            Some(visible) if !self.engine.keeps(Condition::Labels) => {
                let suits = |t| !visible.contains(t);
                let set = super::flawed::weakly_stubborn(self.sets.structure().system(), state, enabled, suits);
                set.map(|set| *chosen = set).is_some()
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
