//! Recursive descent: tokens to syntax tree. After a mistake the parser goes on at the next declaration, so that one run
//! reports several; `nested` bounds the recursion.

mod assertions;
mod collections;
mod cursor;
mod decls;
mod expr;
mod operand;
mod patterns;
mod process;
mod signatures;
mod types;

use super::ast::Decl;
use super::includes::{Expanded, expand};
use super::limits;
use super::token::Kind;
use crate::Diagnostic;
use crate::sources::{Reader, Sources};
use cursor::Parser;

/// A script that was read.
#[derive(Debug)]
pub struct Script {
    /// Its declarations, those of included files in their places.
    pub decls: Vec<Decl>,
    /// The texts that the spans refer to.
    pub sources: Sources,
}

/// Reads a script and, through `reader`, what it includes. The places of messages refer to `text` itself.
pub fn parse(text: &str, reader: Reader<'_>) -> Result<Script, Vec<Diagnostic>> {
    let Expanded { sources, tokens, mut reports } = expand(text, reader);
    let mut decls = Vec::new();
    // Characters that mean nothing may be parts of anything: what they leave cannot be trusted.
    if reports.is_empty() {
        decls = Parser::new(&sources, tokens).script(&mut reports);
    }
    if reports.is_empty() {
        reports = signatures::check(&decls);
    }
    if reports.is_empty() {
        return Ok(Script { decls, sources });
    }
    let mut placed: Vec<Diagnostic> = reports.into_iter().map(|report| sources.placed(report)).collect();
    placed.sort_by_key(|report| report.span);
    Err(placed)
}

impl Parser<'_> {
    /// All declarations; those with mistakes are reported and left out.
    fn script(&mut self, reports: &mut Vec<Diagnostic>) -> Vec<Decl> {
        let mut decls = Vec::new();
        loop {
            self.skip_file_marks();
            if self.at(Kind::End) || reports.len() >= limits::DIAGNOSTICS {
                return decls;
            }
            self.steps = 0;
            let (start, column, module) = (self.position(), self.column(), self.at(Kind::Module));
            match self.script_decl() {
                Ok(decl) => decls::merge(&mut decls, decl),
                Err(mistake) => {
                    reports.push(*mistake);
                    if self.position() == start {
                        self.bump();
                    }
                    self.recover(column, module);
                }
            }
        }
    }

    /// Goes to what looks like the next declaration: a line that is indented no more than the one with the mistake.
    fn recover(&mut self, column: usize, module: bool) {
        loop {
            let begins = match self.kind(0) {
                Kind::End | Kind::Included | Kind::IncludedEnd => true,
                _ if module => false,
                Kind::Within | Kind::Then | Kind::Else | Kind::Exports | Kind::EndModule => false,
                _ => self.first() && self.column() <= column && self.can_begin(),
            };
            if begins || (module && self.eat(Kind::EndModule)) {
                return;
            }
            self.bump();
        }
    }

    /// Whether a declaration can begin with the next token; brackets and operators rather go on with the last one.
    fn can_begin(&self) -> bool {
        let word = matches!(self.kind(0), Kind::Word | Kind::Channel | Kind::Datatype | Kind::Subtype | Kind::Nametype);
        let check = matches!(self.kind(0), Kind::Assert | Kind::Transparent | Kind::External | Kind::Include);
        word || check || matches!(self.kind(0), Kind::Module | Kind::Instance | Kind::Timed)
    }
}
