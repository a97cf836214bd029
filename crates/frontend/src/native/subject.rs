//! What questions can be about: a text of this language, a net, or a system that was written in another language.
//!
//! A place of a net is called by its name, or by its id where no place has that name and the id stands for one place only.
//! Names that are no words of the language, or that it needs itself, stand between backquotes.

use std::collections::HashSet;

use model::views::{Net, PlaceId};
use model::{Expr, Ltl, ObjectId, Proposition, Span, System, Temporal};

use super::Setting;
use super::elaborate::{Elaborator, Language, Names, Source};
use super::parse::{self, parse_claim, parse_expr, parse_formula};
use super::report::{Checked, Reports};
use crate::{Diagnostic, NodeIds};

/// What a question is about. Spans of diagnostics refer to the question.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'m> {
    /// The model of a text, with the values of its parameters.
    Text(&'m str, &'m [Setting]),
    /// A net: expressions are over the counters of [`Net::to_system`].
    Net(&'m Net, &'m NodeIds),
    /// A system that was written in another language.
    System(&'m System, Language),
}

impl Subject<'_> {
    /// Reads a predicate, as `--invariant` gives it.
    pub fn predicate(self, predicate: &str) -> Result<Expr, Vec<Diagnostic>> {
        self.ask(predicate, parse_expr, |elaborator, e| elaborator.predicate(e))
    }

    /// Reads a formula.
    pub fn formula(self, formula: &str) -> Result<Ltl, Vec<Diagnostic>> {
        self.ask(formula, parse_formula, |elaborator, asked| elaborator.formula(asked))
    }

    /// Reads a formula, and the fairness that it asks for, as `--ltl` gives them.
    pub fn claim(self, claim: &str) -> Result<Temporal, Vec<Diagnostic>> {
        self.ask(claim, parse_claim, |elaborator, asked| elaborator.claim(asked))
    }

    /// Reads an atom of an automaton: a predicate, `enabled(...)` or `taken(...)`.
    pub fn proposition(self, atom: &str) -> Result<Proposition, Vec<Diagnostic>> {
        match self.formula(atom)? {
            Ltl::Atom(proposition) => Ok(proposition),
            _ => {
                let message = "an atom is a condition on one state, `enabled(...)` or `taken(...)`";
                let what = Diagnostic::error(Span::new(0, atom.len()), message).label("more than that");
                Err(vec![what.help("what combines them belongs into the automaton")])
            }
        }
    }

    /// Reads `question` and hands it to `ask`, with the model that it is about.
    fn ask<'q, Q, T>(
        self,
        question: &'q str,
        parse: impl FnOnce(&'q str, &mut Reports) -> Checked<Q>,
        ask: impl Fn(Elaborator<'_>, &Q) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, Vec<Diagnostic>> {
        let mut reports = Reports::default();
        let Ok(asked) = parse(question, &mut reports) else { return Err(reports.sorted()) };
        let foreign = |names, reports| ask(Elaborator::about(names, reports), &asked);
        match self {
            Subject::Net(net, ids) => {
                let answer = foreign(Names::of_net(net, place_names(net, ids)), reports);
                answer.map_err(|ds| {
                    helped(ds, "places are called by their names, those that are no words between backquotes")
                })
            }
            Subject::System(system, language) => {
                let answer = foreign(Names::of_system(system, language), reports);
                answer.map_err(|ds| helped(ds, "names that are no words stand between backquotes"))
            }
            Subject::Text(text, settings) => {
                let items = parse::parse(text, &mut reports).unwrap_or_default();
                let elaborator =
                    Elaborator::new("", Source { text, items: &items, keep_steps: false }, settings, reports);
                if !elaborator.is_sound() {
                    let message = "the model has errors, so nothing can be asked about it";
                    return Err(vec![Diagnostic::error(Span::new(0, 0), message).label("asked here")]);
                }
                ask(elaborator, &asked)
            }
        }
    }
}

/// All names of places, then the ids that are no names.
fn place_names<'n>(net: &'n Net, ids: &'n NodeIds) -> Vec<(&'n str, ObjectId)> {
    let counter = |p: PlaceId| ObjectId::new(p.index());
    let mut names: Vec<(&str, ObjectId)> = net.place_ids().map(|p| (net.place(p).name.as_str(), counter(p))).collect();
    let taken: HashSet<&str> = names.iter().map(|(name, _)| *name).collect();
    let alone = ids.each_place().filter_map(|(id, places)| match places {
        [one] if !taken.contains(id) => Some((id, counter(*one))),
        _ => None,
    });
    names.extend(alone);
    names
}

/// The messages with this help, where there is no better one.
fn helped(diagnostics: Vec<Diagnostic>, help: &str) -> Vec<Diagnostic> {
    let helped = |d: Diagnostic| {
        let known = d.help.clone();
        d.help(help).maybe_help(known)
    };
    diagnostics.into_iter().map(helped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<Expr, String> {
        let lola = b"PLACE a, x.y, true, always; MARKING a: 1; TRANSITION t CONSUME a: 1; PRODUCE always: 1;";
        let loaded = crate::lola::read("n", lola).expect("a net");
        let asked = Subject::Net(&loaded.net, &loaded.ids).predicate(text);
        asked.map_err(|ds| format!("{} / {}", ds[0].message, ds[0].help.as_deref().unwrap_or_default()))
    }

    #[test]
    fn names_that_are_no_words_stand_between_backquotes() {
        let place = |i| Expr::read(ObjectId::new(i));
        assert_eq!(asked("a == 1"), Ok(place(0).is(1)));
        assert_eq!(asked("`a` == 1"), Ok(place(0).is(1)));
        assert_eq!(asked("`x.y` == 1"), Ok(place(1).is(1)));
        assert_eq!(asked("`true` == 1"), Ok(place(2).is(1)));
        assert_eq!(asked("always == 1"), Ok(place(3).is(1)));
    }

    #[test]
    fn mistakes_say_what_to_write() {
        assert_eq!(asked("`x_y` > 0").as_ref().map_err(|e| &**e), Err("there is no `x_y` / did you mean `x.y`?"));
        assert!(asked("nowhere > 0").is_err_and(|e| e.contains("between backquotes")));
        assert!(asked("a + 1").is_err_and(|e| e.contains("expected a truth value")));
        assert!(asked("`a > 0").is_err());
    }
}
