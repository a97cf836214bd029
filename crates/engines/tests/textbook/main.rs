//! Two reductions that were believed to be right and are not, on the smallest systems that show it: the textbook's search
//! of a product with ample sets (Siegel, CAV 2019), and weak stubborn sets with visibility (Neele, Valmari and Willemse,
//! FoSSaCS 2020). Both give the wrong answer here, by their own rules; the engines do not.

mod ample;
mod weak;

use engines::explore::Persistent;
use engines::liveness::{CycleProviso, Liveness};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Silent, Verdict};
use model::{Property, System, Temporal};

fn corpus(file: &str) -> (System, Temporal) {
    let path = format!("{}/../../corpus/classics/{file}.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is in the corpus");
    let model = frontend::native::load(file, &text, &[]).expect("the corpus is right");
    let claim = model.properties.into_iter().find_map(|p| match p.property {
        Property::Temporal(temporal) => Some(temporal),
        _ => None,
    });
    (model.system, claim.expect("it has a formula"))
}

/// All engines find a run that breaks the claim.
fn engines_are_right(system: &System, claim: &Temporal) {
    let property = Property::Temporal(claim.clone());
    let sets = [
        (Algorithm::Conflict, Interference::CanBeDependent),
        (Algorithm::Stubborn, Interference::DoNotAccord),
        (Algorithm::Stubborn, Interference::First),
    ];
    let persistent = sets.map(|(algorithm, interference)| Some(Persistent { algorithm, interference }));
    for persistent in persistent.into_iter().chain([None]) {
        for proviso in [CycleProviso::Peled, CycleProviso::Valmari] {
            let engine = Liveness { persistent, proviso };
            let outcome = engine.run(&Problem { system, property: &property }, &Budget::unlimited(), &Silent);
            let trace = outcome.verdict.trace().unwrap_or_else(|| panic!("{engine:?}: {:?}", outcome.verdict));
            assert!(check::replay(system, &property, trace).is_ok(), "{engine:?}: {trace:?}");
            assert!(matches!(outcome.verdict, Verdict::Violated(_)));
        }
    }
}
