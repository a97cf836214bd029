//! Synchronisation vectors: nothing but what they say happens, and silent moves, which are always free.

use super::ast::{Offer, Vector};
use super::rules::{MAX_RULES, Parts, Rules, TooMany, merged};
use crate::automata::labels::{LabelId, Labels};

/// Behaviours under vectors, each as wide as there are behaviours.
pub(super) fn combine(labels: &mut Labels, mut branches: Vec<Rules>, vectors: &[Vector]) -> Result<Rules, TooMany> {
    let mut all = Rules::default();
    for vector in vectors {
        for (offers, chosen) in choices(labels, &branches, vector) {
            let rules: Vec<&[Parts]> =
                chosen.iter().zip(&vector.parts).map(|(label, (b, _))| branches[*b].with(labels, *label)).collect();
            let joined = product(&rules)?;
            let label = result(labels, &vector.result, &offers);
            joined.into_iter().try_for_each(|parts| all.add(labels, label, parts))?;
        }
    }
    for branch in &mut branches {
        all.put(Labels::HIDDEN, branch.take(Labels::HIDDEN))?;
    }
    Ok(all)
}

/// The labels that the parts of a vector stand for, one choice for each list of offers that the gates share.
fn choices(labels: &Labels, branches: &[Rules], vector: &Vector) -> Vec<(String, Vec<LabelId>)> {
    let gate = vector.parts.iter().find_map(|(b, offer)| match offer {
        Offer::Gate(name) => Some((*b, name)),
        Offer::Label(_) => None,
    });
    let offers: Vec<String> = match gate {
        None => vec![String::new()],
        Some((b, name)) => {
            let rules = labels.find_gate(name).and_then(|g| branches[b].gate(g));
            rules.into_iter().flat_map(|rules| rules.keys()).map(|l| labels.offers(*l).to_owned()).collect()
        }
    };
    let choice = |offers: String| {
        let label = |(_, offer): &(usize, Offer)| match offer {
            Offer::Label(text) => labels.find(text),
            Offer::Gate(name) => labels.find(&format!("{name}{offers}")),
        };
        let chosen = vector.parts.iter().map(label).collect::<Option<Vec<_>>>()?;
        Some((offers, chosen))
    };
    offers.into_iter().filter_map(choice).collect()
}

fn result(labels: &mut Labels, offer: &Offer, offers: &str) -> LabelId {
    match offer {
        Offer::Label(text) => labels.label(text),
        Offer::Gate(name) => labels.label(&format!("{name}{offers}")),
    }
}

fn product(rules: &[&[Parts]]) -> Result<Vec<Parts>, TooMany> {
    let mut joined = vec![Parts::new()];
    for right in rules {
        if joined.len().saturating_mul(right.len()) > MAX_RULES {
            return Err(TooMany);
        }
        joined = joined.iter().flat_map(|l| right.iter().map(|r| merged(l, r))).collect();
    }
    Ok(joined)
}
