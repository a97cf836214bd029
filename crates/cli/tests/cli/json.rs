//! Reports in JSON against the documented schema.

use std::path::{Path, PathBuf};

use crate::common::{Scratch, code, models, run, stderr, stdout};
use crate::schema::{fits, ours};
use serde_json::Value;

fn report(args: &[&str]) -> Value {
    let output = run(&[&["check"], args, &["--format", "json"]].concat());
    serde_json::from_str(&stdout(&output)).expect("one JSON object on standard output")
}

#[test]
fn every_kind_of_report_fits_the_schema() {
    // Whoever runs the program looks whether what it prints fits.
    let mut kinds = std::collections::BTreeSet::new();
    let observer = "../../../../corpus/language/observer.imp";
    for model in ["philosophers.imp", "mutex.imp", "overflow.imp", "live.imp", "wrong.imp", observer] {
        let report = report(&[model]);
        for result in report["results"].as_array().expect("results") {
            kinds.extend(result["explanation"]["conclusion"]["kind"].as_str().map(str::to_owned));
        }
    }
    let asked = report(&["overflow.imp", "--reachable", "x == 2"]);
    assert_eq!(asked["results"][0]["trace"]["question"], serde_json::json!({ "kind": "reachable", "text": "x == 2" }));
    for args in [&["crossing.imp", "--all", "--dead-code"][..], &["live.imp", "--dead-code", "--timeout", "0s"]] {
        report(args);
    }
    let live = report(&["live.imp", "--ltl", "eventually always P at a"]);
    assert_eq!(live["results"][0]["violation"], "liveness");
    assert_eq!(live["results"][0]["trace"]["cycle"].as_array().map(Vec::len), Some(2), "{live}");
    let never = report(&["philosophers.imp", "--never", "never/starving.hoa"]);
    assert_eq!(
        (&never["results"][0]["kind"], &never["results"][0]["violation"]),
        (&"never".into(), &"liveness".into())
    );
    let partial = report(&["../../../../corpus/services/hidden-lock-order.imp", "--partial"]);
    let (result, end) = (&partial["results"][0], &partial["results"][0]["explanation"]["conclusion"]);
    assert_eq!(
        (&result["kind"], &result["violation"], &end["kind"]),
        (&"partial-deadlock-free".into(), &"partial-deadlock".into(), &"partial-deadlock".into())
    );
    assert_eq!((&end["going_on"], &end["stopped"]), (&serde_json::json!(["Monitor"]), &serde_json::json!([])));
    assert_eq!(end["processes"].as_array().map(Vec::len), Some(2), "{partial}");
    let warned = report(&["philosophers.imp", "--set", "n=7", "--engine", "explore:order=depth,cache=20"]);
    assert_eq!(warned["results"][0]["warnings"].as_array().map(Vec::len), Some(1), "{warned}");
    let all = ["deadlock", "invariant-broken", "model-error", "observer-error", "reached"];
    assert_eq!(kinds.iter().collect::<Vec<_>>(), all.iter().collect::<Vec<_>>(), "every conclusion was met");
}

/// All files below a folder that are no larger than this.
fn small_files(folder: &Path, most: u64) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let small = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|m| m.len() <= most);
    let below = folders.iter().flat_map(|folder| small_files(folder, most));
    files.into_iter().filter(small).chain(below).collect()
}

/// `report` looks whether what is printed fits.
#[test]
fn every_small_model_of_the_corpus_fits_the_schema() {
    let corpus = models().join("../../../../corpus");
    let kinds = ["imp", "pml", "csp", "bip", "exp", "aut", "pnml"];
    let kind_of = |path: &Path| path.extension().and_then(|e| kinds.into_iter().find(|kind| e == *kind));
    let files: Vec<PathBuf> = small_files(&corpus, 2500).into_iter().filter(|path| kind_of(path).is_some()).collect();
    for kind in kinds {
        assert!(files.iter().any(|path| kind_of(path) == Some(kind)), "there is no small model of the kind {kind}");
    }
    let ask = |path: &PathBuf| report(&[path.to_str().expect("a name"), "--timeout", "500ms", "--threads", "1"]);
    std::thread::scope(|scope| {
        for part in files.chunks(files.len().div_ceil(2)) {
            scope.spawn(move || part.iter().for_each(|path| _ = ask(path)));
        }
    });
    let options = report(&["../../../../corpus/csp/livelock.csp", "--fairness", "weak", "--divergence"]);
    let results = options["results"].as_array().expect("results");
    let with = results.iter().filter(|r| r["trace"]["options"] == serde_json::json!(["--fairness=weak"])).count();
    assert!(with > 0, "a run knows the options it was found with: {options}");
    let claim = report(&["../../../../corpus/promela/reconnect.pml"]);
    let moves = |r: &Value| r["explanation"]["conclusion"]["claim"].is_array();
    assert!(claim["results"].as_array().expect("results").iter().any(moves), "a claim moves: {claim}");
    let scratch = Scratch::new("json-never");
    let bad = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"Phil[0] at eating\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
               --BODY--\nState: 0\n[!0] 0\n[0] 1\nState: 1 {0}\n[t] 1\n--END--\n";
    let ended = report(&["philosophers.imp", "--never", &scratch.write("bad.hoa", bad)]);
    assert_eq!(ended["results"][0]["explanation"]["conclusion"]["ended"], true, "{ended}");
}

