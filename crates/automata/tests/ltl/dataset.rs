//! The formulas of the literature: each automaton is its formula's, and the published answers come out.

use automata::syntax::{Ltl, Unary, parse};
use automata::{Automaton, Options, Pool, translate};
use testkit::Rng;

use crate::data;
use crate::words::disagreement;

/// The automaton of a formula that is known not to explode.
fn automaton(formula: &Ltl) -> Option<Automaton> {
    let mut pool = Pool::new();
    let f = pool.add(formula);
    let atoms = pool.atoms(f);
    translate(&mut pool, f, &Options::default()).ok().map(|a| Automaton { atoms, ..a })
}

#[test]
fn automata_of_the_lists_accept_what_satisfies_the_formulas() {
    let Some(folder) = data::folder() else { return };
    let mut translated = 0;
    for list in data::lists(&folder) {
        for line in data::formulas(&list) {
            let at = format!("{}:{}: {}", list.display(), line.number, line.text);
            let formula = parse(&line.text).unwrap_or_else(|e| panic!("{at}: {e}")).formula;
            for formula in [formula.clone(), formula.under(Unary::Not)] {
                let Some(automaton) = automaton(&formula) else {
                    eprintln!("too large: {at}");
                    continue;
                };
                translated += 1;
                let wrong = disagreement(&mut Rng::new(translated), &formula, &automaton, 40);
                assert_eq!(wrong, None, "{at}");
            }
        }
    }
    assert!(translated > 900, "{translated}");
}
