//! Complete prefixes of the classic nets: their sizes against the published ones, and how fast they are built.
//!
//! The nets are in the folder `classic` of `IMPASSE_DATA`, or of `../shared/data`; the sizes that are known in its
//! `verdicts.csv`. Each net is unfolded in a process of its own, so that its memory can be told. If `cunf` is on the
//! path, it unfolds the same nets in the same run; otherwise what the folder's `README.md` says of it is the yardstick.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use engines::unfold::{AdequateOrder, Reads, Unfolding, lexical_prefix};
use evidence::Budget;
use serde_json::{Value, json};

use crate::measure::{geometric_mean, run};

/// The orders, with the names that they have in the tables.
const ORDERS: &[(&str, Option<AdequateOrder>, &str)] = &[
    ("total", Some(AdequateOrder::Total), "mole_order"),
    ("lexical", None, "erv_order"),
    ("mcmillan", Some(AdequateOrder::McMillan), "mcmillan"),
];

/// Events, conditions and cut-offs.
type Size = [u64; 3];

/// What is to be measured.
#[derive(Debug)]
pub(crate) struct Options {
    /// One net, in this process, or all.
    one: Option<PathBuf>,
    order: usize,
    parts: Vec<String>,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self { one: None, order: 0, parts: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match &**arg {
                "--one" => options.one = Some(args.next().ok_or("--one takes a file")?.into()),
                "--order" => {
                    let name = args.next().ok_or("--order takes a name")?;
                    let found = ORDERS.iter().position(|(n, ..)| n == name);
                    options.order = found.ok_or("--order takes total, lexical or mcmillan")?;
                }
                part => options.parts.push(part.to_owned()),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run_all(options: &Options) -> Result<(), String> {
    match &options.one {
        Some(file) => one(file, ORDERS[options.order].1),
        None => all(options),
    }
}

/// Unfolds one net and tells what it took.
fn one(file: &Path, order: Option<AdequateOrder>) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let net = frontend::ll_net::read("net", &bytes).map_err(|_| format!("{} is no net", file.display()))?.net;
    let start = Instant::now();
    let budget = Budget::unlimited();
    let prefix = match order {
        Some(order) => Unfolding { order, reads: Reads::Loops }.prefix(&net, &budget),
        None => lexical_prefix(&net, &budget),
    };
    let prefix = prefix.map_err(|reason| reason.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let size = [prefix.events(), prefix.conditions(), prefix.cutoffs()];
    println!("{}", json!({ "size": size, "seconds": seconds, "megabytes": peak() }));
    Ok(())
}

/// The most memory that this process had, in megabytes, where the system tells it.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

fn all(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let known = known(&data.join("classic"), ORDERS[options.order].2)?;
    let yardstick = yardstick(&data);
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    println!("| net | events | conditions | cut-offs | s | events/s | MB | bytes a node | cunf s | ratio |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let (mut ratios, mut wrong, mut count) = (Vec::new(), Vec::new(), 0);
    for (name, (path, expected)) in known {
        if !options.parts.is_empty() && !options.parts.iter().any(|part| name.contains(part)) {
            continue;
        }
        let file = path.to_string_lossy();
        let ran = run(&this, &["unfold", "--order", ORDERS[options.order].0, "--one", &file], &root)?;
        let found: Value = serde_json::from_str(&ran.stdout).map_err(|_| format!("{name}: {}", ran.stdout))?;
        let size: Size = serde_json::from_value(found["size"].clone()).map_err(|e| e.to_string())?;
        let (seconds, megabytes) = (found["seconds"].as_f64().unwrap_or(f64::NAN), found["megabytes"].as_f64());
        count += 1;
        if size != expected {
            wrong.push(format!("{name}: {size:?} instead of {expected:?}"));
        }
        let peer = cunf(&path).or_else(|| yardstick.get(&name).copied());
        let ratio = peer.map(|peer| peer / ran.processor.unwrap_or(seconds).max(0.01));
        ratios.extend(ratio);
        let [events, conditions, cutoffs] = size;
        let nodes = (events + conditions) as f64;
        let shown = |n: Option<f64>| n.map_or(String::new(), |n| format!("{n:.1}"));
        println!(
            "| {name} | {events} | {conditions} | {cutoffs} | {seconds:.3} | {:.0} | {} | {} | {} | {} |",
            events as f64 / seconds,
            shown(megabytes),
            shown(megabytes.filter(|_| nodes > 2e4).map(|m| m * 1_048_576.0 / nodes)),
            shown(peer),
            shown(ratio),
        );
    }
    println!("\n{count} nets, {} sizes are not as published", wrong.len());
    wrong.iter().for_each(|line| println!("{line}"));
    if !ratios.is_empty() {
        println!("times faster than cunf, geometric mean over {} nets: {:.1}", ratios.len(), geometric_mean(&ratios));
    }
    Ok(())
}

/// The nets whose prefix sizes are known, by name.
fn known(classic: &Path, order: &str) -> Result<BTreeMap<String, (PathBuf, Size)>, String> {
    let table = classic.join("verdicts.csv");
    let text = std::fs::read_to_string(&table).map_err(|e| format!("{}: {e}", table.display()))?;
    let mut sizes: BTreeMap<String, (PathBuf, Size)> = BTreeMap::new();
    for line in text.lines() {
        let [name, path, question, expected, ..] = line.split(',').collect::<Vec<_>>()[..] else { continue };
        let kinds = ["events", "conditions", "cutoffs"].map(|kind| format!("prefix_{kind}[{order}]"));
        if let (Some(kind), Ok(n)) = (kinds.iter().position(|k| k == question), expected.parse()) {
            sizes.entry(name.to_owned()).or_insert_with(|| (classic.join(path), [0; 3])).1[kind] = n;
        }
    }
    Ok(sizes)
}

/// The seconds that another unfolder took, by net.
fn yardstick(data: &Path) -> BTreeMap<String, f64> {
    let text = std::fs::read_to_string(data.join("README.md")).unwrap_or_default();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, events, _, _, seconds, _, _] = cells[..] else { return None };
        events.parse::<u64>().ok()?;
        Some((name.to_owned(), seconds.parse().ok()?))
    });
    rows.collect()
}

/// The processor time of `cunf`, if it is there.
fn cunf(net: &Path) -> Option<f64> {
    let ran = run(Path::new("cunf"), &[&net.to_string_lossy(), "--save=/dev/null"], Path::new(".")).ok()?;
    ran.processor.filter(|_| ran.code == Some(0))
}
