//! How explicit search scales: states per second by threads and stores, by workers that share nothing and by processes, and
//! bytes a state, on models of 10^5 to 10^8 states.
//!
//! To hold: two threads at least 1.8 times as fast as one; at most 8 bytes a state with the tree store where states are much
//! alike; two workers at least half as fast as two threads. All figures of a model are of one run of this program, the threads in turn, so that a busy machine spoils ratios
//! as little as it can; of several runs the best counts. `work` is the processor time of all threads against that of one:
//! what sharing costs, whoever else uses the machine. Bytes are everything that the search kept at its peak, the waiting states
//! and the way back included.

use std::net::TcpListener;
use std::path::Path;
use std::thread;

use serde_json::Value;

use crate::impasse;
use crate::measure::{Ran, geometric_mean, run};

/// What to measure.
pub(crate) struct Options {
    runs: usize,
    largest: u64,
    threads: usize,
    only: Vec<String>,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut options = Self { runs: 3, largest: 3_000_000, threads, only: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || {
                let number = args.next().and_then(|n| n.parse::<u64>().ok()).filter(|n| *n > 0);
                number.ok_or_else(|| format!("{arg} takes a positive number"))
            };
            match arg.as_str() {
                "--runs" => options.runs = number()? as usize,
                "--largest" => options.largest = number()?,
                "--threads" => options.threads = number()? as usize,
                flag if flag.starts_with('-') => return Err(format!("there is no option {flag}")),
                part => options.only.push(part.to_owned()),
            }
        }
        Ok(options)
    }
}

/// A family of models by one parameter: the values, with the numbers of states.
struct Family {
    file: &'static str,
    parameter: &'static str,
    sizes: &'static [(u32, u64)],
}

const FAMILIES: &[Family] = &[
    Family {
        file: "corpus/classics/shared-table.imp",
        parameter: "n",
        sizes: &[(8, 125_440), (9, 558_144), (10, 2_483_456), (11, 11_050_112), (12, 49_167_360), (13, 218_769_664)],
    },
    Family { file: "crates/bench/models/election.imp", parameter: "n", sizes: &[(10, 382_288)] },
    Family { file: "crates/bench/models/pipeline.imp", parameter: "stages", sizes: &[(2, 1_024_000)] },
    Family { file: "crates/bench/models/philosophers.imp", parameter: "n", sizes: &[(13, 1_594_322)] },
    Family { file: "crates/bench/models/counters.imp", parameter: "top", sizes: &[(96, 2_326_528)] },
];

/// How states are kept; how many bits a state has in the field of `bitstate`.
const STORES: &[&str] = &["plain", "tree", "hash-compact", "bitstate"];
/// Who searches instead of threads: workers of one process, or processes of one worker on this machine.
const TEAMS: &[&str] = &["workers", "processes"];
const FIELD: u64 = 32;

/// One search, as it ended.
#[derive(Clone, Copy)]
struct Figures {
    states: u64,
    per_second: f64,
    bytes: f64,
    /// Processor time.
    processor: Option<f64>,
}

/// Measures and prints as it goes.
pub(crate) fn run_all(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let binary = impasse::build(&root)?;
    println!("million states per second, by threads");
    let counts = (1..=options.threads).map(|n| format!("{n:>7}")).collect::<String>();
    println!("{:<22} {:>10} {:<13} |{counts} | ratio | work | bytes/state", "model", "states", "store");
    let (mut ratios, mut bytes, mut teams) = (Vec::new(), Vec::new(), Vec::new());
    for family in FAMILIES {
        for &(value, expected) in family.sizes.iter().filter(|(_, states)| *states <= options.largest) {
            let setting = format!("{}={value}", family.parameter);
            let stem = Path::new(family.file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!("{stem} {setting}");
            if !options.only.is_empty() && !options.only.iter().any(|part| name.contains(part.as_str())) {
                continue;
            }
            let mut threads = None;
            for store in STORES.iter().chain(TEAMS) {
                let figures = by_threads(&binary, &root.join(family.file), &setting, (store, expected), options)?;
                let ratio = figures.get(1).map(|two| two.per_second / figures[0].per_second);
                println!("{}", line(&name, store, &figures, ratio));
                if *store == "tree" {
                    ratios.extend(ratio);
                    bytes.push(figures[0].bytes);
                    threads = figures.get(1).map(|two| two.per_second);
                }
                if *store == "workers" {
                    teams.extend(figures.get(1).zip(threads).map(|(two, threads)| two.per_second / threads));
                }
            }
        }
    }
    if !ratios.is_empty() {
        let (least, mean) = (ratios.iter().copied().fold(f64::INFINITY, f64::min), geometric_mean(&ratios));
        println!("\ntwo threads against one, tree: mean {mean:.2}, least {least:.2} (to hold: 1.8)");
    }
    if !teams.is_empty() {
        let least = teams.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "two workers against two threads: mean {:.2}, least {least:.2} (to hold: 0.5)",
            geometric_mean(&teams)
        );
    }
    println!("bytes a state, tree: most {:.1} (to hold: 8)", bytes.iter().copied().fold(0.0, f64::max));
    Ok(())
}

