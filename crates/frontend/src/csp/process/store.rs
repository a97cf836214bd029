//! All terms of a run, each kept once, and what is known about them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::event::{Event, EventSet, FIRST, Relation, RelationId, SetId};
use super::term::{CallId, Sync, Term, TermId};
use super::{Checked, World};
use crate::Diagnostic;
use crate::csp::interner::{Build, FastMap, Interner};

/// The terms, sets and relations of a run, with the moves that were computed and the calls that were unfolded.
#[derive(Debug)]
pub(crate) struct Store {
    terms: Interner<Term>,
    sets: Interner<EventSet>,
    relations: Interner<Relation>,
    texts: Vec<Rc<str>>,
    links: HashMap<(Event, Event), Event>,
    pub(super) moves: FastMap<TermId, Rc<[(Event, TermId)]>>,
    /// Terms whose moves are being computed.
    pub(super) active: HashSet<TermId, Build>,
    unfolded: FastMap<CallId, TermId>,
    /// The call that first led to a term.
    called: FastMap<TermId, CallId>,
    /// The call with a name that first led to a term.
    named: FastMap<TermId, CallId>,
}

/// The longest chain of calls that unfold to calls.
const CHAIN: usize = 10_000;

impl Store {
    /// No terms yet.
    pub(crate) fn new() -> Self {
        let texts = ["tau", "tick", "tick of all"].map(Rc::from).to_vec();
        debug_assert_eq!(texts.len(), FIRST as usize);
        Self {
            terms: Interner::new(),
            sets: Interner::new(),
            relations: Interner::new(),
            texts,
            links: HashMap::new(),
            moves: FastMap::default(),
            active: HashSet::default(),
            unfolded: FastMap::default(),
            called: FastMap::default(),
            named: FastMap::default(),
        }
    }

    /// A new event with this text.
    pub(crate) fn event(&mut self, text: impl Into<Rc<str>>) -> Event {
        self.texts.push(text.into());
        Event(self.texts.len() as u32 - 1)
    }

    /// The text of an event.
    pub(crate) fn text(&self, event: Event) -> &Rc<str> {
        &self.texts[event.0 as usize]
    }

    /// The set of these events.
    pub(crate) fn set(&mut self, events: Vec<Event>) -> SetId {
        SetId(self.sets.id(EventSet::new(events)))
    }

    /// A set by its id.
    pub(crate) fn events(&self, set: SetId) -> &EventSet {
        self.sets.get(set.0)
    }

    /// The relation with these pairs.
    pub(crate) fn relation(&mut self, pairs: Vec<(Event, Event)>) -> RelationId {
        RelationId(self.relations.id(Relation::new(pairs)))
    }

    /// A relation by its id.
    pub(crate) fn pairs(&self, relation: RelationId) -> &Relation {
        self.relations.get(relation.0)
    }

    /// A term by its id.
    pub(crate) fn term(&self, id: TermId) -> &Term {
        self.terms.get(id.0)
    }

    /// The term as it is; see the other constructors for those that simplify.
    pub(crate) fn plain(&mut self, term: Term) -> TermId {
        TermId(self.terms.id(term))
    }

    /// The events that are offered, each with what follows.
    pub(crate) fn menu(&mut self, mut choices: Vec<(Event, TermId)>) -> TermId {
        choices.sort_unstable();
        choices.dedup();
        self.plain(if choices.is_empty() { Term::Stop } else { Term::Menu(choices.into()) })
    }

