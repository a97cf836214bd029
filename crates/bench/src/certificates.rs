//! How many answers that rest on no run have a certificate, and what it costs to check it: `impasse check --certificate`
//! and `impasse verify` on the corpus, and the reachability questions of the contest's sample.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use check::check_exclusion;
use driver::{NetEngines, NetInquiry, NetVerdict, answer_net, exclusion};
use evidence::Budget;
use frontend::mcc::{self, Formula};
use frontend::read_net;
use model::nets::Goal;
use serde_json::Value;

use crate::impasse::{build, models};
use crate::mcc::{Options, each_instance};
use crate::measure::{geometric_mean, run};

/// Shorter times are not told apart.
const LEAST: f64 = 1e-4;

/// What was found of one kind of answer.
#[derive(Debug, Default)]
struct Found {
    answers: usize,
    certified: usize,
    /// Of those with a certificate: what it took to solve them, and to check it.
    solving: Vec<f64>,
    checking: Vec<f64>,
}

impl Found {
    fn line(&self, of: &str) -> String {
        let share = 100.0 * self.certified as f64 / self.answers.max(1) as f64;
        let ratios = self.checking.iter().zip(&self.solving).map(|(c, s)| c.max(LEAST) / s.max(LEAST));
        let mean = geometric_mean(&ratios.collect::<Vec<_>>());
        let (answers, certified) = (self.answers, self.certified);
        format!("{of:16} {answers:6} {certified:6} {share:6.1} % {mean:8.3}")
    }
}

/// The corpus, and then as much of the sample as is asked for.
pub(crate) fn run_all(options: &Options) -> Result<(), String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(&root)?,
    };
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for file in models(&root.join("corpus")) {
        corpus(&binary, &file, options, &mut found)?;
    }
    each_instance(options, |name, folder| {
        for examination in &options.examinations {
            contest(name, folder, examination, options, &mut found)?;
        }
        Ok(())
    })?;
    println!("{:16} {:>6} {:>6} {:>8} {:>8}", "kind", "never", "proofs", "share", "check/solve");
    found.iter().for_each(|(kind, found)| println!("{}", found.line(kind)));
    Ok(())
}

fn corpus(binary: &Path, file: &Path, options: &Options, found: &mut BTreeMap<String, Found>) -> Result<(), String> {
    let saved = std::env::temp_dir().join(format!("impasse-certificate-{}.json", std::process::id()));
    let (model, proof) = (file.to_string_lossy(), saved.to_string_lossy());
    let _ = std::fs::remove_file(&saved);
    let time = format!("{}s", options.seconds);
    let args = ["check", &model, "--format", "json", "--timeout", &time, "--certificate", &proof];
    let checked = run(binary, &args, Path::new("."))?;
    let report: Value = serde_json::from_str(&checked.stdout).map_err(|e| format!("{model}: {e}"))?;
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let never: Vec<&Value> =
        results.iter().filter(|r| r["verdict"] != "unknown" && r["evidence"]["kind"] != "run").collect();
    let certified = |r: &Value| r["evidence"]["kind"] == "certificate";
    for result in &never {
        let kind = found.entry(result["kind"].as_str().unwrap_or_default().to_owned()).or_default();
        kind.answers += 1;
        kind.certified += usize::from(certified(result));
        if !certified(result) {
            println!("no certificate: {model} {}", result["property"]);
        }
    }
    if never.iter().any(|r| certified(r)) {
        let verified = run(binary, &["verify", &model, &proof], Path::new("."))?;
        if verified.code != Some(0) {
            return Err(format!("{model}: {}", verified.stdout));
        }
        // Reading the model is part of both.
        let solved = run(binary, &["check", &model, "--timeout", &time, "-q"], Path::new("."))?;
        let all = found.entry("files".to_owned()).or_default();
        (all.answers, all.certified) = (all.answers + 1, all.certified + 1);
        all.solving.push(solved.seconds);
        all.checking.push(verified.seconds);
    }
    Ok(())
}

/// The questions of one examination that are answered without a run.
fn contest(
    name: &str,
    folder: &Path,
    examination: &str,
    options: &Options,
    found: &mut BTreeMap<String, Found>,
) -> Result<(), String> {
    let read = |file: &Path| std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()));
    let file = folder.join("model.pnml");
    let Ok(loaded) = read_net(&file, &read(&file)?) else {
        println!("{name}: the net cannot be read");
        return Ok(());
    };
    let formulas = match examination {
        "ReachabilityDeadlock" => vec![Formula::Deadlock],
        _ => {
            let named = mcc::read(&loaded, &read(&folder.join(format!("{examination}.xml")))?);
            let named = named.map_err(|_| format!("{name}: the formulas cannot be read"))?;
            named.into_iter().map(|named| named.formula).collect()
        }
    };
    let goal = |formula: Formula| match formula {
        Formula::Deadlock => Some(Goal::Dead),
        Formula::Exists(predicate) => Some(Goal::Satisfies(predicate)),
        Formula::Always(predicate) => Some(Goal::Satisfies(predicate.negated()?)),
        _ => None,
    };
    let goals: Vec<Goal> = formulas.into_iter().filter_map(goal).collect();
    let (net, time) = (Arc::new(loaded.net), Duration::from_secs(options.seconds));
    let start = Instant::now();
    let solved: Arc<std::sync::Mutex<Vec<(usize, f64)>>> = Arc::default();
    let (told, engines) = (Arc::clone(&solved), NetEngines::default());
    let listener = move |goal: usize, answer: &driver::NetAnswer| {
        if matches!(answer.verdict, NetVerdict::Never(_)) {
            told.lock().expect("nobody panics").push((goal, start.elapsed().as_secs_f64()));
        }
        ControlFlow::Continue(())
    };
    let inquiry = NetInquiry {
        net: Arc::clone(&net),
        goals: goals.clone(),
        claims: Vec::new(),
        others: None,
        threads: options.threads,
        engines,
    };
    let budget = Budget::unlimited().with_timeout(time).with_memory(4 << 30);
    answer_net(inquiry, &budget, Box::new(listener)).map_err(|e| format!("{name}: {e}"))?;
    let all = found.entry(examination.to_owned()).or_default();
    for (number, seconds) in solved.lock().expect("nobody panics").drain(..) {
        all.answers += 1;
        let budget = Budget::unlimited().with_timeout(time).with_memory(4 << 30);
        let making = Instant::now();
        let Some(certificate) = exclusion(&net, &goals[number], &budget) else {
            println!("no certificate: {name} {examination} {number}, solved after {seconds:.1} s");
            continue;
        };
        let (made, checking) = (making.elapsed().as_secs_f64(), Instant::now());
        check_exclusion(&net, &goals[number], &certificate).map_err(|e| format!("{name}: {e}"))?;
        let checked = checking.elapsed().as_secs_f64();
        println!(
            "{name} {examination} {number}: solved after {seconds:.2} s, made in {made:.2} s, checked in {checked:.3} s"
        );
        all.certified += 1;
        all.solving.push(seconds);
        all.checking.push(checked);
    }
    Ok(())
}
