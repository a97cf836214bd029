//! The expansion of macros.
//!
//! The tokens to come lie on a stack; a macro's name is taken from it and its text put back, so that what it gives may
//! take arguments from what follows. Each token remembers the macros that it came through and is never expanded by
//! one of these again (Prosser's hide sets, which the C standard's words go back to): expansion ends. That it ends soon
//! is what the limits are for.

use std::rc::Rc;
use std::sync::Arc;

use model::Span;

use super::Preprocessor;
use super::macros::{Macro, given};
use crate::Diagnostic;
use crate::name::Text;
use crate::promela::limits;
use crate::promela::token::{Break, Kind, Token};

/// The macros that a token came through.
pub(super) type Hidden = Option<Rc<Hide>>;

/// The last macro that a token came through, and those before.
pub(super) struct Hide {
    name: Text,
    rest: Hidden,
    depth: u32,
}

/// A token and where it came through.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) token: Token,
    pub(super) hidden: Hidden,
}

/// The arguments of a call, and the token that closes it.
struct Call {
    arguments: Vec<Vec<Item>>,
    close: Item,
    /// Whether it stands on several lines.
    broken: bool,
}

fn hides(hidden: &Hidden) -> impl Iterator<Item = &Hide> {
    std::iter::successors(hidden.as_deref(), |hide| hide.rest.as_deref())
}

/// Equal words share their memory, so that it is enough to compare where they are.
fn is_hidden(hidden: &Hidden, name: &Text) -> bool {
    hides(hidden).any(|hide| Arc::ptr_eq(&hide.name, name))
}

/// The set with one more name.
fn with(hidden: &Hidden, name: &Text) -> Hidden {
    if is_hidden(hidden, name) {
        return hidden.clone();
    }
    let depth = 1 + hidden.as_ref().map_or(0, |hide| hide.depth);
    Some(Rc::new(Hide { name: name.clone(), rest: hidden.clone(), depth }))
}

/// The names of both sets.
pub(super) fn union(a: &Hidden, b: &Hidden) -> Hidden {
    if a.is_none() { b.clone() } else { hides(a).fold(b.clone(), |all, hide| with(&all, &hide.name)) }
}

/// The names that are in both sets.
fn intersection(a: &Hidden, b: &Hidden) -> Hidden {
    hides(a).filter(|hide| is_hidden(b, &hide.name)).fold(None, |all, hide| with(&all, &hide.name))
}

