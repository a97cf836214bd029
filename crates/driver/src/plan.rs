//! Which questions are answered together, and by which search.
//!
//! A search that visits everything answers every question about what it visits, so questions share one where they can.
//! If nobody chose an engine, deadlocks are apart, with model errors if these are asked for: the reduced search for them may end where the one for the others does
//! not. Claims about runs have an engine of their own, and partial deadlocks a search. Of a net, what can be asked of the net itself is; listing every deadlock needs the states. Safety observers are
//! apart, because an observer is part of the state: if every deadlock is listed, that is no reason for their searches to
//! visit everything.

use engines::explore::{Explore, WithFiles};
use engines::invariant::Invariants;
use engines::liveness::Liveness;
use engines::unfold::Unfolding;
use engines::unfold::stubborn::{StubbornUnfolding, Until};
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Progress};
use model::Property;

use crate::answer::Inquiry;
use crate::auto::{Auto, EveryDeadlock, every_step};
use crate::choice::Choice;
use crate::errors::{DeadlocksAndErrors, asks_for_errors};
use crate::nets::NetEngines;
use crate::on_net::{EveryDeadlockOfNet, NetOrStates, OnNet};
use crate::on_network::{Method, OnNetwork};
use crate::on_view::OnView;
use crate::portfolio::Portfolio;
use crate::stubborn::StubbornNet;
use crate::unfold::UnfoldNet;

/// All searches. If dead code is asked for, the last one tells it.
pub(crate) struct Plan {
    pub(crate) searches: Vec<Search>,
    /// The questions that the engine declines, and why.
    pub(crate) declined: Vec<(usize, String)>,
}

/// Some questions, and the engine that is asked all of them at once.
pub(crate) struct Search {
    engine: Box<dyn Engine>,
    /// The engine with its options.
    pub(crate) name: String,
    /// The positions of the questions; none if the search is for dead code alone.
    pub(crate) questions: Vec<usize>,
}

impl Plan {
    pub(crate) fn new(inquiry: &Inquiry<'_>, choice: &Choice) -> Self {
        match choice {
            Choice::Auto => Self::auto(inquiry),
            Choice::Explore(explore) => Self::explore(inquiry, *explore),
            Choice::Unfold(unfolding) => Self::unfold(inquiry, *unfolding),
            Choice::Stubborn(stubborn) => Self::stubborn(inquiry, *stubborn),
            Choice::Net(engines) => Self::net(inquiry, *engines),
            Choice::Local(local) => {
                let engine = OnNetwork::new(inquiry.network, Method::Local(*local));
                Self::one(inquiry, Box::new(engine), choice.to_string())
            }
            Choice::Invariants(chosen) => Self::invariants(inquiry, *chosen),
            Choice::Liveness(liveness) => {
                let (questions, declined) = sorted(inquiry, liveness);
                let engine = Box::new(Liveness { threads: inquiry.threads, ..*liveness });
                let search = Search { engine, name: choice.to_string(), questions };
                let searches = (!search.questions.is_empty()).then_some(search);
                Self { searches: searches.into_iter().collect(), declined }
            }
            Choice::Symbolic(symbolic) => {
                let engine = OnNetwork::new(inquiry.network, Method::Symbolic(*symbolic));
                Self::one(inquiry, Box::new(engine), choice.to_string())
            }
        }
    }

    fn net(inquiry: &Inquiry<'_>, engines: NetEngines) -> Self {
        let engine: Box<dyn Engine> = match inquiry.net {
            Some(source) => Box::new(OnNet::new(source, engines)),
            None => Box::new(OnView { engines, threads: inquiry.threads, exchange: None }),
        };
        Self::one(inquiry, engine, Choice::Net(engines).to_string())
    }

    fn unfold(inquiry: &Inquiry<'_>, unfolding: Unfolding) -> Self {
        let engine: Box<dyn Engine> = match inquiry.net {
            Some(source) => Box::new(UnfoldNet::new(source, unfolding)),
            None => Box::new(unfolding),
        };
        Self::one(inquiry, engine, Choice::Unfold(unfolding).to_string())
    }

