//! Automata of other tools as claims about runs: what they accept is what must not happen. Their atoms are conditions in
//! the language of the model.

use std::ops::Range;

use automata::hoa::{self, Named, Placed, read_placed};
use automata::{Automaton, Options, Pool, translate};
use model::{Acceptor, Claim, Proposition, Span, System};

use crate::Diagnostic;

/// An automaton whose atoms have no meaning yet.
#[derive(Clone, Debug)]
pub struct NeverClaim {
    automaton: Automaton,
    atoms: Vec<Atom>,
}

#[derive(Clone, Debug)]
struct Atom {
    /// The condition.
    condition: String,
    /// Where it stands in the text, with its quotes.
    span: Span,
    /// Whether it stands there as it is, without escapes.
    plain: bool,
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
            let help = e.message.contains("Fin").then(|| "`autfilt --tgba` makes it generalised Büchi".to_owned());
            let what = Diagnostic::error(Span::new(e.place.start, e.place.end), e.message);
            vec![what.label("here").maybe_help(help)]
        })?;
        let atom = |(condition, place): (String, Range<usize>)| {
            let (span, plain) = (Span::new(place.start, place.end), place.len() == condition.len() + 2);
            Atom { condition, span, plain }
        };
        Ok(Self { automaton: named.automaton, atoms: named.atoms.into_iter().zip(places).map(atom).collect() })
    }

    /// What each atom means. Messages about atoms become messages about the text.
    pub fn meanings<T>(
        &self,
        mut meaning: impl FnMut(&str) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<Vec<T>, Vec<Diagnostic>> {
        let (mut meanings, mut mistakes) = (Vec::new(), Vec::new());
        for atom in &self.atoms {
            match meaning(&atom.condition) {
                Ok(meaning) => meanings.push(meaning),
                Err(all) => mistakes.extend(all.into_iter().map(|d| atom.placed(d))),
            }
        }
        if mistakes.is_empty() { Ok(meanings) } else { Err(mistakes) }
    }

    /// The claim, if every atom has a meaning.
    pub fn acceptor(
        &self,
        meaning: impl FnMut(&str) -> Result<Proposition, Vec<Diagnostic>>,
    ) -> Result<Acceptor, Vec<Diagnostic>> {
        Ok(Acceptor { atoms: self.meanings(meaning)?, automaton: self.automaton.clone(), places: Vec::new() })
    }
}

impl Atom {
    /// A message about the condition as one about the text that it stands in; where escapes are in between, about all of it.
    fn placed(&self, diagnostic: Diagnostic) -> Diagnostic {
        let within = |at: u32| (self.span.start + 1 + at).min(self.span.end - 1);
        let Span { start, end } = diagnostic.span;
        let span = if self.plain { Span { start: within(start), end: within(end) } } else { self.span };
        Diagnostic { span, ..diagnostic }
    }
}

/// The automaton of the runs that break a claim, as text that [`NeverClaim::read`] understands; or why there is none.
pub fn refuting_automaton(system: &System, name: &str, claim: &Claim) -> Result<String, String> {
    let mut atoms = Vec::new();
    let automaton = match claim {
        Claim::Never(acceptor) => {
            atoms.extend(&acceptor.atoms);
            acceptor.automaton.clone()
        }
        Claim::Always(formula) => {
            let (formula, mut pool) = (formula.numbered(&mut atoms), Pool::new());
            let formula = pool.add(&formula);
            let broken = pool.not(formula);
            let automaton = translate(&mut pool, broken, &Options::default());
            automaton.map_err(|_| "the automaton of the formula is too large".to_owned())?
        }
    };
    let shown = |atom: &&Proposition| match atom {
        Proposition::State(e) => Ok(system.show_expr(e)),
        Proposition::Enabled(_) | Proposition::Taken(_) => {
            Err("what is enabled or taken has no name that an automaton can read".to_owned())
        }
    };
    let atoms = atoms.iter().map(shown).collect::<Result<_, _>>()?;
    Ok(hoa::write(&Named { name: Some(name.to_owned()), atoms, automaton }))
}
