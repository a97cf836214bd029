//! The outside of a formula: which runs and which of their markings it is about.

use std::collections::HashMap;

use automata::syntax::Unary;

use super::Formula;
use super::condition::AtomId;
use super::predicate::{Atom, Sense};
use super::runs::Path;
use super::stop::Stop;
use crate::LoadedNet;
use crate::xml::{Tag, Xml};

/// Formulas nest so deep at most: what is built is walked by recursion later.
const MAX_DEPTH: usize = 200;

/// So many terms of comparisons may a formula have, once its transitions and colours are written out.
const MAX_TERMS: usize = 5_000_000;

/// A formula while it is read.
pub(super) struct FormulaReader<'x, 'a> {
    pub(super) loaded: &'x LoadedNet,
    pub(super) xml: &'x mut Xml<'a>,
    /// The depth of the element around the formula.
    outside: usize,
    /// Terms that may still come.
    room: usize,
    /// Terms that the formulas of the file may still have.
    file: &'x mut usize,
    pub(super) atoms: Vec<Atom>,
    pub(super) numbers: HashMap<Atom, AtomId>,
}

impl<'x, 'a> FormulaReader<'x, 'a> {
    /// A reader inside the element `formula`.
    pub(super) fn new(loaded: &'x LoadedNet, xml: &'x mut Xml<'a>, file: &'x mut usize) -> Self {
        let (outside, room) = (xml.depth(), MAX_TERMS.min(*file));
        Self { loaded, xml, outside, room, file, atoms: Vec::new(), numbers: HashMap::new() }
    }

    /// The formula, and the end of the element around it.
    pub(super) fn whole(mut self) -> Result<Formula, Stop> {
        let before = self.room;
        let formula = self.only_child(|reader, tag| reader.path(tag, Sense::Asserted))?;
        // What was refused is dropped and costs nothing.
        *self.file -= before - self.room;
        Ok(formula)
    }

    /// A formula about runs.
    fn path(&mut self, tag: &Tag<'a>, sense: Sense) -> Result<Formula, Stop> {
        self.check_depth()?;
        match (tag.name, sense) {
            ("negation", _) => self.only_child(|reader, tag| reader.path(tag, sense.flipped())),
            ("exists-path", _) => self.only_child(|reader, tag| reader.reachable(tag, sense)),
            ("all-paths", _) => self.only_child(|reader, tag| reader.all_runs(tag, sense)),
            ("place-bound", Sense::Asserted) => self.bound().map(Formula::Bound),
            _ => Err(Stop::refused(format!("`{}` is not read as the outermost part of a formula", tag.name))),
        }
    }

    /// EF of a predicate, or its negation.
    fn reachable(&mut self, tag: &Tag<'a>, sense: Sense) -> Result<Formula, Stop> {
        if tag.name != "finally" {
            return Err(Stop::refused(format!("`{}` on some run is not read", tag.name)));
        }
        self.only_child(|reader, tag| {
            if (tag.name, sense) == ("deadlock", Sense::Asserted) {
                reader.xml.skip()?;
                return Ok(Formula::Deadlock);
            }
            let predicate = reader.predicate(tag, sense)?;
            Ok(if sense == Sense::Asserted { Formula::Exists(predicate) } else { Formula::Always(predicate) })
        })
    }

    /// A formula about all runs, or its negation: AG of a predicate is about all markings.
    fn all_runs(&mut self, tag: &Tag<'a>, sense: Sense) -> Result<Formula, Stop> {
        match (self.run(tag)?, sense) {
            (Path::Under(Unary::Always, inner), _) if matches!(*inner, Path::State(_)) => {
                let Path::State(condition) = *inner else { unreachable!("it was just seen") };
                let denied = sense == Sense::Denied;
                let condition = if denied { condition.negated() } else { condition };
                let predicate = self.written_out(&condition.simplified(self.atoms.len()))?;
                Ok(if denied { Formula::Exists(predicate) } else { Formula::Always(predicate) })
            }
            (path, Sense::Asserted) => Ok(Formula::Runs(self.of_runs(&path)?)),
            (_, Sense::Denied) => Err(Stop::refused("that a formula is not true of all runs is not read")),
        }
    }

    /// Reads the one element inside the current element, and leaves the latter.
    pub(super) fn only_child<T>(
        &mut self,
        read: impl FnOnce(&mut Self, &Tag<'a>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let Some(tag) = self.xml.child()? else { return Err(Stop::refused("an operator has no operand")) };
        let value = read(self, &tag)?;
        match self.xml.child()? {
            None => Ok(value),
            Some(_) => Err(Stop::refused("an operator has too many operands")),
        }
    }

    pub(super) fn check_depth(&self) -> Result<(), Stop> {
        if self.xml.depth() - self.outside <= MAX_DEPTH {
            return Ok(());
        }
        Err(Stop::refused(format!("the formula is nested more than {MAX_DEPTH} deep")))
    }

    /// Refuses what would not fit even alone.
    pub(super) fn check_room(&self, terms: usize) -> Result<(), Stop> {
        if terms <= self.room { Ok(()) } else { Err(Stop::refused("the formula has too many terms")) }
    }

    /// Takes account of parts that are kept.
    pub(super) fn charge(&mut self, terms: usize) -> Result<(), Stop> {
        self.check_room(terms)?;
        self.room -= terms;
        Ok(())
    }
}
