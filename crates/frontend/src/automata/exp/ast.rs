//! Behaviours as they are written.

use model::Span;

/// A behaviour, with where it is written.
#[derive(Clone, Debug)]
pub(super) struct Behaviour {
    pub(super) form: Form,
    pub(super) span: Span,
}

/// What a behaviour is.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// An automaton or another expression, by the name of its file.
    File(String),
    Stop,
    Exit,
    /// Behaviours side by side, each operator standing between two neighbours; read from the right.
    Chain {
        first: Box<Behaviour>,
        rest: Vec<(Operator, Behaviour)>,
    },
    /// `par`: behaviours with the gates on which they meet.
    Par {
        gates: Vec<Gate>,
        branches: Vec<Branch>,
    },
    /// `par using`: behaviours with the combinations of labels that may happen.
    Vectors {
        vectors: Vec<Vector>,
        branches: Vec<Behaviour>,
    },
    Relabel(Box<Relabel>),
}

/// How two behaviours are composed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// `|||`: on nothing but termination.
    Interleaving,
    /// `||`: on everything that is not silent.
    Full,
    /// `|[...]|`: on these gates.
    Gates(Vec<Gate>),
}

/// A gate of a list, with how many meet on it, if not all do (`G#2`).
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) name: String,
    pub(super) degree: Option<usize>,
    pub(super) span: Span,
}

impl PartialEq for Gate {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.degree) == (&other.name, other.degree)
    }
}

impl Eq for Gate {}

/// A part of `par`.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// `G, ... ->` before it.
    pub(super) gates: Vec<Gate>,
    pub(super) behaviour: Behaviour,
}

/// A synchronisation vector; positions with `_` are left out.
#[derive(Clone, Debug)]
pub(super) struct Vector {
    pub(super) width: usize,
    pub(super) parts: Vec<(usize, Offer)>,
    pub(super) result: Offer,
    pub(super) span: Span,
}

/// A part of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// This label.
    Label(String),
    /// Any label of this gate; all parts that are gates have the same offers.
    Gate(String),
}

/// Hiding, cutting or renaming.
#[derive(Clone, Debug)]
pub(super) struct Relabel {
    pub(super) change: Change,
    pub(super) behaviour: Behaviour,
}

/// What becomes of labels.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Those that are chosen become silent.
    Hide(Selection),
    /// Those that are chosen never happen.
    Cut(Selection),
    /// The first that fits is applied.
    Rename(Vec<(Matcher, String)>),
}

/// A choice of labels.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    /// All but those that fit.
    pub(super) inverted: bool,
    pub(super) matchers: Vec<Matcher>,
}

/// Which labels are meant.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    pub(super) matching: Matching,
    pub(super) text: String,
    pub(super) span: Span,
}

/// How a text is compared with a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matching {
    /// The text is its gate.
    Gate,
    /// The pattern fits the whole label.
    Total,
    /// The pattern fits a part of the label; of several, the first is renamed.
    Partial,
    /// Likewise, and all of them are renamed.
    Multiple,
}