    /// Finds all deadlocks if they are to be listed.
    fn stubborn(inquiry: &Inquiry<'_>, mut stubborn: StubbornUnfolding) -> Self {
        if inquiry.list.deadlocks && stubborn.until == Until::FirstDeadlock {
            stubborn.until = Until::AllDeadlocks;
        }
        let engine: Box<dyn Engine> = match inquiry.net {
            Some(source) => Box::new(StubbornNet::new(source, stubborn)),
            None => Box::new(stubborn),
        };
        let (questions, declined) = sorted(inquiry, &*engine);
        let search = Search { engine, name: Choice::Stubborn(stubborn).to_string(), questions };
        let searches = (!search.questions.is_empty()).then_some(search);
        Self { searches: searches.into_iter().collect(), declined }
    }

    /// Decides every suspect if deadlocks are to be listed.
    fn invariants(inquiry: &Inquiry<'_>, chosen: Invariants) -> Self {
        let chosen = Invariants { all: inquiry.list.deadlocks, ..chosen };
        let engine: Box<dyn Engine> = Box::new(OnNetwork::new(inquiry.network, Method::Invariants(chosen)));
        let (questions, declined) = sorted(inquiry, &*engine);
        let search = Search { engine, name: Choice::Invariants(chosen).to_string(), questions };
        let searches = (!search.questions.is_empty()).then_some(search);
        Self { searches: searches.into_iter().collect(), declined }
    }

    /// One search for all, by an engine that lists nothing.
    fn one(inquiry: &Inquiry<'_>, engine: Box<dyn Engine>, name: String) -> Self {
        let (accepted, mut declined) = sorted(inquiry, &*engine);
        let listed = |p: &Property| inquiry.list.deadlocks && matches!(p, Property::DeadlockFree);
        let (lists, accepted) = parted(inquiry, accepted, listed);
        let why =
            "it finds one deadlock, not all of them; `unfold:stubborn=breadth`, `invariant` and `explore` find all";
        declined.extend(lists.into_iter().map(|i| (i, why.to_owned())));
        let searches = (!accepted.is_empty()).then_some(Search { engine, name, questions: accepted });
        Self { searches: searches.into_iter().collect(), declined }
    }

    fn auto(inquiry: &Inquiry<'_>) -> Self {
        let (accepted, declined) = sorted(inquiry, &Auto);
        let on_net = inquiry.net.map(|source| OnNet::new(source, NetEngines::default()));
        let asked_of_net = |p: &Property| {
            let listed = inquiry.list.deadlocks && matches!(p, Property::DeadlockFree);
            !listed && on_net.is_some() && OnNet::answers(p)
        };
        let (of_net, accepted) = parted(inquiry, accepted, asked_of_net);
        let (deadlocks, others) = parted(inquiry, accepted, |p| matches!(p, Property::DeadlockFree));
        let (of_runs, others) = parted(inquiry, others, |p| matches!(p, Property::Temporal(_)));
        let (partial, others) = parted(inquiry, others, |p| matches!(p, Property::PartialDeadlockFree));
        let together = !deadlocks.is_empty() && inquiry.net.is_none() && inquiry.network.is_none();
        let (errors, others) = parted(inquiry, others, |p| together && asks_for_errors(p));
        let mut searches = Vec::new();
        if let Some(engine) = on_net.filter(|_| !of_net.is_empty()) {
            searches.push(Search::named(Box::new(NetOrStates(engine)), of_net));
        }
        if !errors.is_empty() {
            let all = inquiry.list.deadlocks;
            let (engine, both) = (Box::new(DeadlocksAndErrors { all }), [deadlocks, errors].concat());
            searches.push(if all { Search::named(engine, both) } else { Search::raced(inquiry, engine, both) });
        } else if !deadlocks.is_empty() {
            searches.push(match (inquiry.list.deadlocks, inquiry.net) {
                (true, Some(source)) => Search::named(Box::new(EveryDeadlockOfNet::new(source)), deadlocks),
                (true, None) => Search::named(Box::new(EveryDeadlock), deadlocks),
                (false, _) => Search::auto(inquiry, deadlocks),
            });
        }
        if !others.is_empty() {
            searches.push(Search::auto(inquiry, others));
        }
        if !partial.is_empty() {
            searches.push(Search::named(Box::new(Auto), partial));
        }
        if !of_runs.is_empty() {
            searches.push(Search::raced(inquiry, Box::new(Liveness::default()), of_runs));
        }
        if inquiry.list.dead_code {
            searches.push(Search::explore(every_step(inquiry.system), Vec::new()));
        }
        Self { searches, declined }
    }

