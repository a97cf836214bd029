//! The contest's property files, where they are there: each formula whose answer is known is understood.

use std::collections::{HashMap, HashSet};

use frontend::mcc::{self, Formula};
use frontend::pnml::{self, UnfoldLimits};

use crate::data::{group, member, table};

const READ: [&str; 3] = ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds"];

/// Enough for most, and quick.
const LIMITS: UnfoldLimits = UnfoldLimits { places: 10_000, transitions: 10_000, arcs: 10_000 };

#[test]
fn every_formula_with_an_answer_is_read() {
    let Some(folder) = group("mcc") else { return };
    // The largest nets, plain or unfolded, take most of the time and have formulas of the same shape.
    let rows = table(&folder.join("instances.csv"));
    let small = |row: &&HashMap<String, String>| row["pnml_bytes"].parse().is_ok_and(|bytes: u64| bytes < 60_000);
    let small: HashSet<&str> = rows.iter().filter(small).map(|row| row["instance"].as_str()).collect();
    let mut asked: HashMap<(String, String), HashSet<String>> = HashMap::new();
    let answered = |row: &HashMap<String, String>| small.contains(&*row["instance"]);
    for row in table(&folder.join("verdicts.csv")).into_iter().filter(answered) {
        asked.entry((row["instance"].clone(), row["path"].clone())).or_default().insert(row["question"].clone());
    }
    let mut count = 0;
    for ((instance, path), questions) in &asked {
        let archive = folder.join(path);
        let model = member(&archive, &format!("{instance}/model.pnml"));
        let loaded = match pnml::read_within(instance, &model, LIMITS) {
            Ok(loaded) => loaded,
            Err(mistakes) => {
                assert!(mistakes[0].message.starts_with("the coloured net is too large"), "{instance}: {mistakes:?}");
                continue;
            }
        };
        for examination in READ {
            let bytes = member(&archive, &format!("{instance}/{examination}.xml"));
            let formulas = mcc::read(&loaded, &bytes).unwrap_or_else(|d| panic!("{instance}: {d:?}"));
            let known: HashSet<&str> = formulas.iter().map(|f| f.id.as_str()).collect();
            let missing = questions.iter().find(|q| q.contains(examination) && !known.contains(q.as_str()));
            assert_eq!(missing, None, "{instance}");
            formulas.iter().for_each(|f| assert!(fits(examination, &f.formula), "{}: {:?}", f.id, f.formula));
            count += formulas.len();
        }
    }
    assert!(count > 2_000, "{count}");
}

fn fits(examination: &str, formula: &Formula) -> bool {
    match formula {
        Formula::Bound(_) => examination == "UpperBounds",
        Formula::Exists(_) | Formula::Always(_) => examination != "UpperBounds",
        Formula::Deadlock | Formula::Unsupported(_) => false,
    }
}

#[test]
fn temporal_formulas_are_refused_one_by_one() {
    let Some(folder) = group("mcc") else { return };
    let rows = table(&folder.join("instances.csv"));
    let row = rows.iter().find(|row| row["kind"] == "pt").expect("a net");
    let (archive, instance) = (folder.join(&row["path"]), &row["instance"]);
    let loaded = pnml::read(instance, &member(&archive, &format!("{instance}/model.pnml"))).expect("a net");
    let bytes = member(&archive, &format!("{instance}/LTLFireability.xml"));
    let formulas = mcc::read(&loaded, &bytes).unwrap_or_else(|d| panic!("{d:?}"));
    assert_eq!(formulas.len(), 16);
    assert!(formulas.iter().any(|f| matches!(f.formula, Formula::Unsupported(_))));
}
