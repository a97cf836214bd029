//! Certificates for what was found to be never reached: whoever found it, another method may have a proof to show.
//!
//! What is small is listed: a set of states needs no ideas. For the rest there are local proofs, proofs about the
//! structure of a net and inductive invariants, none of which grows with the number of states; and where they fail, the
//! set of states again, as large as the budget allows. Claims about runs have ranks. No certificate leaves this file that
//! the checker has not accepted.

use std::sync::Arc;
use std::time::Duration;

use check::Subject;
use engines::closed::closed_set;
use engines::liveness::ranked_runs;
use engines::local::Local;
use engines::net::ic3;
use engines::net::structural::certify as by_structure;
use engines::{Engine, Problem};
use evidence::{Budget, Certificate, Evidence, Exclusion, Silent, Verdict};
use model::nets::{AskedNet, Goal};
use model::views::Net;
use model::{Class, Property};

use crate::answer::Inquiry;
use crate::on_network::{self, OnNetwork};

/// What a small set of states may take.
const MOMENT: Duration = Duration::from_millis(500);
const LITTLE: u64 = 16 << 20;
/// The part of the time for each method before the last.
const PART: usize = 3;

/// Whether a verdict says that something is never reached.
pub(crate) fn is_never(property: &Property, verdict: &Verdict) -> bool {
    match property {
        Property::Reachable(_) => {
            matches!(verdict, Verdict::Violated(evidence) if !matches!(evidence, Evidence::Run(_)))
        }
        _ => matches!(verdict, Verdict::Holds(_)),
    }
}

/// A way to a certificate.
type Method<'a> = dyn Fn(&Budget) -> Option<Certificate> + 'a;

/// A certificate that what the property speaks of is never reached, if one is found within the budget.
pub(crate) fn certify(inquiry: &Inquiry<'_>, property: &Property, budget: &Budget) -> Option<Certificate> {
    let of_states: [&Method<'_>; 4] = [
        &|budget| states(inquiry, property, &budget.narrowed(MOMENT, LITTLE)),
        &|budget| on_net(inquiry, property, budget),
        &|budget| local(inquiry, property, budget),
        &|budget| states(inquiry, property, budget),
    ];
    let of_all_states: [&Method<'_>; 1] = [&|budget| states(inquiry, property, budget)];
    let of_runs: [&Method<'_>; 1] = [&|budget| runs(inquiry, property, budget)];
    let methods = match property.class() {
        Class::Deadlock | Class::Safety => &of_states[..],
        Class::Liveness => &of_runs[..],
        Class::Branching => &of_all_states[..],
    };
    let subject = subject(inquiry);
    let last = methods.len() - 1;
    for (number, method) in methods.iter().enumerate() {
        let budget = if number == last { budget.clone() } else { budget.share(PART) };
        let Some(certificate) = method(&budget) else { continue };
        let refused = |e| panic!("the checker refuses a certificate for `{}`: {e}", property.keyword());
        subject.check(property, &certificate).unwrap_or_else(refused);
        return Some(certificate);
    }
    None
}

/// What certificates of an inquiry are about.
fn subject<'a>(inquiry: &Inquiry<'a>) -> Subject<'a> {
    Subject {
        system: inquiry.system,
        network: inquiry.network.map(|source| &**source.network),
        net: inquiry.net.map(|source| &**source.net),
    }
}

fn states(inquiry: &Inquiry<'_>, property: &Property, budget: &Budget) -> Option<Certificate> {
    closed_set(inquiry.system, property, budget).map(|set| Certificate::States(Arc::new(set)))
}

fn runs(inquiry: &Inquiry<'_>, property: &Property, budget: &Budget) -> Option<Certificate> {
    ranked_runs(inquiry.system, property, budget).map(|runs| Certificate::Runs(Arc::new(runs)))
}

fn local(inquiry: &Inquiry<'_>, property: &Property, budget: &Budget) -> Option<Certificate> {
    let engine =
        OnNetwork::new(inquiry.network, on_network::Method::Local(Local { confirm: false, ..Local::default() }));
    let problem = Problem { system: inquiry.system, property };
    match engine.run(&problem, budget, &Silent).verdict {
        Verdict::Holds(Evidence::Certificate(proof)) | Verdict::Violated(Evidence::Certificate(proof)) => Some(proof),
        _ => None,
    }
}

/// A certificate about the net that the system was made of or is seen as.
fn on_net(inquiry: &Inquiry<'_>, property: &Property, budget: &Budget) -> Option<Certificate> {
    let excluded = |net: &Net, goals: &[Goal]| goals.iter().map(|goal| exclusion(net, goal, budget)).collect();
    let parts: Option<Vec<Exclusion>> = match inquiry.net {
        Some(source) => excluded(source.net, &[Goal::of(property)?]),
        None => {
            let asked = AskedNet::unless(inquiry.system, &[property], &|| budget.check(0).is_err()).ok()?;
            excluded(&asked.net, &asked.possible(0))
        }
    };
    parts.map(|parts| Certificate::Net(parts.into()))
}

/// A certificate that no reachable marking satisfies a goal: by the structure alone, or by an inductive invariant.
pub fn exclusion(net: &Net, goal: &Goal, budget: &Budget) -> Option<Exclusion> {
    by_structure(net, goal, &budget.share(PART)).or_else(|| match ic3::decide(net, goal, budget, &|| false)? {
        ic3::Decision::Never(certificate) => Some(*certificate),
        ic3::Decision::Reached(_) => None,
    })
}