fn line(name: &str, store: &str, figures: &[Figures], ratio: Option<f64>) -> String {
    let rates: String = figures.iter().map(|f| format!("{:>7.2}", f.per_second / 1e6)).collect();
    let ratio = ratio.map_or("-".to_owned(), |r| format!("{r:.2}"));
    let (states, bytes) = (figures[0].states, figures[0].bytes);
    let work = figures.get(1).and_then(|two| Some(two.processor? / figures[0].processor?));
    let work = work.map_or("-".to_owned(), |w| format!("{w:.2}"));
    format!("{name:<22} {states:>10} {store:<13} |{rates} | {ratio:>5} | {work:>4} | {bytes:>6.1}")
}

/// The best of several searches by 1, 2 and more threads, in turn.
fn by_threads(
    binary: &Path,
    model: &Path,
    setting: &str,
    (store, expected): (&str, u64),
    options: &Options,
) -> Result<Vec<Figures>, String> {
    let bits = (FIELD * expected).next_power_of_two();
    let store = if store == "bitstate" { format!("bitstate={bits}") } else { store.to_owned() };
    let exact = !["hash-compact", "bitstate"].iter().any(|lossy| store.starts_with(lossy));
    let mut best: Vec<Option<Figures>> = vec![None; options.threads];
    for _ in 0..options.runs {
        for (threads, best) in (1..).zip(&mut best) {
            let figures = search(binary, model, setting, &store, threads)?;
            if exact && figures.states != expected {
                return Err(format!("{setting}: {} states instead of {expected}", figures.states));
            }
            let best = best.get_or_insert(figures);
            if best.per_second < figures.per_second {
                *best = Figures { processor: best.processor, ..figures };
            }
            best.processor = best.processor.zip(figures.processor).map(|(a, b)| a.min(b));
        }
    }
    Ok(best.into_iter().flatten().collect())
}

/// One search for deadlocks of everything, as users run it.
fn search(binary: &Path, model: &Path, setting: &str, store: &str, threads: usize) -> Result<Figures, String> {
    let kept = if TEAMS.contains(&store) { String::new() } else { format!(",store={store}") };
    let engine = format!("explore:finish=unlimited{kept}");
    let (model, number) = (model.to_string_lossy(), threads.to_string());
    let args = ["check", &model, "--set", setting, "--deadlock", "--engine", &engine, "--format", "json"];
    let search = |more: &[&str]| {
        let ran = run(binary, &[&args[..], more].concat(), Path::new("."))?;
        finished(&ran).ok_or_else(|| format!("{model} {setting}, {engine}: no finished search: {}", ran.stdout))
    };
    match store {
        "workers" => search(&["--workers", &number]),
        "processes" if threads > 1 => processes(threads, search),
        "processes" => search(&["--workers", "1"]),
        _ => search(&["--threads", &number]),
    }
}

/// The figures of a search that was finished.
fn finished(ran: &Ran) -> Option<Figures> {
    let report: Value = serde_json::from_str(&ran.stdout).ok()?;
    let statistics = &report["results"][0]["statistics"];
    let finished = statistics["complete"] == Value::Bool(true) || statistics["omission"].is_number();
    let count = |key: &str| statistics[key].as_u64().filter(|_| finished);
    let (states, seconds) = (count("states")?, statistics["seconds"].as_f64()?);
    let bytes = count("peak_bytes")? as f64 / states as f64;
    Some(Figures { states, per_second: states as f64 / seconds, bytes, processor: ran.processor })
}

/// One search by so many processes on this machine: the slowest counts, and the memory of all.
fn processes(count: usize, search: impl Fn(&[&str]) -> Result<Figures, String> + Sync) -> Result<Figures, String> {
    let free = || TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string());
    let listeners: Vec<TcpListener> = (0..count).map(|_| free()).collect::<Result<_, _>>()?;
    let hosts: Vec<String> = listeners.iter().flat_map(|l| l.local_addr()).map(|a| a.to_string()).collect();
    drop(listeners);
    let list = std::env::temp_dir().join(format!("impasse-bench-hosts-{}", std::process::id()));
    std::fs::write(&list, hosts.join("\n")).map_err(|e| e.to_string())?;
    let name = list.to_string_lossy();
    let one = |number: usize| search(&["--cluster", &name, "--process", &number.to_string()]);
    let all: Vec<Figures> = thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || one(number))).collect();
        threads.into_iter().map(|t| t.join().expect("a process is waited for")).collect::<Result<_, _>>()
    })?;
    let _ = std::fs::remove_file(&list);
    let per_second = all.iter().map(|f| f.per_second).fold(f64::INFINITY, f64::min);
    let bytes = all.iter().map(|f| f.bytes).sum();
    Ok(Figures { per_second, bytes, processor: None, ..all[0] })
}
