//! Lines that begin with `#`.

use model::Span;

use super::Preprocessor;
use super::condition::Groups;
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::token::{Kind, Token};

const NAMES: [&str; 12] =
    ["define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "warning", "pragma"];

impl Preprocessor<'_> {
    /// Does what a directive says, unless a condition hides it.
    pub(super) fn directive(&mut self, line: &[Token], groups: &mut Groups) {
        let at = line[0].span.to(line[line.len() - 1].span);
        // `#` alone means nothing.
        let Some((name, words)) = line[1..].split_first() else { return };
        let done = match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let value = groups.active().then(|| self.condition(name, words, at));
                groups.open(value.map_or(Ok(false), |value| value), at)
            }
            "elif" => {
                let value = groups.undecided().then(|| self.condition(name, words, at));
                groups.otherwise(value.map_or(Ok(false), |value| value), at)
            }
            "else" => groups.last(at),
            "endif" => groups.close(at),
            _ if groups.active() => self.command(name, words, at),
            _ => Ok(()),
        };
        self.reports.extend(done.err());
    }

    /// A directive that is not about conditions.
    fn command(&mut self, name: &Token, words: &[Token], at: Span) -> Result<(), Diagnostic> {
        match &*name.text {
            "define" => self.define(words, at),
            "undef" => words.iter().take(1).try_for_each(|word| {
                self.macros.remove(&word.text);
                Ok(())
            }),
            "include" => self.included(words, at),
            "error" => {
                let label = "the author forbids this";
                Err(Diagnostic::error(at, format!("#error: {}", self.rest(words))).label(label))
            }
            "warning" => {
                let message = format!("#warning: {}", self.rest(words));
                self.reports.push(Diagnostic::warning(at, message).label("the author warns"));
                Ok(())
            }
            "pragma" => {
                if words.first().is_some_and(|word| &*word.text == "once") {
                    self.files.only_once();
                }
                Ok(())
            }
            // Marks of other preprocessors, which say where a line comes from.
            "line" | "ident" => Ok(()),
            _ if name.kind == Kind::Int => Ok(()),
            unknown => {
                let error = Diagnostic::error(name.span, format!("there is no directive `#{unknown}`"));
                Err(error.label("not known").maybe_help(suggestion(unknown, NAMES)))
            }
        }
    }

    /// `#include "file"` or `#include <file>`.
    fn included(&mut self, words: &[Token], at: Span) -> Result<(), Diagnostic> {
        // A macro may stand for the name.
        let expanded = if words.first().is_some_and(Token::is_word) { self.expand(words) } else { words.to_vec() };
        let name = match expanded.as_slice() {
            [name] if name.kind == Kind::String => name.text.trim_matches('"').to_owned(),
            [open, .., close] if open.kind == Kind::Less && close.kind == Kind::Greater => {
                let name = Span { start: open.span.end, end: close.span.start.max(open.span.end) };
                self.files.sources.text()[name.range()].trim().to_owned()
            }
            _ => {
                let error = Diagnostic::error(at, "expected the name of a file");
                return Err(error.label("like this: `#include \"file\"`"));
            }
        };
        self.include(&name, at);
        Ok(())
    }

    /// The rest of a line as written.
    fn rest(&self, words: &[Token]) -> String {
        match words {
            [] => "no reason given".to_owned(),
            [first, .., last] => self.files.sources.text()[first.span.to(last.span).range()].to_owned(),
            [only] => only.text.to_string(),
        }
    }
}
