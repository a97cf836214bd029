//! What the names of a text stand for and where they are declared, for editors. An outline is made of the text alone, so
//! that there is one even where the text is no model yet.

use std::collections::HashSet;

use model::Span;

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Where the name is declared.
    pub span: Span,
    /// What it is visible in: the text of a process, or everything. A process has the names that are visible in `inside`.
    pub scope: Option<Span>,
    /// The text that belongs to it, if other names are declared in there.
    pub inside: Option<Span>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SymbolKind {
    Parameter,
    Constant,
    Type,
    Field,
    Object,
    Channel,
    Action,
    Process,
    Index,
    State,
    Label,
    Property,
    Macro,
    Place,
    Transition,
}

impl SymbolKind {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            SymbolKind::Parameter => "parameter",
            SymbolKind::Constant => "constant",
            SymbolKind::Type => "type",
            SymbolKind::Field => "field",
            SymbolKind::Object => "object",
            SymbolKind::Channel => "channel",
            SymbolKind::Action => "action",
            SymbolKind::Process => "process",
            SymbolKind::Index => "index",
            SymbolKind::State => "state",
            SymbolKind::Label => "label",
            SymbolKind::Property => "property",
            SymbolKind::Macro => "macro",
            SymbolKind::Place => "place",
            SymbolKind::Transition => "transition",
        }
    }
}

/// An outline being made: declarations are visible in the scope that is current.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) symbols: Vec<Symbol>,
    scope: Option<Span>,
    labels: HashSet<(String, Option<Span>)>,
}

impl Outline {
    /// Adds a declaration. Labels are declared by being mentioned: only the first time counts.
    pub(crate) fn add(&mut self, kind: SymbolKind, name: &str, span: Span) {
        let scope = self.scope;
        if kind != SymbolKind::Label || self.labels.insert((name.to_owned(), scope)) {
            self.symbols.push(Symbol { name: name.to_owned(), kind, span, scope, inside: None });
        }
    }

    /// Adds a process, and what is declared in it.
    pub(crate) fn process(&mut self, name: (&str, Span), inside: Span, body: impl FnOnce(&mut Self)) {
        let outer = self.scope;
        let kind = SymbolKind::Process;
        self.symbols.push(Symbol { name: name.0.to_owned(), kind, span: name.1, scope: outer, inside: Some(inside) });
        self.scope = Some(inside);
        body(self);
        self.scope = outer;
    }
}
