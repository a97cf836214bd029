//! The part of the C preprocessor that models use, built in: text and the texts that it includes to tokens.
//!
//! A file is taken apart into tokens first. Lines that begin with `#` are directives (`directive`); the tokens between
//! them pass through the macros (`expand`) if no condition hides them. Whoever calls reads the files.

mod arithmetic;
mod condition;
mod directive;
mod expand;
mod files;
mod macros;
mod refuse;
mod substitute;

use model::Span;

use super::limits;
use super::options::Options;
use super::token::{Break, Kind, Token, tokens};
use crate::Diagnostic;
use crate::name::Words;
use crate::sources::{Reader, Sources};
use condition::Groups;
use files::Files;
use macros::Macros;

/// A model with its included files, as tokens.
pub(super) struct Preprocessed {
    pub(super) sources: Sources,
    pub(super) tokens: Vec<Token>,
    /// Mistakes and warnings.
    pub(super) reports: Vec<Diagnostic>,
    pub(super) words: Words,
}

/// Reads a model and all that it includes.
pub(super) fn preprocess(text: &str, reader: Reader<'_>, options: &Options) -> Preprocessed {
    let mut run = Preprocessor {
        files: Files::new(text, reader),
        macros: Macros::default(),
        words: Words::default(),
        tokens: Vec::new(),
        reports: Vec::new(),
        work: 0,
        stopped: false,
    };
    run.predefine(&options.defines);
    run.predefine(&options.set);
    run.macros.fix(&options.set);
    match files::refusal(text, Span::new(0, 0), 0) {
        Some(mistake) => run.reports.push(mistake),
        None => run.file(Span::new(0, text.len())),
    }
    if !run.stopped {
        run.reports.extend(refuse::refusals(&run.tokens));
        let missing: Vec<Diagnostic> = options.set.iter().filter_map(|(name, _)| run.missing(name)).collect();
        run.reports.extend(missing);
    }
    run.reports.truncate(limits::DIAGNOSTICS);
    Preprocessed { sources: run.files.sources, tokens: run.tokens, reports: run.reports, words: run.words }
}

/// Everything that is known between two lines. Its methods are spread over the files of this folder.
struct Preprocessor<'r> {
    files: Files<'r>,
    macros: Macros,
    words: Words,
    tokens: Vec<Token>,
    reports: Vec<Diagnostic>,
    /// How many tokens macros moved around.
    work: usize,
    /// Nothing else is read: there would be too much.
    stopped: bool,
}

impl Preprocessor<'_> {
    /// Adds the tokens of the file that is this part of the joined text.
    fn file(&mut self, part: Span) {
        let found = tokens(self.files.sources.text(), part, &mut self.words);
        let (mut groups, mut next) = (Groups::default(), 0);
        while next < found.len() && !self.tired() {
            let rest = &found[next..];
            if begins_directive(&rest[0]) {
                let line = 1 + rest[1..].iter().take_while(|token| token.before != Break::Line).count();
                self.directive(&rest[..line], &mut groups);
                next += line;
            } else {
                let length = rest.iter().take_while(|token| !begins_directive(token)).count();
                if groups.active() {
                    self.passage(&rest[..length]);
                }
                next += length;
            }
        }
        self.reports.extend(groups.unfinished());
    }

    /// Adds the tokens between two directives.
    fn passage(&mut self, passage: &[Token]) {
        let expanded = self.expand(passage);
        self.tokens.extend(expanded);
        if self.tokens.len() > limits::TOKENS {
            let message = format!("the model is longer than {} tokens", limits::TOKENS);
            let span = self.tokens[limits::TOKENS].span;
            self.reports.push(Diagnostic::error(span, message).label("one too many"));
            self.stopped = true;
        }
    }

    /// Whether to stop: there are enough messages, or there is one that forbids to go on.
    fn tired(&self) -> bool {
        self.reports.len() >= limits::DIAGNOSTICS || self.stopped
    }
}

fn begins_directive(token: &Token) -> bool {
    token.kind == Kind::Hash && token.before == Break::Line
}
