//! Models of other languages, as far as questions of this one can be asked about them: their objects, processes and steps
//! by name.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use model::views::Net;
use model::{Kind, Location, LocationId, ObjectId, ProcessId, Span, System};

use super::Elaborator;
use super::named::Steps;
use super::scope::{Array, Declared, Entity, Family, Group, Home, Member, States, Vars};
use crate::native::ast::Name;
use crate::native::report::Reports;

/// Where nothing of this language was written.
const NOWHERE: Span = Span { start: 0, end: 0 };

/// The language that a system was written in, which says what else its steps and states are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Networks of automata: a label is a gate and offers.
    Automata,
    /// CSP: an event is a channel and fields.
    Csp,
    /// BIP: a state is the places that hold a token.
    Bip,
}

impl Language {
    /// What steps with this label are called besides: their gate, or their channel with some of the fields.
    fn wider(self, label: &str) -> Vec<&str> {
        match self {
            Language::Automata => {
                label.split([' ', '!', '?', '(']).next().filter(|g| !g.is_empty()).into_iter().collect()
            }
            Language::Csp => label.match_indices('.').map(|(at, _)| &label[..at]).collect(),
            Language::Bip => Vec::new(),
        }
    }

    /// The names that the states of a process share.
    fn shared(self, locations: &[Location]) -> HashMap<&str, Vec<LocationId>> {
        let mut shared: HashMap<&str, Vec<LocationId>> = HashMap::new();
        if self == Language::Bip {
            for (i, location) in locations.iter().enumerate() {
                location.name.split('+').for_each(|p| shared.entry(p).or_default().push(LocationId::new(i)));
            }
        }
        shared
    }
}

/// The names of a model.
pub(in crate::native) struct Names<'n> {
    /// Objects, each perhaps under several names.
    objects: Vec<(&'n str, ObjectId)>,
    kinds: Vec<Kind>,
    families: Vec<Family<'n>>,
    /// Every process by its whole name.
    processes: Vec<(&'n str, Home)>,
    steps: Steps,
}

impl<'n> Names<'n> {
    /// The names of a net, whose places have these.
    pub(in crate::native) fn of_net(net: &Net, places: Vec<(&'n str, ObjectId)>) -> Self {
        let kinds = vec![Kind::Counter { max: u32::MAX }; net.places().len()];
        let (families, processes, steps) = (Vec::new(), Vec::new(), Steps::of_net(net));
        Self { objects: places, kinds, families, processes, steps }
    }

    /// The names of a system.
    pub(in crate::native) fn of_system(system: &'n System, language: Language) -> Self {
        let objects = system.objects().iter().zip((0..).map(ObjectId::new)).map(|(o, id)| (&*o.name, id)).collect();
        let kinds = system.objects().iter().map(|o| o.kind.clone()).collect();
        let (families, processes) = families(system, language);
        let steps = Steps::foreign(system, |label| language.wider(label));
        Self { objects, kinds, families, processes, steps }
    }
}

impl<'t> Elaborator<'t> {
    /// No model of this language, but one of another that something is asked about.
    pub(in crate::native) fn about(names: Names<'t>, reports: Reports) -> Self {
        let Names { objects, kinds, families, processes, steps } = names;
        let mut this = Self::empty("", reports);
        (this.kinds, this.families, this.named) = (kinds, families, Some(Rc::new(steps)));
        processes.into_iter().for_each(|(name, home)| this.know(name, Entity::Process(home)));
        for family in 0..this.families.len() {
            this.know(this.families[family].name.text, Entity::Family(family));
        }
        for (name, first) in objects {
            let kind = this.kinds[first.index()].clone();
            let array = Rc::new(Array { first, dims: Vec::new(), kind, span: NOWHERE, broken: false });
            this.own(name, &array);
            this.know(name, Entity::Objects(array));
        }
        this
    }

    /// Declares a name, unless it means something else already.
    fn know(&mut self, name: &'t str, entity: Entity) {
        if self.global(name).is_none() {
            self.order.push(name);
            self.globals.insert(name, Declared { entity, span: NOWHERE });
        }
    }

    /// Makes an object one of its process, if it is called after one.
    fn own(&mut self, name: &'t str, array: &Rc<Array>) {
        let Some((owner, own)) = name.rsplit_once('.') else { return };
        if let Some(&Declared { entity: Entity::Process(Home { family, member }), .. }) = self.global(owner) {
            self.families[family].members[member].locals.insert(own, array.clone());
        }
    }
}

/// The processes of a system: those that are called `P[0]`, `P[1]` and so on are a family, all others alone.
fn families(system: &System, language: Language) -> (Vec<Family<'_>>, Vec<(&str, Home)>) {
    let mut numbered: BTreeMap<&str, BTreeMap<usize, ProcessId>> = BTreeMap::new();
    for (process, id) in system.processes().iter().zip((0..).map(ProcessId::new)) {
        if let Some((family, number)) = number(&process.name) {
            numbered.entry(family).or_default().insert(number, id);
        }
    }
    numbered.retain(|_, members| members.keys().copied().eq(0..members.len()));
    let together = |id: &ProcessId| number(&system.process(*id).name).is_some_and(|(f, _)| numbered.contains_key(f));
    let ids = (0..system.processes().len()).map(ProcessId::new);
    let alone = ids.filter(|id| !together(id)).map(|id| (&*system.process(id).name, Vec::new(), vec![id]));
    let families = numbered.iter().map(|(name, members)| {
        let ranges = vec![(0, members.len() as i64 - 1)];
        (*name, ranges, members.values().copied().collect())
    });
    let mut homes = Vec::new();
    let made = alone.chain(families).enumerate().map(|(family, (name, ranges, ids))| {
        homes.extend(ids.iter().enumerate().map(|(member, id)| (&*system.process(*id).name, Home { family, member })));
        let members = ids.into_iter().map(|id| member(system, language, id)).collect();
        Family { name: Name { text: name, span: NOWHERE }, ranges, members, broken: false }
    });
    (made.collect(), homes)
}

/// The name and the number of `P[3]`.
fn number(name: &str) -> Option<(&str, usize)> {
    let (family, number) = name.strip_suffix(']')?.rsplit_once('[')?;
    let value = number.parse().ok().filter(|n: &usize| n.to_string() == number)?;
    Some((family, value))
}

fn member(system: &System, language: Language, id: ProcessId) -> Member<'_> {
    let process = system.process(id);
    let group = |i: usize| Group { first: LocationId::new(i), ranges: Vec::new(), span: NOWHERE, broken: false };
    let groups = process.locations.iter().enumerate().map(|(i, l)| (&*l.name, group(i))).collect();
    let states = States { groups, shared: language.shared(&process.locations), names: Vec::new() };
    Member { id, vars: Vars::default(), name: process.name.clone(), locals: HashMap::new(), states }
}
