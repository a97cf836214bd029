//! Questions of this language about the places of a net.
//!
//! A place is called by its name, or by its id where no place has that name and the id stands for one place only. Names
//! that are no words of the language, or that it needs itself, stand between backquotes.

use std::collections::HashSet;

use model::views::{Net, PlaceId};
use model::{Expr, ObjectId, Temporal};

use super::elaborate::Elaborator;
use super::parse::{parse_claim, parse_expr};
use super::report::{Checked, Reports};
use crate::{Diagnostic, NodeIds};

/// Reads a predicate over the places of a net: an expression over the counters of [`Net::to_system`].
pub fn place_predicate(net: &Net, ids: &NodeIds, predicate: &str) -> Result<Expr, Vec<Diagnostic>> {
    ask(net, ids, (predicate, parse_expr), |elaborator, e| elaborator.predicate(e))
}

/// Reads a formula over the places of a net and the transitions that can be and are taken, with the fairness that it
/// asks for.
pub fn place_claim(net: &Net, ids: &NodeIds, claim: &str) -> Result<Temporal, Vec<Diagnostic>> {
    ask(net, ids, (claim, parse_claim), |elaborator, asked| elaborator.claim(asked))
}

fn ask<'t, Q, T>(
    net: &Net,
    ids: &NodeIds,
    (text, parse): (&'t str, impl FnOnce(&'t str, &mut Reports) -> Checked<Q>),
    read: impl FnOnce(Elaborator<'_>, &Q) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let mut reports = Reports::default();
    let Ok(asked) = parse(text, &mut reports) else { return Err(reports.sorted()) };
    let elaborator = Elaborator::about(net.places().len(), names(net, ids), net, reports);
    read(elaborator, &asked).map_err(|ds| ds.into_iter().map(helped).collect())
}

/// All names, then the ids that are no names.
fn names<'n>(net: &'n Net, ids: &'n NodeIds) -> Vec<(&'n str, ObjectId)> {
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

fn helped(diagnostic: Diagnostic) -> Diagnostic {
    let known = diagnostic.help.clone();
    diagnostic.help("places are called by their names, those that are no words between backquotes").maybe_help(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<Expr, String> {
        let lola = b"PLACE a, x.y, true, always; MARKING a: 1; TRANSITION t CONSUME a: 1; PRODUCE always: 1;";
        let loaded = crate::lola::read("n", lola).expect("a net");
        place_predicate(&loaded.net, &loaded.ids, text)
            .map_err(|ds| format!("{} / {}", ds[0].message, ds[0].help.as_deref().unwrap_or_default()))
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
