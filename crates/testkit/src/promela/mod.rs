//! Random programs in Promela, small enough for any search and varied enough to find what a reader gets wrong.
//!
//! Programs are trees of text: the generator knows what SPIN accepts, the rest only how to print and to cut. That they
//! do not count beyond all bounds is a matter of what is assigned ([`values`]): each variable runs through few values,
//! those at which its type wraps around among them.

mod channels;
mod claim;
mod control;
mod expressions;
mod favour;
mod generate;
mod runs;
mod scope;
mod shrink;
mod trace;
mod values;

pub use generate::{random, random_with_claim, random_with_trace};
pub use runs::random_about_runs;
pub use shrink::shrink;

use std::fmt;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Macros, types, variables, channels and inlines, in order.
    pub declarations: Vec<String>,
    /// The proctypes, and `init`.
    pub processes: Vec<Process>,
    /// The `never` claim, or the `trace`.
    pub claim: Option<String>,
}

/// A proctype, or `init`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// What stands before the brace.
    pub head: String,
    /// Its variables.
    pub locals: Vec<String>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Without parts.
    Line(String),
    /// With parts, each behind a text of its own: `if`, `::` and a part, `fi`.
    Group {
        /// What comes first, labels included.
        head: String,
        /// What stands before each part, and the part.
        parts: Vec<(&'static str, Vec<Stmt>)>,
        /// What comes last.
        tail: &'static str,
    },
}

impl Stmt {
    fn line(text: impl Into<String>) -> Self {
        Stmt::Line(text.into())
    }

    /// A group of one part.
    fn block(head: impl Into<String>, body: Vec<Stmt>) -> Self {
        Stmt::Group { head: head.into(), parts: vec![("", body)], tail: "}" }
    }

    /// `if` or `do`.
    fn choice(head: &str, options: Vec<Vec<Stmt>>, tail: &'static str) -> Self {
        Stmt::Group { head: head.to_owned(), parts: options.into_iter().map(|o| ("::", o)).collect(), tail }
    }

    /// The texts with which it can begin: those of the options of a choice, of the main part and the escape of an `unless`.
    fn beginnings(&self) -> Vec<&str> {
        match self {
            Stmt::Line(text) => vec![text],
            Stmt::Group { head, .. } if head.starts_with("for ") => vec![head],
            Stmt::Group { parts, .. } => {
                parts.iter().filter_map(|(_, part)| part.first()).flat_map(Self::beginnings).collect()
            }
        }
    }

    /// Whether SPIN wants no `else` beside it: it begins with a message.
    fn begins_with_message(&self) -> bool {
        self.beginnings().into_iter().any(is_message)
    }

    /// Whether it begins with an `else` of its own.
    fn begins_with_else(&self) -> bool {
        self.beginnings().contains(&"else")
    }

    /// Whether a label stands in front.
    fn is_labelled(&self) -> bool {
        let (Stmt::Line(text) | Stmt::Group { head: text, .. }) = self;
        ["L0: ", "L1: ", "end0: ", "progress0: ", "accept0: "].iter().any(|label| text.starts_with(label))
    }

    /// Whether a jump to it would be refused.
    fn is_no_target(&self) -> bool {
        let (Stmt::Line(text) | Stmt::Group { head: text, .. }) = self;
        ["goto", "break", "d_step"].iter().any(|word| text.starts_with(word))
    }

    /// Puts a label in front.
    fn label(&mut self, label: &str) {
        match self {
            Stmt::Line(text) | Stmt::Group { head: text, .. } => *text = format!("{label}: {text}"),
        }
    }
}

/// Whether a statement sends or receives.
fn is_message(text: &str) -> bool {
    let channel = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_[]".contains(c));
    let operator = channel.trim_start_matches(['!', '?']);
    text.len() > channel.len() && channel.len() > operator.len() && !operator.starts_with(['[', '=', '('])
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for declaration in &self.declarations {
            writeln!(f, "{declaration}")?;
        }
        for process in &self.processes {
            writeln!(f, "{} {{", process.head)?;
            for local in &process.locals {
                writeln!(f, "  {local};")?;
            }
            sequence(f, &process.body, 1)?;
            writeln!(f, "}}")?;
        }
        self.claim.iter().try_for_each(|claim| writeln!(f, "{claim}"))
    }
}

/// Statements one below the other; SPIN wants at least one.
fn sequence(f: &mut fmt::Formatter<'_>, statements: &[Stmt], depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    if statements.is_empty() {
        return writeln!(f, "{indent}skip");
    }
    for (i, statement) in statements.iter().enumerate() {
        write!(f, "{indent}")?;
        match statement {
            Stmt::Line(text) => write!(f, "{text}")?,
            Stmt::Group { head, parts, tail } => {
                writeln!(f, "{head}")?;
                for (before, part) in parts {
                    if !before.is_empty() {
                        writeln!(f, "{indent}{before}")?;
                    }
                    sequence(f, part, depth + 1)?;
                }
                write!(f, "{indent}{tail}")?;
            }
        }
        writeln!(f, "{}", if i + 1 < statements.len() { ";" } else { "" })?;
    }
    Ok(())
}
