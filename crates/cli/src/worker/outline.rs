//! What an editor wants to know of a text: its mistakes, its names and its properties.

use std::collections::HashMap;
use std::path::Path;

use formats::figures::show_number;
use frontend::outline::{Symbol, SymbolKind};
use frontend::{native, pnml, promela};
use model::{ObjectId, ProcessId, Span};
use serde::{Deserialize, Serialize};

use crate::args::ModelArgs;
use crate::commands::info;
use crate::diagnostics::Mistake;
use crate::input::{self, Model, Models, Patience};

/// Of a larger text only the mistakes are told.
const MAX_OUTLINED: usize = 8 << 20;
/// So many arcs of a place or a transition are named.
const LISTED: usize = 12;

/// What there is to say about a text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outline {
    /// Its mistakes, and remarks.
    pub(crate) mistakes: Vec<Mistake>,
    /// Why there is no model, if that is no mistake at some place of the text.
    pub(crate) problem: Option<String>,
    /// Its names.
    pub(crate) names: Vec<Entry>,
    /// Its properties, if there is a model.
    pub(crate) properties: Option<Vec<Asked>>,
}

/// A name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// What it stands for, in one word.
    pub(crate) kind: String,
    /// Where it is declared, in bytes.
    pub(crate) span: (usize, usize),
    /// Where it is visible.
    pub(crate) scope: Option<(usize, usize)>,
    /// The text of a process.
    pub(crate) inside: Option<(usize, usize)>,
    /// More about it.
    pub(crate) facts: Vec<String>,
}

/// A property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) name: String,
    /// Where it is written, in bytes.
    pub(crate) span: Option<(usize, usize)>,
}

fn range(span: Span) -> (usize, usize) {
    (span.range().start, span.range().end)
}

/// Looks at a file, or at the text that stands for it.
pub(super) fn of(args: &ModelArgs) -> Outline {
    let mut out = Outline::default();
    let models = match Models::read(args, Patience::default()) {
        Ok(Models { models, .. }) => models,
        Err(failure) => {
            out.problem = failure.mistakes.is_empty().then(|| failure.summary.clone());
            out.mistakes = failure.mistakes;
            Vec::new()
        }
    };
    for model in &models {
        let Model { input, loaded, .. } = model;
        out.mistakes.extend(loaded.warnings.iter().map(|d| Mistake::new(&input.name, &input.text, d)));
        let asked = loaded.properties.iter().map(|p| Asked { name: p.name.clone(), span: p.span.map(range) });
        out.properties.get_or_insert_default().extend(asked);
    }
    out.names = names(args, models.first());
    out
}

fn names(args: &ModelArgs, model: Option<&Model>) -> Vec<Entry> {
    let Ok(bytes) = input::read_bytes(&args.file) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    if bytes.len() > MAX_OUTLINED {
        return Vec::new();
    }
    let symbols = if frontend::is_net(&args.file, &bytes) {
        pnml::outline(&bytes)
    } else if input::promela::is_promela(&args.file) {
        let folder = args.file.parent().unwrap_or(Path::new("")).to_owned();
        let reader = move |name: &str| input::promela::beside(&folder.join(name));
        promela::outline(&input::old_text(bytes.clone()), &reader, &promela::Options::default())
    } else if input::is_native(&args.file) {
        native::outline(&text)
    } else {
        Vec::new()
    };
    let owners: HashMap<Span, &str> = symbols.iter().filter_map(|o| Some((o.inside?, &*o.name))).collect();
    let known = model.map(Known::new);
    let facts = |s: &Symbol| known.as_ref().map(|k| k.facts(s, s.scope.and_then(|scope| owners.get(&scope).copied())));
    let entry = |s: &Symbol| Entry {
        name: s.name.clone(),
        kind: s.kind.word().to_owned(),
        span: range(s.span),
        scope: s.scope.map(range),
        inside: s.inside.map(range),
        facts: facts(s).unwrap_or_default(),
    };
    symbols.iter().map(entry).collect()
}

/// A model, with its parts by the names that a text has for them.
struct Known<'m> {
    model: &'m Model,
    objects: HashMap<String, Vec<ObjectId>>,
    processes: HashMap<String, Vec<ProcessId>>,
    state: Vec<u64>,
}

impl<'m> Known<'m> {
    fn new(model: &'m Model) -> Self {
        let system = &model.loaded.system;
        let (mut objects, mut processes) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        // The parts of a net have names of their own.
        if model.net.is_none() {
            system.object_ids().for_each(|o| objects.entry(family(&system.object(o).name)).or_default().push(o));
            system.process_ids().for_each(|p| processes.entry(family(&system.process(p).name)).or_default().push(p));
        }
        Self { model, objects, processes, state: system.initial_state() }
    }

