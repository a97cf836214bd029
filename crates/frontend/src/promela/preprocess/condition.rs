//! Conditions: which lines of a file count.

use model::Span;

use super::Preprocessor;
use super::arithmetic::value;
use crate::Diagnostic;
use crate::promela::token::{Kind, Token};

/// The conditions that are open in one file, each within the one before.
#[derive(Default)]
pub(super) struct Groups(Vec<Group>);

/// From `#if` to `#endif`.
struct Group {
    /// Whether lines count here.
    active: bool,
    /// Whether some part of it counted, or cannot count any more.
    decided: bool,
    /// Whether `#else` stood here.
    last: bool,
    at: Span,
}

impl Groups {
    /// Whether lines count here.
    pub(super) fn active(&self) -> bool {
        self.0.last().is_none_or(|group| group.active)
    }

    /// Whether the condition of an `#elif` matters.
    pub(super) fn undecided(&self) -> bool {
        self.0.last().is_some_and(|group| !group.decided)
    }

    /// `#if`. A condition that is wrong is a mistake, and hides what follows it.
    pub(super) fn open(&mut self, value: Result<bool, Diagnostic>, at: Span) -> Result<(), Diagnostic> {
        let outer = self.active();
        let active = outer && *value.as_ref().unwrap_or(&false);
        self.0.push(Group { active, decided: active || !outer || value.is_err(), last: false, at });
        value.map(drop)
    }

    /// `#elif`.
    pub(super) fn otherwise(&mut self, value: Result<bool, Diagnostic>, at: Span) -> Result<(), Diagnostic> {
        let group = self.innermost("#elif", at)?;
        group.active = !group.decided && *value.as_ref().unwrap_or(&false);
        group.decided |= group.active || value.is_err();
        value.map(drop)
    }

    /// `#else`.
    pub(super) fn last(&mut self, at: Span) -> Result<(), Diagnostic> {
        let group = self.innermost("#else", at)?;
        group.active = !group.decided;
        (group.decided, group.last) = (true, true);
        Ok(())
    }

    /// `#endif`.
    pub(super) fn close(&mut self, at: Span) -> Result<(), Diagnostic> {
        self.0.pop().map(drop).ok_or_else(|| stray("#endif", at))
    }

    /// What is wrong at the end of a file.
    pub(super) fn unfinished(&self) -> Option<Diagnostic> {
        let group = self.0.last()?;
        let error = Diagnostic::error(group.at, "this condition has no `#endif`").label("opened here");
        Some(error.help("every `#if`, `#ifdef` and `#ifndef` ends with `#endif`, in the same file"))
    }

    fn innermost(&mut self, what: &str, at: Span) -> Result<&mut Group, Diagnostic> {
        match self.0.last_mut() {
            Some(group) if group.last => {
                Err(Diagnostic::error(at, format!("`{what}` after `#else`")).label("too late"))
            }
            Some(group) => Ok(group),
            None => Err(stray(what, at)),
        }
    }
}

fn stray(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error(at, format!("`{what}` without `#if`")).label("nothing is open here")
}

impl Preprocessor<'_> {
    /// Whether the condition of `#if`, `#elif`, `#ifdef` or `#ifndef` is true.
    pub(super) fn condition(&mut self, name: &Token, words: &[Token], at: Span) -> Result<bool, Diagnostic> {
        if &*name.text == "if" || &*name.text == "elif" {
            let decided = self.defined(words, at)?;
            let expanded = self.expand(&decided);
            return value(&expanded, at).map(|value| value != 0);
        }
        let Some(word) = words.first().filter(|word| word.is_word()) else {
            return Err(Diagnostic::error(at, format!("expected a name after `#{}`", name.text)).label("no name"));
        };
        Ok(self.macros.get(&word.text).is_some() == (&*name.text == "ifdef"))
    }

    /// The tokens with every `defined name` and `defined(name)` decided.
    fn defined(&mut self, words: &[Token], at: Span) -> Result<Vec<Token>, Diagnostic> {
        let (mut out, mut next) = (Vec::new(), 0);
        while next < words.len() {
            let token = &words[next];
            next += 1;
            if &*token.text != "defined" {
                out.push(token.clone());
                continue;
            }
            let (name, length) = match &words[next..] {
                [open, name, close, ..] if open.kind == Kind::Open && close.kind == Kind::Close => (name, 3),
                [name, ..] if name.is_word() => (name, 1),
                _ => return Err(Diagnostic::error(at, "expected a name after `defined`").label("no name")),
            };
            next += length;
            let value = if self.macros.get(&name.text).is_some() { "1" } else { "0" };
            out.push(Token { kind: Kind::Int, text: self.words.intern(value), ..token.clone() });
        }
        Ok(out)
    }
}
