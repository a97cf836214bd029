//! Nets as LoLA writes them.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use model::views::{Net, PlaceId};

use crate::lola::{KEYWORDS, is_name_char};

/// The net in LoLA's format. Names that the format does not allow, or that are not distinct, are changed.
pub fn lola(net: &Net) -> String {
    let places = names(net.places().iter().map(|p| p.name.as_str()));
    let transitions = names(net.transitions().iter().map(|t| &*t.name));
    let mut out = format!("PLACE\n  {};\n\n", places.join(",\n  "));
    let marked = net.place_ids().filter(|p| net.place(*p).initial > 0).map(|p| (p, net.place(p).initial));
    let _ = writeln!(out, "MARKING{};", list(marked, &places));
    for (t, name) in net.transition_ids().zip(&transitions) {
        let (pre, post) = (net.pre(t).iter().copied(), net.post(t).iter().copied());
        let _ = writeln!(out, "\nTRANSITION {name}");
        let _ = writeln!(out, "CONSUME{};\nPRODUCE{};", list(pre, &places), list(post, &places));
    }
    out
}

fn list(items: impl Iterator<Item = (PlaceId, u32)>, places: &[String]) -> String {
    let items: Vec<String> = items.map(|(p, n)| format!(" {}: {n}", places[p.index()])).collect();
    items.join(",")
}

/// Distinct names without the characters that the format needs itself.
fn names<'a>(given: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut taken: HashSet<String> = given.clone().filter(|n| is_name(n)).map(str::to_owned).collect();
    let mut seen = HashSet::new();
    // By changed name: the number to try next, as thousands of transitions may have one name.
    let mut numbers: HashMap<String, u64> = HashMap::new();
    let mut name = |given: &'a str| {
        if is_name(given) && seen.insert(given) {
            return given.to_owned();
        }
        let clean = cleaned(given);
        let number = numbers.entry(clean.clone()).or_insert(1);
        loop {
            let candidate = if *number == 1 { clean.clone() } else { format!("{clean}_{number}") };
            *number += 1;
            if taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    };
    given.map(&mut name).collect()
}

fn cleaned(name: &str) -> String {
    let clean: String = name.chars().map(|c| if is_name_char(c) { c } else { '_' }).collect();
    if is_name(&clean) { clean } else { format!("_{clean}") }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_char) && !KEYWORDS.contains(&name)
}
