//! Aldebaran's automata (`.aut`): `des (initial, transitions, states)`, then a line for each transition.
//!
//! A label may contain anything: it is what stands between the first and the last comma of its line. Nothing is
//! allocated on the word of the header; states that no transition mentions are left out, because none reaches them.

use std::collections::HashMap;

use model::Span;

use super::labels::unescape;
use super::lts::{Lts, Move};
use crate::Diagnostic;
use crate::notes::Notes;

/// What the header says.
struct Header {
    initial: u64,
    transitions: u64,
    states: u64,
    span: Span,
}

/// The lines of a text that say something.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    notes: Notes,
}

/// Reads an automaton.
pub(super) fn parse(text: &str) -> Result<Lts, Diagnostic> {
    read(text).map(|(lts, _)| lts)
}

/// Reads an automaton, and what its comments expect.
pub(super) fn read(text: &str) -> Result<(Lts, Notes), Diagnostic> {
    let mut lines = Lines { text, at: 0, notes: Notes::default() };
    let Some(first) = lines.next()? else {
        return Err(Diagnostic::error(Span::new(0, 0), "the file is empty").label("expected `des (0, 3, 2)`"));
    };
    let header = header(text, first)?;
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let (mut labels, mut moves) = (Vec::new(), Vec::new());
    while let Some(line) = lines.next()? {
        let (from, label, to) = transition(text, line, header.states)?;
        let id = *ids.entry(label).or_insert_with(|| {
            labels.push(unquote(label));
            labels.len() as u32 - 1
        });
        moves.push((from, id, to));
    }
    if moves.len() as u64 != header.transitions {
        let (said, found) = (header.transitions, moves.len());
        let message = format!("the header says {said} transitions, and there are {found}");
        return Err(Diagnostic::error(header.span, message).help("the file may be cut off"));
    }
    Ok((compact(&header, labels, &moves), lines.notes))
}

impl<'a> Lines<'a> {
    /// The next line, trimmed; comments and empty lines are passed over.
    fn next(&mut self) -> Result<Option<&'a str>, Diagnostic> {
        loop {
            let rest = &self.text[self.at..];
            let start = rest.trim_start();
            self.at += rest.len() - start.len();
            if start.is_empty() {
                return Ok(None);
            }
            if let Some(inner) = start.strip_prefix("(*") {
                let Some(length) = inner.find("*)") else {
                    return Err(Diagnostic::error(Span::new(self.at, self.at + 2), "a comment is not closed"));
                };
                self.notes.read(&inner[..length], Span::new(self.at, self.at + length + 4))?;
                self.at += length + 4;
                continue;
            }
            let line = start.split('\n').next().unwrap_or_default();
            self.at += line.len();
            match ["--", "//", "#", "%"].iter().find_map(|mark| line.strip_prefix(mark)) {
                Some(comment) => self.notes.read(comment, span(self.text, line))?,
                None => return Ok(Some(line.trim_end())),
            }
        }
    }
}

fn header(text: &str, line: &str) -> Result<Header, Diagnostic> {
    let span = span(text, line);
    let wrong = || {
        Diagnostic::error(span, "this is no header of an automaton")
            .label("expected `des (initial state, number of transitions, number of states)`")
    };
    let inner = line.strip_prefix("des").map(str::trim).and_then(|l| l.strip_prefix('(')?.strip_suffix(')'));
    let numbers: Vec<&str> = inner.ok_or_else(wrong)?.split(',').map(str::trim).collect();
    let [initial, transitions, states] = numbers[..] else { return Err(wrong()) };
    let (initial, states) = (number(text, initial)?, number(text, states)?);
    let transitions = number(text, transitions)?;
    if initial >= states {
        let message = format!("the initial state is {initial}, and there are {states} states, counted from 0");
        return Err(Diagnostic::error(span, message));
    }
    Ok(Header { initial, transitions, states, span })
}

