//! Automata of other tools as claims about runs: what they accept is what must not happen. Their atoms are conditions in
//! the language of the model.

use automata::hoa::{Placed, read_placed};
use automata::{Automaton, Blind, Options};
use model::{Acceptor, Proposition, Span};

use crate::Diagnostic;

/// An automaton whose atoms have no meaning yet.
#[derive(Clone, Debug)]
pub struct NeverClaim {
    automaton: Automaton,
    /// The atoms as they are meant, and where they stand in the text.
    atoms: Vec<(String, Span)>,
    /// Whether each stands in the text as it is meant, between quotes.
    plain: Vec<bool>,
}

impl NeverClaim {
    /// Reads the one automaton of a text in the Hanoi Omega-Automata format.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut all = read_placed(text);
        let count = all.len();
        let Some(first) = all.pop().filter(|_| count == 1) else {
            let what = Diagnostic::error(Span::new(0, 0), format!("the file holds {count} automata"));
            return Err(vec![what.label("expected one").help("ask one question with each: one file, one automaton")]);
        };
        let Placed { named, atoms: places } = first.map_err(|e| {
            let help = (e.message.contains("Fin")).then(|| {
                "any automaton can be made generalised B\u{fc}chi: `autfilt --tgba`, or `ltl2tgba` without -G, -D or -P".to_owned()
            });
            let what = Diagnostic::error(Span::new(e.place.start, e.place.end), e.message);
            vec![what.label("here").maybe_help(help)]
        })?;
        let plain = places.iter().zip(&named.atoms).map(|(place, atom)| text[place.clone()].len() == atom.len() + 2);
        let plain = plain.collect();
        let spans = places.iter().map(|place| Span::new(place.start, place.end));
        Ok(Self { automaton: named.automaton, atoms: named.atoms.into_iter().zip(spans).collect(), plain })
    }

    /// What each atom means. Messages about atoms become messages about the text.
    pub fn meanings<T>(
        &self,
        mut meaning: impl FnMut(&str) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<Vec<T>, Vec<Diagnostic>> {
        let (mut meanings, mut mistakes) = (Vec::new(), Vec::new());
        for ((atom, span), plain) in self.atoms.iter().zip(&self.plain) {
            match meaning(atom) {
                Ok(meaning) => meanings.push(meaning),
                Err(all) => mistakes.extend(all.into_iter().map(|d| placed(d, *span, *plain))),
            }
        }
        if mistakes.is_empty() { Ok(meanings) } else { Err(mistakes) }
    }

    /// The claim, if every atom has a meaning.
    pub fn acceptor(
        &self,
        meaning: impl FnMut(&str) -> Result<Proposition, Vec<Diagnostic>>,
    ) -> Result<Acceptor, Vec<Diagnostic>> {
        let (atoms, automaton) = (self.meanings(meaning)?, self.automaton.clone());
        // What the file says of itself (`stutter-invariant`) is not believed.
        let blind = Blind::is_seen(&automaton, &Options::default()).unwrap_or(false);
        Ok(Acceptor { atoms, automaton, blind })
    }
}

/// A message about an atom as one about the text that it stands in; where escapes are in between, about all of it.
fn placed(diagnostic: Diagnostic, atom: Span, plain: bool) -> Diagnostic {
    let within = |at: u32| (atom.start + 1 + at).min(atom.end - 1);
    let Span { start, end } = diagnostic.span;
    let span = if plain { Span { start: within(start), end: within(end) } } else { atom };
    Diagnostic { span, ..diagnostic }
}
