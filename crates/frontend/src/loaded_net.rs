//! What the readers of Petri nets give, and what they share on the way there.

use model::Span;
use model::views::{Net, NetBuilder, NetTransitionId, Place, PlaceId};

use crate::{Diagnostic, NodeIds, Nupn};

/// The largest text of a net that is accepted, in bytes.
pub const MAX_NET_TEXT: usize = 1 << 30;

/// A net that was read.
#[derive(Clone, Debug)]
pub struct LoadedNet {
    /// The net.
    pub net: Net,
    /// How the text itself refers to places and transitions.
    pub ids: NodeIds,
    /// The hierarchy of units that the author claims, if the text has one and it fits the net.
    pub nupn: Option<Nupn>,
    /// Whether the text says the same net.
    pub origin: Origin,
    /// Remarks that do not prevent an answer.
    pub warnings: Vec<Diagnostic>,
}

/// How a net follows from its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Node by node.
    Plain,
    /// A coloured net was unfolded. Instances of places that are never marked, and of transitions that are never
    /// enabled because of them, are left out as far as that is seen at once; an id may stand for no instance at all.
    Unfolded,
}

/// So many mistakes are reported at once.
pub(crate) const MAX_MISTAKES: usize = 20;

/// A net while it is read: a builder, and the ids that are taken.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) builder: NetBuilder,
    pub(crate) ids: NodeIds,
    pub(crate) warnings: Vec<Diagnostic>,
    /// Arcs that test for tokens and leave them.
    reads: Vec<(NetTransitionId, PlaceId, u32, Span)>,
}

impl Draft {
    pub(crate) fn new(name: &str) -> Self {
        Self { builder: NetBuilder::new(name), ids: NodeIds::default(), warnings: Vec::new(), reads: Vec::new() }
    }

    /// Adds a place, unless there is one with this id.
    pub(crate) fn place(&mut self, id: &str, place: Place) -> Option<PlaceId> {
        self.ids.places.insert(id, || [self.builder.place(place)]).map(|places| places[0])
    }

    /// Adds a transition, unless there is one with this id.
    pub(crate) fn transition(&mut self, id: &str, name: &str) -> Option<NetTransitionId> {
        self.ids.transitions.insert(id, || [self.builder.transition(name)]).map(|transitions| transitions[0])
    }

    /// Adds the places that a new id stands for.
    pub(crate) fn places(&mut self, id: &str, places: impl Iterator<Item = Place>) -> Vec<PlaceId> {
        let builder = &mut self.builder;
        let new = self.ids.places.insert(id, || places.map(|place| builder.place(place)));
        new.expect("ids were found to be distinct").to_vec()
    }

    /// Adds the transitions that a new id stands for.
    pub(crate) fn transitions(&mut self, id: &str, names: impl Iterator<Item = String>) -> Vec<NetTransitionId> {
        let builder = &mut self.builder;
        let new = self.ids.transitions.insert(id, || names.map(|name| builder.transition(name)));
        new.expect("ids were found to be distinct").to_vec()
    }

    /// Tokens that a transition needs and leaves: it takes them and gives them back.
    pub(crate) fn read(&mut self, t: NetTransitionId, p: PlaceId, weight: u32, span: Span) {
        self.builder.consume(t, p, weight);
        self.builder.produce(t, p, weight);
        self.reads.push((t, p, weight, span));
    }

    pub(crate) fn finish(self) -> Result<LoadedNet, Vec<Diagnostic>> {
        let net = self.builder.build().map_err(|e| vec![Diagnostic::error(Span::new(0, 0), e.message)])?;
        for (t, p, weight, span) in self.reads {
            // Whether the tokens tested may be those taken is answered differently by different tools.
            if net.pre(t).binary_search(&(p, weight)).is_err() {
                let (place, transition) = (&net.place(p).name, &net.transition(t).name);
                let message = format!("transition `{transition}` tests place `{place}` and has another arc from it");
                return Err(vec![Diagnostic::error(span, message).help("give the meaning with ordinary arcs only")]);
            }
        }
        Ok(LoadedNet { net, ids: self.ids, nupn: None, origin: Origin::Plain, warnings: self.warnings })
    }
}

/// Refuses texts that are too long for what follows.
pub(crate) fn check_size(bytes: &[u8]) -> Result<(), Diagnostic> {
    if bytes.len() <= MAX_NET_TEXT {
        return Ok(());
    }
    let message = format!("the file has {} bytes; nets of at most {MAX_NET_TEXT} bytes are read", bytes.len());
    Err(Diagnostic::error(Span::new(0, 0), message))
}

/// The text of a file that must be UTF-8.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Diagnostic> {
    check_size(bytes)?;
    std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        Diagnostic::error(Span::new(at, at), "the file is not text in UTF-8")
            .label("this byte belongs to no character")
            .help("convert the file to UTF-8")
    })
}

/// A number of tokens, or the weight of an arc.
pub(crate) fn tokens(text: &str, what: &str, span: Span) -> Result<u32, Diagnostic> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let shown: String = text.chars().take(40).collect();
    let problem = if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        "is not a number"
    } else if digits.len() < text.len() {
        "is negative"
    } else {
        match digits.parse() {
            Ok(n) => return Ok(n),
            Err(_) => "is more than 4294967295",
        }
    };
    Err(Diagnostic::error(span, format!("{what} `{shown}` {problem}")).label("expected a natural number"))
}

/// The weight of an arc.
pub(crate) fn weight(text: &str, span: Span) -> Result<u32, Diagnostic> {
    match tokens(text, "the weight", span)? {
        0 => Err(Diagnostic::error(span, "an arc has the weight 0").label("expected a positive number")),
        weight => Ok(weight),
    }
}