    /// What the model knows of a name.
    fn facts(&self, symbol: &Symbol, owner: Option<&str>) -> Vec<String> {
        match symbol.kind {
            SymbolKind::Object | SymbolKind::Channel => self.object(symbol, owner),
            SymbolKind::Process => self.process(&symbol.name),
            SymbolKind::Place => place(self.model, &symbol.name),
            SymbolKind::Transition => transition(self.model, &symbol.name),
            _ => Vec::new(),
        }
    }

    fn object(&self, symbol: &Symbol, owner: Option<&str>) -> Vec<String> {
        let (system, state) = (&self.model.loaded.system, &self.state);
        let full = owner.map_or_else(|| symbol.name.clone(), |owner| format!("{owner}.{}", symbol.name));
        let all = self.objects.get(&full).map(Vec::as_slice).unwrap_or_default();
        let Some(first) = all.first() else { return Vec::new() };
        let initial = system.show_value(*first, &system.value(*first, state));
        let same = all.iter().all(|o| system.show_value(*o, &system.value(*o, state)) == initial);
        let mut facts = vec![info::kind(system.object(*first))];
        facts.push(if same { format!("initially {initial}") } else { "initial values differ".to_owned() });
        if let [first, .., last] = all {
            let name = |o: ObjectId| &system.object(o).name;
            facts.push(format!("{} of them: `{}` to `{}`", all.len(), name(*first), name(*last)));
        }
        facts
    }

    fn process(&self, name: &str) -> Vec<String> {
        let system = &self.model.loaded.system;
        let all = self.processes.get(name).map(Vec::as_slice).unwrap_or_default();
        let Some(first) = all.first().map(|p| system.process(*p)) else { return Vec::new() };
        let states = show_number(first.locations.len() as u64, "state");
        let start = &first.locations[first.initial.index()].name;
        let mut facts = vec![format!("{states}, starts at `{start}`")];
        if let [_, .., last] = all {
            facts.push(format!("{} of them: `{}` to `{}`", all.len(), first.name, system.process(*last).name));
        }
        facts
    }
}

/// The name without indices and numbers of processes: `P[1].x` and `P:1.x` are both `P.x`.
fn family(name: &str) -> String {
    let mut depth = 0_usize;
    let mut number = false;
    let mut out = String::new();
    for c in name.chars() {
        number = c == ':' || (number && c.is_ascii_digit());
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !number => out.push(c),
            _ => {}
        }
    }
    out
}

fn listed<T>(what: &str, arcs: &[(T, u32)], name: impl Fn(&T) -> String) -> String {
    let weight = |w: u32| if w == 1 { String::new() } else { format!(" ({w})") };
    let mut shown: Vec<String> =
        arcs.iter().take(LISTED).map(|(node, w)| format!("`{}`{}", name(node), weight(*w))).collect();
    if arcs.len() > LISTED {
        shown.push(format!("{} more", arcs.len() - LISTED));
    }
    if shown.is_empty() { format!("{what} nothing") } else { format!("{what} {}", shown.join(", ")) }
}

fn place(model: &Model, id: &str) -> Vec<String> {
    let Some(file) = &model.net else { return Vec::new() };
    let net = &*file.net;
    let name = |t: &model::views::NetTransitionId| net.transition(*t).name.to_string();
    match file.ids.places(id).unwrap_or_default() {
        [one] => vec![
            format!(
                "`{}`, marked with {}",
                net.place(*one).name,
                show_number(u64::from(net.place(*one).initial), "token")
            ),
            listed("filled by", net.producers(*one), name),
            listed("emptied by", net.consumers(*one), name),
        ],
        several => {
            let tokens: u64 = several.iter().map(|p| u64::from(net.place(*p).initial)).sum();
            let instances = show_number(several.len() as u64, "place");
            vec![format!("unfolded to {instances}, marked with {}", show_number(tokens, "token"))]
        }
    }
}

fn transition(model: &Model, id: &str) -> Vec<String> {
    let Some(file) = &model.net else { return Vec::new() };
    let net = &*file.net;
    let name = |p: &model::views::PlaceId| net.place(*p).name.clone();
    match file.ids.transitions(id).unwrap_or_default() {
        [one] => vec![
            format!("`{}`", net.transition(*one).name),
            listed("takes from", net.pre(*one), name),
            listed("puts into", net.post(*one), name),
        ],
        several => vec![format!("unfolded to {}", show_number(several.len() as u64, "transition"))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_family_have_one_name() {
        assert_eq!([family("P[1].x"), family("P:12.x"), family("grid[a[1]][2]")], ["P.x", "P.x", "grid"]);
    }
}