    fn explore(inquiry: &Inquiry<'_>, explore: Explore) -> Self {
        let explore = Explore { threads: inquiry.threads, ..whole(inquiry, explore) };
        let (accepted, declined) = match inquiry.files {
            Some(files) => sorted(inquiry, &WithFiles { explore, files: files.clone() }),
            None => sorted(inquiry, &explore),
        };
        let (observed, others) = parted(inquiry, accepted, |p| matches!(p, Property::Safety(_)));
        let stuck = others.iter().any(|&i| matches!(inquiry.properties[i].property, Property::DeadlockFree));
        let listing = Explore { all: explore.all || (inquiry.list.deadlocks && stuck), ..explore };
        let search = |explore, questions| match inquiry.files {
            Some(files) => Search::with_files(WithFiles { explore, files: files.clone() }, questions),
            None => Search::explore(explore, questions),
        };
        let mut searches = vec![search(explore, observed), search(listing, others)];
        searches.retain(|search| !search.questions.is_empty());
        if searches.is_empty() && inquiry.list.dead_code {
            searches.push(search(explore, Vec::new()));
        }
        Self { searches, declined }
    }

    /// How many equal shares of the time there are.
    pub(crate) fn parts(&self) -> usize {
        self.searches.iter().map(Search::parts).sum()
    }
}

impl Search {
    fn auto(inquiry: &Inquiry<'_>, questions: Vec<usize>) -> Self {
        Self::raced(inquiry, Box::new(Auto), questions)
    }

    /// A way to search, and beside it the engines that may know better.
    fn raced(inquiry: &Inquiry<'_>, search: Box<dyn Engine>, questions: Vec<usize>) -> Self {
        Self::named(Box::new(Portfolio::new(search, inquiry.network, inquiry.threads)), questions)
    }

    fn named(engine: Box<dyn Engine>, questions: Vec<usize>) -> Self {
        Self { name: engine.name().to_owned(), engine, questions }
    }

    fn explore(explore: Explore, questions: Vec<usize>) -> Self {
        Self { engine: Box::new(explore), name: Choice::Explore(explore).to_string(), questions }
    }

    fn with_files(search: WithFiles, questions: Vec<usize>) -> Self {
        let name = Choice::Explore(search.explore).to_string();
        Self { engine: Box::new(search), name, questions }
    }

    /// How many shares of the time this search gets: one for each of its questions.
    pub(crate) fn parts(&self) -> usize {
        self.questions.len().max(1)
    }

    /// The outcomes of the questions, in their order. A search for dead code alone has an outcome as well.
    pub(crate) fn run(&self, inquiry: &Inquiry<'_>, budget: &Budget, progress: &dyn Progress) -> Vec<Outcome> {
        if let Err(spent) = budget.check(0) {
            return vec![Outcome::unknown(spent); self.parts()];
        }
        let mut asked: Vec<&Property> = self.questions.iter().map(|&i| &inquiry.properties[i].property).collect();
        if asked.is_empty() {
            asked.push(&Property::DeadlockFree);
        }
        progress.engine(&self.name, true);
        let outcomes = self.engine.run_all(inquiry.system, &asked, budget, progress);
        progress.engine(&self.name, false);
        outcomes
    }
}

/// The same search, of everything if dead code is asked for.
fn whole(inquiry: &Inquiry<'_>, explore: Explore) -> Explore {
    Explore { finish: if inquiry.list.dead_code { u64::MAX } else { explore.finish }, ..explore }
}

