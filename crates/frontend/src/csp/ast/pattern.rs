//! Patterns.

use model::Span;

use super::{Name, Text};

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it matches.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern matches.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// A variable, a constructor or a channel.
    Name(Text),
    /// `M::A`.
    Qualified(Vec<Name>),
    /// `3`, `-1`.
    Int(i64),
    /// `true`.
    Bool(bool),
    /// `'c'`.
    Char(char),
    /// `"text"`: a sequence of characters.
    String(Text),
    /// `(p, q)`: at least two.
    Tuple(Vec<Pattern>),
    /// `<p, q>`, `<>`.
    Sequence(Vec<Pattern>),
    /// `{}`, `{p}`: at most one.
    Set(Vec<Pattern>),
    /// `p.q.r`: at least two, none of them a dot pattern but in parentheses.
    Dot(Vec<Pattern>),
    /// `p^q^r`: at least two.
    Concat(Vec<Pattern>),
    /// `p @@ q`: both match the whole.
    Both(Box<(Pattern, Pattern)>),
}
