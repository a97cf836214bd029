//! Stubborn unfoldings: how they are chosen, and how they answer for a system that was made of a net.

use std::sync::Arc;

use engines::unfold::stubborn::{Choice as Sets, SearchOrder, StubbornUnfolding, Until};
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Progress};
use model::Property;
use model::views::Net;

use crate::on_net::{NetSource, countable};
use crate::unfold::{READS, find, name_of};

const ORDERS: &[(&str, SearchOrder)] = &[("breadth", SearchOrder::Breadth), ("depth", SearchOrder::Depth)];

const SETS: &[(&str, Sets)] = &[("cheap", Sets::Cheap), ("fewest", Sets::Fewest)];

const UNTIL: &[(&str, Until)] = &[("first", Until::FirstDeadlock), ("all", Until::AllDeadlocks), ("end", Until::End)];

/// Reads one option; what it may be, if it is wrong.
pub(crate) fn option(
    mut stubborn: StubbornUnfolding,
    key: &str,
    value: &str,
) -> Result<StubbornUnfolding, Option<&'static str>> {
    match key {
        "stubborn" => stubborn.order = find(ORDERS, value).ok_or("`breadth` or `depth`")?,
        "sets" => stubborn.choice = find(SETS, value).ok_or("`cheap` or `fewest`")?,
        "until" => stubborn.until = find(UNTIL, value).ok_or("`first`, `all` or `end`")?,
        "reads" => stubborn.reads = find(&READS[..2], value).ok_or("`loops` or `replicas`")?,
        _ => return Err(None),
    }
    Ok(stubborn)
}

/// The options as they are read.
pub(crate) fn spelled(stubborn: &StubbornUnfolding) -> String {
    let (order, sets) = (name_of(ORDERS, stubborn.order), name_of(SETS, stubborn.choice));
    let (until, reads) = (name_of(UNTIL, stubborn.until), name_of(READS, stubborn.reads));
    format!("stubborn={order},sets={sets},until={until},reads={reads}")
}

/// The stubborn unfolding of a net.
#[derive(Clone, Debug)]
pub(crate) struct StubbornNet {
    net: Arc<Net>,
    stubborn: StubbornUnfolding,
}

impl StubbornNet {
    pub(crate) fn new(source: NetSource<'_>, stubborn: StubbornUnfolding) -> Self {
        Self { net: Arc::clone(source.net), stubborn }
    }
}

impl Engine for StubbornNet {
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        match problem.property {
            Property::DeadlockFree => Ok(()),
            _ => Err("stubborn unfoldings find deadlocks, and nothing else".to_owned()),
        }
    }

    fn run(&self, _: &Problem<'_>, budget: &Budget, _: &dyn Progress) -> Outcome {
        self.stubborn.outcome(&self.net, budget, |run| countable(&self.net, run))
    }
}
