//! Reading automata.

use super::acceptance::Condition;
use super::header::{Header, header, text};
use super::label::Labels;
use super::lex::{Lexer, Token};
use super::{HoaError, Named, Placed};
use crate::automaton::{Automaton, Edge, Label, Marks, State};
use crate::bdd::Bdd;

/// All automata of a text, in order. One that cannot be read does not keep the next from being read.
pub fn read(text: &str) -> Vec<Result<Named, HoaError>> {
    read_placed(text).into_iter().map(|read| read.map(|placed| placed.named)).collect()
}

/// The same, with the places of their atoms.
pub fn read_placed(text: &str) -> Vec<Result<Placed, HoaError>> {
    let mut lexer = match Lexer::new(text) {
        Ok(lexer) => lexer,
        Err(e) => return vec![Err(e)],
    };
    let mut automata = Vec::new();
    while lexer.peek().is_some() {
        let read = automaton(&mut lexer);
        if read.is_err() {
            lexer.skip_past_end();
        }
        automata.push(read);
    }
    automata
}

fn automaton(lexer: &mut Lexer<'_>) -> Result<Placed, HoaError> {
    let Header { name, states, starts, atoms, places, condition, labels } = header(lexer)?;
    let mut body = Body { edges: Vec::new(), defined: Vec::new(), limit: states, labels, condition };
    if let Some(count) = states {
        body.reserve(lexer, count.checked_sub(1))?;
    }
    while matches!(lexer.peek(), Some(Token::Header("State"))) {
        lexer.next()?;
        body.state(lexer)?;
    }
    for start in &starts {
        body.reserve(lexer, Some(*start))?;
    }
    match lexer.peek() {
        Some(Token::Mark("--END--")) => {}
        Some(Token::Mark("--ABORT--")) => return lexer.error("the automaton was aborted"),
        _ => return lexer.error("expected a state or `--END--`"),
    }
    lexer.next()?;
    let named = Named { name, automaton: body.finish(atoms.len(), &starts), atoms };
    Ok(Placed { named, atoms: places })
}

struct Body {
    edges: Vec<Vec<Edge>>,
    /// Which states were described.
    defined: Vec<bool>,
    /// The number of states, if the header gives it.
    limit: Option<u32>,
    labels: Labels,
    condition: Condition,
}

impl Body {
    /// Makes room for a state, which the header must allow.
    fn reserve(&mut self, lexer: &Lexer<'_>, state: Option<u32>) -> Result<(), HoaError> {
        let Some(state) = state else { return Ok(()) };
        if state >= self.limit.unwrap_or(1 << 20) {
            return lexer.error(format!("there is no state {state}"));
        }
        let size = self.edges.len().max(state as usize + 1);
        self.edges.resize_with(size, Vec::new);
        self.defined.resize(size, false);
        Ok(())
    }

    /// Reads what follows `State:`.
    fn state(&mut self, lexer: &mut Lexer<'_>) -> Result<(), HoaError> {
        let own_label = self.bracketed(lexer)?;
        let state = lexer.number()?;
        self.reserve(lexer, Some(state))?;
        if std::mem::replace(&mut self.defined[state as usize], true) {
            return lexer.error(format!("state {state} is described twice"));
        }
        text(lexer)?;
        let own_marks = self.marks(lexer)?;
        let mut valuation = 0;
        let mut row = Vec::new();
        while !matches!(lexer.peek(), None | Some(Token::Header(_) | Token::Mark(_))) {
            let function = match (self.bracketed(lexer)?, own_label) {
                (Some(label), Some(own)) => self.labels.and(lexer, label, own)?,
                (Some(label), None) | (None, Some(label)) => label,
                (None, None) => {
                    valuation += 1;
                    self.implicit(lexer, valuation - 1)?
                }
            };
            let target = self.target(lexer)?;
            let marks = self.condition.marks(self.marks(lexer)?.union(own_marks));
            if let Some(label) = self.labels.finish(lexer, function)? {
                row.push(Edge { label, marks, target });
            }
        }
        if valuation > 0 && Some(valuation) != 1u64.checked_shl(self.labels.atoms) {
            return lexer.error("implicit labels need one edge for every valuation");
        }
        self.edges[state as usize] = row;
        Ok(())
    }

    fn implicit(&mut self, lexer: &Lexer<'_>, number: u64) -> Result<Bdd, HoaError> {
        if number >= 1u64.checked_shl(self.labels.atoms).unwrap_or(u64::MAX) {
            return lexer.error("there are more implicit labels than valuations");
        }
        self.labels.valuation(lexer, number)
    }

    fn bracketed(&mut self, lexer: &mut Lexer<'_>) -> Result<Option<Bdd>, HoaError> {
        if !lexer.take('[')? {
            return Ok(None);
        }
        let label = self.labels.label(lexer)?;
        lexer.expect(']')?;
        Ok(Some(label))
    }

    fn target(&mut self, lexer: &mut Lexer<'_>) -> Result<State, HoaError> {
        let target = lexer.number()?;
        self.reserve(lexer, Some(target))?;
        if lexer.take('&')? {
            return lexer.error("alternating automata are not read");
        }
        Ok(State(target))
    }

    fn marks(&self, lexer: &mut Lexer<'_>) -> Result<Marks, HoaError> {
        let mut marks = Marks::default();
        if lexer.take('{')? {
            while let Some(set) = lexer.optional_number()? {
                if set >= self.condition.sets {
                    return lexer.error(format!("there is no acceptance set {set}"));
                }
                marks = marks.with(set);
            }
            lexer.expect('}')?;
        }
        Ok(marks)
    }

    /// The automaton. Several initial states become a new one with the edges of them all.
    fn finish(mut self, atoms: usize, starts: &[u32]) -> Automaton<Label> {
        let initial = match starts {
            [one] => State(*one),
            _ => {
                let union = starts.iter().flat_map(|s| self.edges[*s as usize].clone()).collect();
                self.edges.push(union);
                State(self.edges.len() as u32 - 1)
            }
        };
        Automaton { atoms, sets: self.condition.count(), initial, edges: self.edges }
    }
}
