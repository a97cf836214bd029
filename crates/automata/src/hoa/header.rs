//! The part of an automaton before its states.

use std::ops::Range;

use super::HoaError;
use super::acceptance::{Condition, condition};
use super::label::Labels;
use super::lex::{Lexer, Token};

/// More states than this are refused: they would be reserved before they are seen.
const MOST_STATES: u32 = 1 << 20;

/// What the header says.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) name: Option<String>,
    pub(super) states: Option<u32>,
    pub(super) starts: Vec<u32>,
    pub(super) atoms: Vec<String>,
    /// Where their names stand.
    pub(super) places: Vec<Range<usize>>,
    pub(super) condition: Condition,
    pub(super) labels: Labels,
}

/// Reads up to and including `--BODY--`.
pub(super) fn header(lexer: &mut Lexer<'_>) -> Result<Header, HoaError> {
    version(lexer)?;
    let (mut name, mut states, mut starts, mut atoms, mut acceptance) = (None, None, Vec::new(), None, None);
    let mut acceptance_name = String::new();
    let mut labels = Labels::new();
    loop {
        match lexer.next()? {
            Some(Token::Mark("--BODY--")) => break,
            Some(Token::Header("name")) => name = text(lexer)?,
            Some(Token::Header("States")) if states.is_none() => states = Some(state_count(lexer)?),
            Some(Token::Header("Start")) => starts.push(start(lexer)?),
            Some(Token::Header("AP")) if atoms.is_none() => atoms = Some(propositions(lexer)?),
            Some(Token::Header("Alias")) => labels.alias(lexer)?,
            Some(Token::Header("Acceptance")) if acceptance.is_none() => {
                acceptance = Some(condition(lexer, &acceptance_name)?);
            }
            Some(Token::Header("acc-name")) => acceptance_name = words(lexer)?,
            Some(Token::Header(other @ ("States" | "AP" | "Acceptance"))) => {
                return lexer.error(format!("`{other}:` is given twice"));
            }
            Some(Token::Header(other)) if other.starts_with(|c: char| c.is_ascii_uppercase()) => {
                return lexer.error(format!("`{other}:` is not known, and may change the meaning"));
            }
            Some(Token::Header(_)) => skip_item(lexer)?,
            _ => return lexer.error("expected a header item or `--BODY--`"),
        }
    }
    let Some(condition) = acceptance else { return lexer.error("`Acceptance:` is missing") };
    let (atoms, places): (Vec<String>, _) = atoms.unwrap_or_default().into_iter().unzip();
    labels.atoms = atoms.len() as u32;
    if labels.used > labels.atoms {
        return lexer.error("an alias speaks of an atom that `AP:` does not list");
    }
    Ok(Header { name, states, starts, atoms, places, condition, labels })
}

fn version(lexer: &mut Lexer<'_>) -> Result<(), HoaError> {
    if lexer.next()? != Some(Token::Header("HOA")) {
        return lexer.error("expected `HOA:`");
    }
    match lexer.next()? {
        Some(Token::Word("v1" | "v1.1")) => Ok(()),
        _ => lexer.error("only version 1 of the format is known"),
    }
}

fn state_count(lexer: &mut Lexer<'_>) -> Result<u32, HoaError> {
    let count = lexer.number()?;
    if count <= MOST_STATES { Ok(count) } else { lexer.error(format!("more than {MOST_STATES} states")) }
}

fn start(lexer: &mut Lexer<'_>) -> Result<u32, HoaError> {
    let state = lexer.number()?;
    if lexer.take('&')? { lexer.error("alternating automata are not read") } else { Ok(state) }
}

/// The names of the atoms, each with its place.
fn propositions(lexer: &mut Lexer<'_>) -> Result<Vec<(String, Range<usize>)>, HoaError> {
    let count = lexer.number()?;
    if count > 64 {
        return lexer.error("more than 64 atoms");
    }
    let mut names: Vec<(String, Range<usize>)> = Vec::new();
    while let (place, Some(name)) = (lexer.place(), text(lexer)?) {
        if names.iter().any(|(known, _)| *known == name) {
            return lexer.error(format!("the atom {name:?} is listed twice"));
        }
        names.push((name, place));
    }
    if names.len() == count as usize { Ok(names) } else { lexer.error(format!("expected {count} names of atoms")) }
}

/// A quoted text, if there is one.
pub(super) fn text(lexer: &mut Lexer<'_>) -> Result<Option<String>, HoaError> {
    if !matches!(lexer.peek(), Some(Token::Text(_))) {
        return Ok(None);
    }
    match lexer.next()? {
        Some(Token::Text(text)) => Ok(Some(text)),
        _ => Ok(None),
    }
}

/// The words and numbers of an item, as one text.
fn words(lexer: &mut Lexer<'_>) -> Result<String, HoaError> {
    let mut words = Vec::new();
    loop {
        match lexer.peek() {
            Some(Token::Word(word)) => words.push((*word).to_owned()),
            Some(Token::Number(number)) => words.push(number.to_string()),
            _ => return Ok(words.join(" ")),
        }
        lexer.next()?;
    }
}

fn skip_item(lexer: &mut Lexer<'_>) -> Result<(), HoaError> {
    while !matches!(lexer.peek(), None | Some(Token::Header(_) | Token::Mark(_))) {
        lexer.next()?;
    }
    Ok(())
}