/// The state before, the label as it is written, and the state after.
fn transition<'a>(text: &str, line: &'a str, states: u64) -> Result<(u64, &'a str, u64), Diagnostic> {
    let wrong = || {
        let shown: String = line.chars().take(60).collect();
        Diagnostic::error(span(text, line), format!("`{shown}` is no transition"))
            .label("expected `(state, \"label\", state)`")
    };
    let inner = line.strip_prefix('(').and_then(|l| l.strip_suffix(')')).ok_or_else(wrong)?;
    let (from, rest) = inner.split_once(',').ok_or_else(wrong)?;
    let (label, to) = rest.rsplit_once(',').ok_or_else(wrong)?;
    let label = label.trim();
    if label.is_empty() {
        return Err(wrong());
    }
    Ok((state(text, from.trim(), states)?, label, state(text, to.trim(), states)?))
}

fn state(text: &str, digits: &str, states: u64) -> Result<u64, Diagnostic> {
    match number(text, digits)? {
        n if n < states => Ok(n),
        n => {
            let message = format!("there is no state {n}: the header says {states} states, counted from 0");
            Err(Diagnostic::error(span(text, digits), message))
        }
    }
}

fn number(text: &str, digits: &str) -> Result<u64, Diagnostic> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten().ok_or_else(|| {
        let shown: String = digits.chars().take(40).collect();
        Diagnostic::error(span(text, digits), format!("`{shown}` is not a number")).label("expected a natural number")
    })
}

/// A label without its quotes.
fn unquote(label: &str) -> String {
    unescape(label.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or(label).trim())
}

/// Where a part of a text is.
fn span(text: &str, part: &str) -> Span {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start, start + part.len())
}

/// Only the states that are mentioned, in the order of their numbers.
fn compact(header: &Header, labels: Vec<String>, moves: &[(u64, u32, u64)]) -> Lts {
    let mut numbers: Vec<u64> = moves.iter().flat_map(|&(from, _, to)| [from, to]).collect();
    numbers.push(header.initial);
    numbers.sort_unstable();
    numbers.dedup();
    let dense = numbers.last().is_some_and(|last| *last + 1 == numbers.len() as u64);
    let place = |n: u64| match dense {
        true => n as u32,
        false => numbers.binary_search(&n).expect("every number was collected") as u32,
    };
    let moves = moves.iter().map(|&(from, label, to)| Move { from: place(from), label, to: place(to) }).collect();
    let initial = place(header.initial);
    Lts::new(numbers.iter().map(u64::to_string).collect(), initial, labels, moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> (String, &str) {
        let d = parse(text).expect_err("a mistake");
        (d.message.clone(), &text[d.span.range()])
    }

    #[test]
    fn labels_may_contain_anything() {
        let text = "des(0 , 6, 3)\r\n(0,a,1)\r\n ( 0 , \"PUT !1, (x)\" , 2 )\n\n-- remark\n(* more\n remarks *)\n\
            (1, i, 0)\n(1,\"tau\",2)\n(2, \"say \\\"x\\\"\", 0)\n(2,\"a\",2)";
        let lts = parse(text).expect("an automaton");
        assert_eq!(lts.labels, ["a", "PUT !1, (x)", "i", "say \"x\""]);
        assert_eq!((lts.states.len(), lts.initial, lts.moves.len()), (3, 0, 6));
    }

    #[test]
    fn mistakes_have_places() {
        assert_eq!(complaint("").0, "the file is empty");
        assert_eq!(complaint("des (0,1)\n").1, "des (0,1)");
        let missing = complaint("des (0, 2, 2)\n(0, a, 1)\n");
        assert_eq!(missing, ("the header says 2 transitions, and there are 1".to_owned(), "des (0, 2, 2)"));
        assert_eq!(complaint("des (0, 1, 2)\n(0, a, 2)\n").1, "2");
        assert_eq!(complaint("des (2, 0, 2)\n").1, "des (2, 0, 2)");
        assert_eq!(complaint("des (0, 1, 2)\n(0, a)\n").1, "(0, a)");
        assert_eq!(complaint("des (0, 1, 2)\n(0, a, x1)\n").1, "x1");
        assert_eq!(complaint("des (0, 1, 99999999999999999999)\n").1, "99999999999999999999");
        assert_eq!(complaint("des (0, 0, 1)\n(* open").0, "a comment is not closed");
    }

    #[test]
    fn states_that_nothing_mentions_cost_nothing() {
        let lts = parse("des (4000000000, 1, 18000000000000000000)\n(4000000000, a, 17)\n").expect("an automaton");
        assert_eq!(lts.states.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["17", "4000000000"]);
        assert_eq!(lts.initial, 1);
    }
}