    /// `P [] Q [] ...`: associative, commutative, idempotent, with `STOP` as unit in every semantic model; offers become
    /// one.
    pub(crate) fn external(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let (mut flat, mut offers) = (vec![], vec![]);
        for part in parts {
            match self.term(part) {
                Term::External(inner) => flat.extend_from_slice(inner),
                Term::Stop => {}
                _ => flat.push(part),
            }
        }
        flat.retain(|part| match self.term(*part) {
            Term::Menu(choices) => {
                offers.extend_from_slice(choices);
                false
            }
            _ => true,
        });
        if !offers.is_empty() {
            flat.push(self.menu(offers));
        }
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [] => self.plain(Term::Stop),
            [one] => one,
            _ => self.plain(Term::External(flat.into())),
        }
    }

    /// `P |~| Q |~| ...`, of at least one process.
    pub(crate) fn internal(&mut self, mut parts: Vec<TermId>) -> TermId {
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [one] => one,
            _ => self.plain(Term::Internal(parts.into())),
        }
    }

    /// A composition; without parts it is `SKIP`.
    pub(crate) fn parallel(&mut self, parts: Vec<TermId>, sync: Sync) -> TermId {
        match (&parts[..], &sync) {
            ([], _) => self.plain(Term::Skip),
            ([one], Sync::Interface(_)) => *one,
            _ if parts.iter().all(|p| self.has_terminated(*p)) => self.plain(Term::Done),
            _ => self.plain(Term::Parallel(parts.into(), sync)),
        }
    }

    /// Whether a part of a composition has terminated.
    pub(super) fn has_terminated(&self, part: TermId) -> bool {
        matches!(self.term(part), Term::Omega | Term::Done)
    }

    /// `P \ A`; `P \ A \ B` hides both at once, so that recursion underneath hiding comes to an end.
    pub(crate) fn hide(&mut self, process: TermId, set: SetId) -> TermId {
        if let Term::Hide(inner, more) = *self.term(process) {
            let both = [set, more].iter().flat_map(|s| self.events(*s).events()).copied().collect();
            let both = self.set(both);
            return self.hide(inner, both);
        }
        let inert = matches!(self.term(process), Term::Omega | Term::Done | Term::Stop | Term::Skip | Term::Div);
        if inert || self.events(set).events().is_empty() { process } else { self.plain(Term::Hide(process, set)) }
    }

    /// `P [[ R ]]`.
    pub(crate) fn rename(&mut self, process: TermId, relation: RelationId) -> TermId {
        let inert = matches!(self.term(process), Term::Omega | Term::Done | Term::Stop | Term::Skip | Term::Div);
        let identity = self.pairs(relation).pairs().iter().all(|p| p.0 == p.1);
        if inert || identity { process } else { self.plain(Term::Rename(process, relation)) }
    }

    /// `P [a <-> b] Q`: linked events happen together and are hidden; all others happen alone.
    pub(crate) fn linked(&mut self, left: TermId, pairs: &[(Event, Event)], right: TermId) -> TermId {
        let links: Vec<Event> = pairs.iter().map(|p| self.link(*p)).collect();
        let of_left = self.relation(pairs.iter().zip(&links).map(|(p, l)| (p.0, *l)).collect());
        let of_right = self.relation(pairs.iter().zip(&links).map(|(p, l)| (p.1, *l)).collect());
        let set = self.set(links);
        let parts = vec![self.rename(left, of_left), self.rename(right, of_right)];
        let both = self.parallel(parts, Sync::Interface(set));
        self.hide(both, set)
    }

    /// The event that two linked events become.
    fn link(&mut self, pair: (Event, Event)) -> Event {
        if let Some(link) = self.links.get(&pair) {
            return *link;
        }
        let text = format!("{}<->{}", self.text(pair.0), self.text(pair.1));
        let link = self.event(text);
        self.links.insert(pair, link);
        link
    }

    /// The call that first led to a term.
    pub(crate) fn call_of(&self, term: TermId) -> Option<CallId> {
        self.called.get(&term).copied()
    }

    /// The call with a name that first led to a term.
    pub(super) fn named_call_of(&self, term: TermId) -> Option<CallId> {
        self.named.get(&term).copied()
    }
}

/// The term that a term stands for: itself, or what its call unfolds to.
pub(crate) fn force<W: World>(world: &mut W, term: TermId) -> Checked<TermId> {
    let Term::Call(first) = *world.store().term(term) else { return Ok(term) };
    if let Some(known) = world.store().unfolded.get(&first) {
        return Ok(*known);
    }
    let (mut at, mut chain, mut named) = (term, vec![], None);
    while let Term::Call(call) = *world.store().term(at) {
        if let Some(known) = world.store().unfolded.get(&call) {
            at = *known;
            break;
        }
        if chain.len() >= CHAIN {
            return Err(unguarded(world, first));
        }
        chain.push(call);
        named = named.or_else(|| world.name(call).map(|_| call));
        at = world.unfold(call)?;
    }
    let store = world.store_mut();
    store.unfolded.extend(chain.into_iter().map(|call| (call, at)));
    store.called.entry(at).or_insert(first);
    if let Some(named) = named {
        store.named.entry(at).or_insert(named);
    }
    Ok(at)
}

/// A process that must know its own behaviour to have one.
pub(super) fn unguarded<W: World>(world: &W, call: CallId) -> Box<Diagnostic> {
    let name = world.name(call).map_or_else(|| "this process".to_owned(), |name| format!("`{name}`"));
    let error = Diagnostic::error(world.span(call), format!("{name} calls itself before it does anything"))
        .label("the recursion is not guarded by an event")
        .help("put an event before the recursive call: `P = a -> P`");
    Box::new(error)
}
