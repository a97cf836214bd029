//! What one look at the model knows: the statuses of the data, and what it meets on the way.

use std::cell::RefCell;

use model::{Expr, Span};

use super::data::Item;
use super::design::Design;
use super::frame::Notes;
use super::hidden::Hidden;
use super::sym::{Sym, all};
use crate::bip::ast;

/// What is known while the model is looked at.
pub(super) struct Pass<'a, 'm> {
    pub(super) design: &'a Design<'m>,
    pub(super) items: &'a [Item],
    pub(super) notes: &'a Notes,
    pub(super) hidden: Hidden,
    cycles: RefCell<Vec<Cycle>>,
}

/// Priorities that are cyclic in some states, if those can be reached.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    pub(super) what: String,
    pub(super) when: Expr,
    pub(super) span: Span,
}

impl<'a, 'm> Pass<'a, 'm> {
    /// A look at the model with these statuses.
    pub(super) fn new(design: &'a Design<'m>, items: &'a [Item], notes: &'a Notes) -> Self {
        Self { design, items, notes, hidden: Hidden::default(), cycles: RefCell::default() }
    }

    /// The values of the data of an atom.
    pub(super) fn reads(&self, atom: usize) -> Vec<Sym> {
        let atom = &self.design.atoms[atom];
        (atom.first_item..).take(atom.ty.data.len()).map(|n| self.items[n].read(n)).collect()
    }

    /// A condition that cannot be evaluated, in the scope of this name.
    pub(super) fn unknown(&self, scope: &str, owners: &[usize], expr: &ast::Expr) -> Expr {
        let text = self.design.model.sources.text().get(expr.span.range()).unwrap_or_default();
        let text = in_one_line(text);
        let bare = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).filter(|t| is_balanced(t)).unwrap_or(&text);
        let message =
            format!("whether `{bare}` holds is unknown: both are possible after every step that may change it");
        self.notes.borrow_mut().insert(crate::bip::Abstraction { span: expr.span, message });
        self.hidden.condition(format!("{scope}.({bare})"), expr.span, owners)
    }

    /// Notes that something waits for itself where all of this holds.
    pub(super) fn cycle(&self, what: String, when: Vec<Expr>, span: Span) {
        let when = all(when);
        let mut cycles = self.cycles.borrow_mut();
        if !cycles.iter().any(|c| c.when == when) {
            cycles.push(Cycle { what, when, span });
        }
    }

    /// What was met.
    pub(super) fn finish(self) -> (Hidden, Vec<Cycle>) {
        (self.hidden, self.cycles.into_inner())
    }
}

/// The text with single spaces, except between quotation marks: there, every space counts.
fn in_one_line(text: &str) -> String {
    let (mut line, mut quoted, mut escaped) = (String::new(), false, false);
    for c in text.trim().chars() {
        if quoted || !c.is_whitespace() {
            line.push(c);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
    }
    line
}

/// Whether every parenthesis is closed after it is opened.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
