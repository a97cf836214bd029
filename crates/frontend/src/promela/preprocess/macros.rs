//! Macros and their definitions.

use std::collections::HashMap;
use std::sync::Arc;

use model::Span;

use super::Preprocessor;
use crate::Diagnostic;
use crate::name::Text;
use crate::promela::token::{Break, Kind, Token, tokens};

/// The macros so far.
#[derive(Clone, Debug, Default)]
pub(in crate::promela) struct Macros {
    known: HashMap<Text, Arc<Macro>>,
    /// The names of those that the text cannot change.
    fixed: Vec<String>,
}

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: Text,
    /// Its parameters, where it is called.
    pub(super) parameters: Option<Vec<Text>>,
    /// Whether the last parameter takes all arguments that are left.
    pub(super) variadic: bool,
    pub(super) body: Vec<Token>,
}

impl Macro {
    /// Which parameter a token is.
    pub(super) fn parameter(&self, token: &Token) -> Option<usize> {
        self.parameters.as_ref()?.iter().position(|parameter| *parameter == token.text)
    }

    fn same(&self, other: &Macro) -> bool {
        let texts = |m: &Macro| m.body.iter().map(|token| token.text.clone()).collect::<Vec<_>>();
        (&self.parameters, self.variadic) == (&other.parameters, other.variadic) && texts(self) == texts(other)
    }
}

impl Macros {
    pub(super) fn get(&self, name: &str) -> Option<&Arc<Macro>> {
        self.known.get(name)
    }

    pub(super) fn remove(&mut self, name: &str) {
        if !self.is_fixed(name) {
            self.known.remove(name);
        }
    }

    /// Lets these macros stay as they are, whatever the text says.
    pub(super) fn fix(&mut self, set: &[(String, String)]) {
        self.fixed = set.iter().map(|(name, _)| name.clone()).collect();
    }

    fn is_fixed(&self, name: &str) -> bool {
        self.fixed.iter().any(|fixed| fixed == name)
    }
}

impl Preprocessor<'_> {
    /// Adds the macros that are there before the text begins.
    pub(super) fn predefine(&mut self, defines: &[(String, String)]) {
        for (name, value) in defines {
            let name = self.words.intern(name);
            let body = tokens(value, Span::new(0, value.len()), &mut self.words);
            self.macros.known.insert(name.clone(), Arc::new(Macro { name, parameters: None, variadic: false, body }));
        }
    }

    /// A complaint if a macro that was set occurs nowhere.
    pub(super) fn missing(&self, name: &str) -> Option<Diagnostic> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let occurs = self.files.sources.text().split(|c| !is_part(c)).any(|word| word == name);
        let message = format!("there is no macro `{name}` that could be set");
        (!occurs).then(|| Diagnostic::error(Span::new(0, 0), message).label("nowhere in this model"))
    }

    /// `#define name body` or `#define name(parameters) body`.
    pub(super) fn define(&mut self, words: &[Token], at: Span) -> Result<(), Diagnostic> {
        let Some((name, rest)) = words.split_first().filter(|(name, _)| name.is_word()) else {
            let place = words.first().map_or(at, |token| token.span);
            return Err(Diagnostic::error(place, "expected the name of a macro").label("not a name"));
        };
        if &*name.text == "defined" {
            return Err(Diagnostic::error(name.span, "`defined` cannot be a macro").label("a word of `#if`"));
        }
        if self.macros.is_fixed(&name.text) {
            return Ok(());
        }
        let called = rest.first().is_some_and(|t| t.kind == Kind::Open && t.span.start == name.span.end);
        let new = match called {
            true => self.called(&name.text, rest, at)?,
            false => Macro { name: name.text.clone(), parameters: None, variadic: false, body: rest.to_vec() },
        };
        if self.macros.get(&name.text).is_some_and(|old| !old.same(&new)) {
            let message = format!("the macro `{}` is defined once more, and differently", name.text);
            let help = format!("if that is meant, write `#undef {}` before", name.text);
            self.reports.push(Diagnostic::warning(name.span, message).label("counts from here on").help(help));
        }
        self.macros.known.insert(name.text.clone(), Arc::new(new));
        Ok(())
    }
}

impl Preprocessor<'_> {
    /// A macro with parameters, from `(` on: names, and perhaps `...` or `name...` as the last one.
    fn called(&mut self, name: &Text, words: &[Token], at: Span) -> Result<Macro, Diagnostic> {
        let (mut names, mut next, mut variadic): (Vec<Text>, usize, bool) = (Vec::new(), 1, false);
        if words.get(1).is_some_and(|token| token.kind == Kind::Close) {
            return Ok(Macro { name: name.clone(), parameters: Some(names), variadic, body: words[2..].to_vec() });
        }
        loop {
            let wrong = |token: Option<&Token>, what: &str| {
                let place = token.map_or(Span { start: at.end, end: at.end }, |token| token.span);
                Diagnostic::error(place, format!("expected {what}")).label("in the parameters of a macro")
            };
            match words.get(next) {
                Some(name) if name.is_word() && names.contains(&name.text) => {
                    let message = format!("there are two parameters `{}`", name.text);
                    return Err(Diagnostic::error(name.span, message).label("the second one"));
                }
                Some(name) if name.is_word() => {
                    names.push(name.text.clone());
                    variadic = dots(&words[next + 1..]);
                    next += if variadic { 2 } else { 0 };
                }
                Some(_) if dots(&words[next..]) => {
                    names.push(self.words.intern(REST));
                    variadic = true;
                    next += 1;
                }
                other => return Err(wrong(other, "the name of a parameter")),
            }
            match words.get(next + 1) {
                Some(token) if token.kind == Kind::Comma && !variadic => next += 2,
                Some(token) if token.kind == Kind::Close => {
                    let (name, body) = (name.clone(), words[next + 2..].to_vec());
                    return Ok(Macro { name, parameters: Some(names), variadic, body });
                }
                other => return Err(wrong(other, if variadic { "`)`" } else { "`,` or `)`" })),
            }
        }
    }
}

/// What `...` is called in the text of a macro.
const REST: &str = "__VA_ARGS__";

/// Whether `...` comes next.
fn dots(words: &[Token]) -> bool {
    matches!(words, [two, one, ..] if two.kind == Kind::DotDot && one.kind == Kind::Dot && two.span.end == one.span.start)
}

/// A token that a macro gave, in the place of its use.
pub(super) fn given(token: &Token, name: &Text, at: Span) -> Token {
    let (span, written, from) = (at, at, Some(name.clone()));
    Token { span, written, home: at, from, before: Break::None, ..token.clone() }
}
