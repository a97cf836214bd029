//! Whether some run breaks what is claimed of runs, by the naive oracle.

use model::{Ltl, Property, System, Temporal};
use testkit::naive::temporal::refutation;
use testkit::naive::{Naive, explore};

/// Far more states than the programs here have.
const LIMIT: usize = 100_000;

/// Whether some run that counts is not as claimed.
pub(crate) fn broken(system: &System, property: &Property) -> bool {
    let temporal = match property {
        Property::Temporal(temporal) => temporal.clone(),
        Property::Invariant(e) => Temporal::formula(Ltl::Always(Box::new(Ltl::state(e.clone())))),
        other => panic!("not about runs: {other:?}"),
    };
    let naive = Naive::new(system);
    refutation(&naive, &explore(&naive, LIMIT).expect("it is small"), &temporal).is_some()
}