#[test]
fn deadlocks_and_dead_code_are_listed() {
    let listed = report(&["crossing.imp", "--all", "--dead-code", "--engine", "explore"]);
    let results = listed["results"].as_array().expect("results");
    let runs: Vec<_> = results.iter().map(|r| r["deadlocks"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(runs, [2, 0, 0]);
    let deadlock = &results[0]["deadlocks"][1];
    assert_eq!(deadlock["explanation"]["conclusion"]["processes"][1]["at"], "gone");
    assert_eq!(deadlock["trace"]["stem"].as_array().map(Vec::len), Some(2));
    assert!(results.iter().all(|r| r["statistics"] == results[0]["statistics"]), "one search: {listed}");
    let (steps, locations) = (&listed["dead_code"]["steps"], &listed["dead_code"]["locations"]);
    assert_eq!((&steps[0]["name"], &steps[0]["source"]["line"]), (&"idle->alarmed".into(), &14.into()));
    assert_eq!((&locations[0]["name"], &locations[0]["processes"][1]), (&"alarmed".into(), &"P[1]".into()));
    assert_eq!((steps.as_array().map(Vec::len), locations.as_array().map(Vec::len)), (Some(1), Some(1)));
    let unknown = report(&["crossing.imp", "--dead-code", "--timeout", "0s"]);
    assert_eq!(unknown["dead_code"], serde_json::json!({ "unknown": "the time limit was reached" }));
    assert!(report(&["crossing.imp"]).get("dead_code").is_none(), "nobody asked");
}

#[test]
fn the_schema_is_strict() {
    let schema = ours("report.schema.json");
    let good = report(&["philosophers.imp"]);
    let spoilt = |f: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        f(&mut bad);
        fits(&schema, &bad).is_err()
    };
    assert!(!spoilt(&|_| {}));
    assert!(spoilt(&|r| r["results"][0]["verdict"] = "perhaps".into()));
    assert!(spoilt(&|r| r["results"][0]["surprise"] = 1.into()));
    assert!(spoilt(&|r| r["results"][0]["statistics"]["states"] = (-1).into()));
    assert!(spoilt(&|r| r["results"][0]["explanation"]["conclusion"]["kind"] = "reached".into()));
    assert!(spoilt(&|r| r["schema"] = "impasse-report-0".into()));
    assert!(spoilt(&|r| r["error"] = serde_json::json!({ "kind": "input", "message": "", "diagnostics": [] })));
    assert!(spoilt(&|r| {
        r.as_object_mut().expect("an object").remove("tool");
    }));
}

#[test]
fn a_bad_model_is_json_too() {
    for (args, kind, diagnostics) in [
        (&["mistakes.imp"][..], "model", 3),
        (&["philosophers.imp", "--invariant", "Phil[0] at eatign"], "model", 1),
        (&["missing.imp"], "input", 0),
        (&["philosophers.imp", "--property", "none"], "input", 0),
        (&["philosophers.imp", "--trace", "/no/such/directory/run.json"], "input", 0),
        (&["philosophers.imp", "--set", "n=2", "--set", "n=3"], "usage", 0),
    ] {
        let report = report(args);
        assert_eq!(report["error"]["kind"], kind, "{report}");
        assert_eq!(report["error"]["diagnostics"].as_array().map(Vec::len), Some(diagnostics), "{report}");
    }
    let output = run(&["check", "mistakes.imp", "--format", "json"]);
    assert_eq!(code(&output), Some(3));
    assert!(stderr(&output).contains("did you mean `fork`?"), "people are told as well");
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let second = &report["error"]["diagnostics"][1];
    assert_eq!((&second["message"], &second["help"]), (&"there is no `frok`".into(), &"did you mean `fork`?".into()));
    assert_eq!(second["start"], serde_json::json!({ "line": 4, "column": 21 }));
    assert_eq!((&second["end"]["column"], &second["file"]), (&25.into(), &"mistakes.imp".into()));
}

#[test]
fn positions_carry_the_path_as_it_was_given() {
    let path = "../models/philosophers.imp";
    let report = report(&[path]);
    assert_eq!(report["model"]["file"], path);
    assert_eq!(report["model"]["name"], "philosophers");
    assert_eq!(report["results"][0]["explanation"]["steps"][0]["source"][0]["file"], path);
}

#[test]
fn the_figures_of_two_philosophers() {
    let report = report(&["../../../../corpus/thesis/two-philosophers.imp", "--deadlock"]);
    let result = &report["results"][0];
    assert_eq!((&result["statistics"]["states"], &result["statistics"]["transitions"]), (&8.into(), &10.into()));
    let cycle = &result["explanation"]["conclusion"]["cycle"];
    assert_eq!((&cycle[0]["process"], &cycle[0]["waits_for"]), (&"A".into(), &"B".into()));
    assert_eq!((&cycle[1]["process"], &cycle[1]["waits_for"]), (&"B".into(), &"A".into()));
    assert_eq!(cycle.as_array().map(Vec::len), Some(2));
}

#[test]
fn tests_in_json_and_junit() {
    let output = run(&["test", "wrong.imp", "live.imp", "mutex.imp", "--engine", "explore", "--format", "json"]);
    assert_eq!(code(&output), Some(12));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    assert_eq!(report["schema"], "impasse-test-1");
    assert_eq!(report["summary"]["failed"], 2);
    assert_eq!(report["summary"]["checks"], 5);
    assert_eq!(report["summary"]["unknown"], 1);
    assert_eq!(report["models"][2]["checks"][0]["outcome"], "failed");
    let output = run(&["test", "wrong.imp", "live.imp", "mutex.imp", "--engine", "explore", "--format", "junit"]);
    let xml = stdout(&output);
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"), "{xml}");
    assert!(
        xml.contains("<failure message=\"deadlock-free: expected holds, found violated: there is a deadlock"),
        "{xml}"
    );
    assert!(xml.contains(": no engine: "), "{xml}");
    assert_eq!(xml.matches("<testcase ").count(), 5, "{xml}");
}
