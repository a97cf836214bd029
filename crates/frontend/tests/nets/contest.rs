//! The contest's property files, where they are there: each formula whose answer is known is understood.

use std::collections::{HashMap, HashSet};

use frontend::LoadedNet;
use frontend::mcc::{self, Formula, NamedFormula};
use frontend::pnml::{self, UnfoldLimits};
use model::views::NetTransitionId;

use crate::data::{group, member, reachable, table};

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
        Formula::Deadlock | Formula::Runs(_) | Formula::Unsupported(_) => false,
    }
}

#[test]
fn temporal_formulas_are_read() {
    let Some(folder) = group("mcc") else { return };
    let rows = table(&folder.join("instances.csv"));
    let row = rows.iter().find(|row| row["kind"] == "pt").expect("a net");
    let (archive, instance) = (folder.join(&row["path"]), &row["instance"]);
    let loaded = pnml::read(instance, &member(&archive, &format!("{instance}/model.pnml"))).expect("a net");
    let bytes = member(&archive, &format!("{instance}/LTLFireability.xml"));
    let formulas = mcc::read(&loaded, &bytes).unwrap_or_else(|d| panic!("{d:?}"));
    assert_eq!(formulas.len(), 16);
    assert!(formulas.iter().any(|f| matches!(f.formula, Formula::Runs(_))));
    assert!(formulas.iter().all(|f| matches!(f.formula, Formula::Runs(_) | Formula::Always(_))));
}

/// Decides formulas by looking at all reachable markings, where there are few: what the reader and the unfolding say
/// about a net must be what the contest says.
#[test]
fn formulas_of_small_nets_have_the_known_answers() {
    let Some(folder) = group("mcc") else { return };
    let mut answers: HashMap<String, String> = HashMap::new();
    for row in table(&folder.join("verdicts.csv")) {
        answers.insert(row["question"].clone(), row["expected"].clone());
    }
    let (mut plain, mut coloured) = (0, 0);
    for row in table(&folder.join("instances.csv")) {
        let few = row["states"].parse().is_ok_and(|states: usize| states < 3_000);
        if !few {
            continue;
        }
        let (archive, instance) = (folder.join(&row["path"]), &row["instance"]);
        let loaded = pnml::read(instance, &member(&archive, &format!("{instance}/model.pnml"))).expect("a net");
        let markings = reachable(&loaded.net);
        for examination in READ {
            let bytes = member(&archive, &format!("{instance}/{examination}.xml"));
            for NamedFormula { id, formula } in mcc::read(&loaded, &bytes).expect("a file") {
                let Some(expected) = answers.get(&id) else { continue };
                assert_eq!(answer(&formula, &markings), expected.to_ascii_uppercase(), "{id}");
                *if row["kind"] == "col" { &mut coloured } else { &mut plain } += 1;
            }
        }
    }
    assert!(plain > 300 && coloured > 100, "{plain} {coloured}");
}

fn answer(formula: &Formula, markings: &HashSet<Vec<u64>>) -> String {
    let decided = match formula {
        Formula::Exists(predicate) => markings.iter().any(|m| predicate.holds(m)),
        Formula::Always(predicate) => markings.iter().all(|m| predicate.holds(m)),
        Formula::Bound(sum) => return markings.iter().map(|m| sum.value(m)).max().unwrap_or(0).to_string(),
        Formula::Deadlock | Formula::Runs(_) | Formula::Unsupported(_) => panic!("{formula:?}"),
    };
    if decided { "TRUE".to_owned() } else { "FALSE".to_owned() }
}

/// What the contest asks about all places or transitions is about those of the file: a coloured place holds the
/// tokens of all its colours, a coloured transition is enabled if an instance is.
#[test]
fn global_questions_are_about_ids() {
    let Some(folder) = group("mcc") else { return };
    let mut answers: HashMap<(String, String), String> = HashMap::new();
    for row in table(&folder.join("verdicts.csv")) {
        answers.insert((row["instance"].clone(), row["question"].clone()), row["expected"].clone());
    }
    let mut count = 0;
    for row in table(&folder.join("instances.csv")) {
        if !row["states"].parse().is_ok_and(|states: usize| states < 3_000) {
            continue;
        }
        let (archive, instance) = (folder.join(&row["path"]), &row["instance"]);
        let loaded = pnml::read(instance, &member(&archive, &format!("{instance}/model.pnml"))).expect("a net");
        for (question, value) in global(&loaded, &reachable(&loaded.net)) {
            let Some(expected) = answers.get(&(instance.clone(), question.to_owned())) else { continue };
            assert_eq!(value.to_string(), expected.to_ascii_lowercase(), "{instance} {question}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

fn global(loaded: &LoadedNet, markings: &HashSet<Vec<u64>>) -> [(&'static str, bool); 4] {
    let net = &loaded.net;
    let sums = |marking: &Vec<u64>| -> Vec<u64> {
        loaded.ids.each_place().map(|(_, places)| places.iter().map(|p| marking[p.index()]).sum()).collect()
    };
    let all: Vec<Vec<u64>> = markings.iter().map(sums).collect();
    let safe = all.iter().flatten().all(|tokens| *tokens <= 1);
    let stable = (0..all[0].len()).any(|p| all.iter().all(|sums| sums[p] == all[0][p]));
    let live = |(_, ts): (&str, &[NetTransitionId])| markings.iter().any(|m| ts.iter().any(|t| net.is_enabled(*t, m)));
    let dead = markings.iter().any(|m| !net.transition_ids().any(|t| net.is_enabled(t, m)));
    let quasi_live = loaded.ids.each_transition().all(live);
    [("OneSafe", safe), ("StableMarking", stable), ("QuasiLiveness", quasi_live), ("ReachabilityDeadlock", dead)]
}