impl Preprocessor<'_> {
    /// The tokens with all macros expanded.
    pub(super) fn expand(&mut self, tokens: &[Token]) -> Vec<Token> {
        let items = tokens.iter().map(|token| Item { token: token.clone(), hidden: None }).collect();
        self.expand_items(items, 0).into_iter().map(|item| item.token).collect()
    }

    /// The same, `depth` arguments deep.
    pub(super) fn expand_items(&mut self, mut items: Vec<Item>, depth: u32) -> Vec<Item> {
        items.reverse();
        let mut out = Vec::with_capacity(items.len());
        while let Some(item) = items.pop() {
            let known = self.macros.get(&item.token.text).filter(|m| !is_hidden(&item.hidden, &m.name)).cloned();
            match known {
                Some(known) if !self.tired() => match self.step(&known, item, &mut items, depth) {
                    Ok(None) => {}
                    Ok(Some(item)) => out.push(item),
                    Err(mistake) => self.fail(*mistake),
                },
                _ => out.push(item),
            }
        }
        out
    }

    /// Puts the text of a macro onto the stack; or gives the token back, if it is no call.
    fn step(
        &mut self,
        known: &Arc<Macro>,
        item: Item,
        stack: &mut Vec<Item>,
        depth: u32,
    ) -> Result<Option<Item>, Box<Diagnostic>> {
        let called = stack.last().is_some_and(|next| next.token.kind == Kind::Open);
        let (text, broken) = match &known.parameters {
            None => {
                let hidden = with(&item.hidden, &known.name);
                let text = known.body.iter().map(|t| given(t, &known.name, item.token.span));
                (text.map(|token| Item { token, hidden: hidden.clone() }).collect(), false)
            }
            Some(_) if !called => return Ok(Some(item)),
            Some(parameters) => {
                let mut call = arguments(known, &item.token, stack)?;
                if known.variadic && call.arguments.len() + 1 == parameters.len() {
                    call.arguments.push(Vec::new());
                }
                self.work += call.arguments.iter().map(Vec::len).sum::<usize>();
                let at = item.token.span.to(call.close.token.span);
                check_count(known, parameters.len(), &call.arguments, at)?;
                let hidden = with(&intersection(&item.hidden, &call.close.hidden), &known.name);
                (self.substitute(known, call.arguments, (at, &hidden), depth)?, call.broken)
            }
        };
        // The lines of a call end behind it, as they do for the C preprocessor.
        if let Some(next) = stack.last_mut().filter(|_| broken) {
            next.token.before = next.token.before.max(Break::Comment);
        }
        self.push(known, &item.token, text, stack)?;
        Ok(None)
    }

    /// Reports a mistake; what is too much is said once.
    fn fail(&mut self, mistake: Diagnostic) {
        if !self.stopped {
            self.reports.push(mistake);
            self.stopped = self.work > limits::WORK;
        }
    }

    /// Puts the text of a macro onto the stack.
    fn push(
        &mut self,
        known: &Macro,
        name: &Token,
        mut text: Vec<Item>,
        stack: &mut Vec<Item>,
    ) -> Result<(), Box<Diagnostic>> {
        self.work += 1 + text.len();
        let deep = text.first().and_then(|item| item.hidden.as_ref()).map_or(0, |hide| hide.depth);
        if deep > limits::MACROS {
            let message = format!("macros within macros, more than {} deep", limits::MACROS);
            return Err(Box::new(Diagnostic::error(name.span, message).label("one too many")));
        }
        self.measure(known, name.span)?;
        // The text begins where the name stood: after the end of a line, or not.
        if let Some(first) = text.first_mut().or(stack.last_mut()) {
            first.token.before = first.token.before.max(name.before);
        }
        stack.extend(text.into_iter().rev());
        Ok(())
    }
}

impl Preprocessor<'_> {
    /// Whether macros gave more text than is reasonable.
    pub(super) fn measure(&self, known: &Macro, at: Span) -> Result<(), Box<Diagnostic>> {
        if self.work <= limits::WORK {
            return Ok(());
        }
        let message = format!("the macros of this model give too much text; `{}` is one of them", known.name);
        Err(Box::new(Diagnostic::error(at, message).label("here it is too much")))
    }
}

/// Takes the arguments of a call from the stack, on which `(` comes next.
fn arguments(known: &Macro, name: &Token, stack: &mut Vec<Item>) -> Result<Call, Box<Diagnostic>> {
    let (mut arguments, mut open, mut broken): (Vec<Vec<Item>>, usize, bool) = (vec![Vec::new()], 0, false);
    // The last parameter may take all that is left, commas included.
    let is_last = |number: usize| known.variadic && known.parameters.as_ref().is_some_and(|p| p.len() == number);
    broken |= stack.pop().is_some_and(|open| open.token.before != Break::None);
    while let Some(item) = stack.pop() {
        broken |= item.token.before != Break::None;
        match item.token.kind {
            Kind::Comma if open == 0 && !is_last(arguments.len()) => {
                arguments.push(Vec::new());
                continue;
            }
            Kind::Close if open == 0 => return Ok(Call { arguments, close: item, broken }),
            Kind::Open => open += 1,
            Kind::Close => open -= 1,
            _ => {}
        }
        if let Some(last) = arguments.last_mut() {
            last.push(item);
        }
    }
    let message = format!("the arguments of the macro `{}` never end", known.name);
    let error = Diagnostic::error(name.span, message).label("called here");
    Err(Box::new(error.help("expected `)` before the next line that begins with `#`, or the end of the text")))
}

fn check_count(known: &Macro, wanted: usize, found: &[Vec<Item>], at: Span) -> Result<(), Box<Diagnostic>> {
    let none = wanted == 0 && found.len() == 1 && found[0].is_empty();
    if none || found.len() == wanted {
        return Ok(());
    }
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!("the macro `{}` has {wanted} parameter{plural}, not {}", known.name, found.len());
    Err(Box::new(Diagnostic::error(at, message).label("called here")))
}