/// The questions that an engine accepts, and those that it declines.
fn sorted(inquiry: &Inquiry<'_>, engine: &dyn Engine) -> (Vec<usize>, Vec<(usize, String)>) {
    let (mut accepted, mut declined) = (Vec::new(), Vec::new());
    for (i, property) in inquiry.properties.iter().enumerate() {
        match engine.supports(&Problem { system: inquiry.system, property: &property.property }) {
            Ok(()) => accepted.push(i),
            Err(why) => declined.push((i, why)),
        }
    }
    (accepted, declined)
}

/// The questions for which the test is true, and the others.
fn parted(inquiry: &Inquiry<'_>, questions: Vec<usize>, test: impl Fn(&Property) -> bool) -> (Vec<usize>, Vec<usize>) {
    questions.into_iter().partition(|&i| test(&inquiry.properties[i].property))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Listing;
    use explain::SourceText;
    use model::{Builder, Expr, Ltl, NamedProperty, Observer, Temporal};

    /// The searches for a deadlock, an observer, an invariant and a formula, which is number 3.
    fn planned(choice: &str, deadlocks: bool, dead_code: bool) -> Vec<(String, Vec<usize>)> {
        let mut b = Builder::new("p");
        let p = b.process("P");
        b.location(p, "l");
        let system = b.build().expect("a model");
        let observer = Observer { locations: Vec::new(), initial: model::LocationId(0), edges: Vec::new() };
        let properties = [
            Property::DeadlockFree,
            Property::Safety(observer),
            Property::Invariant(Expr::Const(0)),
            Property::Temporal(Temporal::formula(Ltl::state(Expr::TRUE))),
        ]
        .map(|property| NamedProperty { name: String::new(), property, expect: None, span: None });
        let (source, list) = (SourceText::new("p", ""), Listing { deadlocks, dead_code, ..Listing::default() });
        let inquiry = Inquiry { list, ..Inquiry::new(&system, &properties, &source) };
        let plan = Plan::new(&inquiry, &choice.parse().expect("a choice"));
        let declined: Vec<usize> = plan.declined.iter().map(|(i, _)| *i).collect();
        let mut questions: Vec<usize> = plan.searches.iter().flat_map(|s| &s.questions).copied().collect();
        let alone = plan.searches.iter().filter(|s| s.questions.is_empty()).count();
        assert_eq!(plan.parts(), questions.len() + alone);
        questions.extend(declined);
        questions.sort_unstable();
        assert_eq!(questions, [0, 1, 2, 3]);
        plan.searches.into_iter().map(|s| (s.name, s.questions)).collect()
    }

    fn owned<const N: usize>(searches: [(&str, &[usize]); N]) -> Vec<(String, Vec<usize>)> {
        searches.map(|(name, questions)| (name.to_owned(), questions.to_vec())).into()
    }

    #[test]
    fn questions_share_a_search_where_they_can() {
        let depth = "explore:order=depth,finish=5";
        assert_eq!(planned(depth, false, false), owned([(depth, &[1]), (depth, &[0, 2])]));
        let whole = "explore:order=depth,finish=unlimited";
        assert_eq!(planned(depth, false, true), owned([(whole, &[1]), (whole, &[0, 2])]));
        let all = "explore:order=depth,finish=5,all";
        assert_eq!(planned(depth, true, false), owned([(depth, &[1]), (all, &[0, 2])]));
    }

    #[test]
    fn deadlocks_are_apart_if_nobody_chose() {
        assert_eq!(planned("auto", false, false), owned([("auto", &[0]), ("auto", &[1, 2]), ("auto", &[3])]));
        let whole = "explore:order=depth,finish=unlimited,persistent=stubborn,proviso=component";
        let searches = owned([("explore", &[0]), ("auto", &[1, 2]), ("auto", &[3]), (whole, &[])]);
        assert_eq!(planned("auto", true, true), searches);
    }

    #[test]
    fn claims_about_runs_have_an_engine() {
        let chosen = "ltl:reduce=none,proviso=valmari";
        assert_eq!(planned(chosen, false, false), owned([(chosen, &[3])]));
    }
}
