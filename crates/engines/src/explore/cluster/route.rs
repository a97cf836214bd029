//! After the search: everybody learns what everybody found, and the states on the way there, backwards from owner to owner.

use std::cell::RefCell;
use std::rc::Rc;

use evidence::Reason;
use serde::{Deserialize, Serialize};
use timely::ExchangeData;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{ConnectLoop, Exchange as _, Feedback, Inspect, Probe, ToStream};
use timely::worker::Worker as Timely;

use super::Found;
use super::parcel::Summary;
use super::worker::States;
use crate::explore::findings::{Findings, Lead};
use crate::store::hash;

/// A letter to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Letter {
    to: u32,
    content: Content,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Content {
    /// Where was this state reached from? It is so many steps before the end of that route.
    Ask { route: u32, back: u32, number: u32 },
    /// The state so many steps before the end of that route.
    Tell { route: u32, back: u32, state: Vec<u64> },
}

/// Tells everybody something; what everybody says, in the order of the workers.
pub(super) fn tell_all<T: ExchangeData + Clone>(timely: &mut Timely, word: T) -> Vec<T> {
    let (own, peers) = (timely.index() as u64, timely.peers() as u64);
    let heard = Rc::new(RefCell::new(Vec::new()));
    let known = Rc::clone(&heard);
    let probe = timely.dataflow::<u64, _, _>(|scope| {
        let words = (0..peers).map(move |to| (to, own, word.clone()));
        let said = words.to_stream(scope).container::<Vec<_>>().exchange(|(to, _, _)| *to);
        let (probe, _) = said.inspect(move |(_, from, word)| known.borrow_mut().push((*from, word.clone()))).probe();
        probe
    });
    timely.step_or_park_while(Some(super::PARK), || !probe.done());
    let mut heard = Rc::try_unwrap(heard).map_err(drop).expect("the dataflow is gone").into_inner();
    heard.sort_by_key(|(from, _)| *from);
    heard.into_iter().map(|(_, word)| word).collect()
}

/// What a worker has heard.
struct Heard {
    states: States,
    routes: Vec<Vec<(u32, Vec<u64>)>>,
}

/// Exchanges what was found, and tells the routes.
pub(super) fn together(timely: &mut Timely, mut states: States) -> Found {
    let own = Summary::new(&states.found, states.depth, states.left(), states.stopped.clone());
    let summaries = tell_all(timely, own);
    let questions = states.task.goals.len();
    let all = summaries.iter().map(|summary| summary.findings(questions));
    let findings = all.reduce(|mut a, b| {
        a.join(b);
        a
    });
    let findings = findings.expect("everybody says something");
    let stopped: Option<Reason> = summaries.iter().find_map(|s| s.stopped.clone()).map(Into::into);
    let (keeper, keeps) = (states.keeper.take(), states.task.place.is_some());
    let routes = routes(timely, states, &findings);
    if keeps {
        // Nobody removes anything before all know all: until then who is lost takes the answer along.
        tell_all(timely, ());
    }
    Found {
        routes,
        findings,
        notes: keeper.map(|keeper| keeper.end(stopped.is_none())).unwrap_or_default(),
        stopped,
        depth: summaries.iter().map(|s| s.depth).max().unwrap_or(0),
        left: summaries.iter().map(|s| s.left).sum(),
    }
}

/// For each lead, the states on the way there.
fn routes(timely: &mut Timely, states: States, findings: &Findings) -> Vec<Vec<Vec<u64>>> {
    let heard = Rc::new(RefCell::new(Heard { states, routes: vec![Vec::new(); findings.leads().count()] }));
    let known = Rc::clone(&heard);
    let probe = timely.dataflow::<u64, _, _>(|scope| {
        let (handle, letters) = scope.feedback(1);
        let out = letters.unary_frontier::<timely::container::CapacityContainerBuilder<Vec<Letter>>, _, _, _>(
            Exchange::new(|letter: &Letter| u64::from(letter.to)),
            "routes",
            move |begin, _| {
                let mut first = Some((begin, known.borrow().ask(findings)));
                move |(input, _), output| {
                    let heard = &mut *known.borrow_mut();
                    if let Some((begin, asked)) = first.take() {
                        let mut session = output.session(&begin);
                        asked.into_iter().for_each(|letter| session.give(letter));
                    }
                    input.for_each(|time, letters| {
                        let answers: Vec<Letter> =
                            letters.drain(..).flat_map(|letter| heard.read(letter.content)).collect();
                        let time = time.retain(0);
                        let mut session = output.session(&time);
                        answers.into_iter().for_each(|letter| session.give(letter));
                    });
                }
            },
        );
        let (probe, out) = out.probe();
        out.connect_loop(handle);
        probe
    });
    timely.step_or_park_while(Some(super::PARK), || !probe.done());
    let heard = Rc::try_unwrap(heard).map_err(drop).expect("the dataflow is gone").into_inner();
    let told = |mut route: Vec<(u32, Vec<u64>)>| {
        route.sort_by_key(|(back, _)| std::cmp::Reverse(*back));
        route.into_iter().map(|(_, state)| state).collect()
    };
    heard.routes.into_iter().map(told).collect()
}

impl Heard {
    /// What is to be answered to a letter.
    fn read(&mut self, content: Content) -> Vec<Letter> {
        match content {
            Content::Ask { route, back, number } => {
                let state = self.states.store.get(number).to_vec();
                let (worker, parent) = self.states.parents[number as usize];
                let tell = |to| Letter { to, content: Content::Tell { route, back, state: state.clone() } };
                let mut letters: Vec<Letter> = (0..self.states.peers()).map(tell).collect();
                if (worker, parent) != (self.states.own, number) {
                    letters
                        .push(Letter { to: worker, content: Content::Ask { route, back: back + 1, number: parent } });
                }
                letters
            }
            Content::Tell { route, back, state } => {
                self.routes[route as usize].push((back, state));
                Vec::new()
            }
        }
    }

    /// The owner of the last state of a route asks for the one before it.
    fn ask(&self, findings: &Findings) -> Vec<Letter> {
        let own = self.states.own;
        let mine = |(route, lead): (u32, &Lead)| {
            let hash = hash(&lead.state);
            let number = self.states.store.find(&lead.state, hash).filter(|_| self.states.owner(hash) == own)?;
            Some(Letter { to: own, content: Content::Ask { route, back: 0, number } })
        };
        (0..).zip(findings.leads()).filter_map(mine).collect()
    }
}
