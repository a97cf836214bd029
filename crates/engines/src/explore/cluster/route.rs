//! After the search: everybody learns what everybody found, and the states on the way there, backwards from owner to owner.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{ConnectLoop, Feedback, Probe};
use timely::worker::Worker as Timely;

use super::Found;
use super::parcel::Summary;
use super::worker::States;
use crate::explore::findings::Findings;
use crate::store::hash;

/// A letter to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Letter {
    to: u32,
    content: Content,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Content {
    Found(Summary),
    /// Where was this state reached from? It is so many steps before the end of that route.
    Ask {
        route: u32,
        back: u32,
        number: u32,
    },
    /// The state so many steps before the end of that route.
    Tell {
        route: u32,
        back: u32,
        state: Vec<u64>,
    },
}

/// What a worker has heard.
struct Heard {
    states: States,
    summaries: Vec<Summary>,
    findings: Option<Findings>,
    routes: Vec<Vec<(u32, Vec<u64>)>>,
}

/// Exchanges what was found, and tells the routes.
pub(super) fn together(timely: &mut Timely, states: States) -> Found {
    let (own, peers) = (states.own, states.peers());
    let heard = Heard { states, summaries: Vec::new(), findings: None, routes: Vec::new() };
    let heard = Rc::new(RefCell::new(heard));
    let known = Rc::clone(&heard);
    let probe = timely.dataflow::<u64, _, _>(|scope| {
        let (handle, letters) = scope.feedback(1);
        let out = letters.unary_frontier::<timely::container::CapacityContainerBuilder<Vec<Letter>>, _, _, _>(
            Exchange::new(|letter: &Letter| u64::from(letter.to)),
            "routes",
            move |begin, _| {
                let mut begin = Some(begin);
                move |(input, _), output| {
                    let heard = &mut *known.borrow_mut();
                    if let Some(begin) = begin.take() {
                        let mut session = output.session(&begin);
                        let states = &heard.states;
                        let summary = Summary::new(&states.found, states.depth, states.left(), states.stopped.clone());
                        for to in 0..peers {
                            session.give(Letter { to, content: Content::Found(summary.clone()) });
                        }
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
    debug_assert_eq!(own, heard.states.own);
    heard.found()
}

impl Heard {
    /// What is to be answered to a letter.
    fn read(&mut self, content: Content) -> Vec<Letter> {
        match content {
            Content::Found(summary) => {
                self.summaries.push(summary);
                if self.summaries.len() < self.states.peers() as usize { Vec::new() } else { self.ask() }
            }
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
                let route = route as usize;
                self.routes.resize_with(self.routes.len().max(route + 1), Vec::new);
                self.routes[route].push((back, state));
                Vec::new()
            }
        }
    }

    /// Everybody knows the same now, and the owner of the last state of a route asks for the one before it.
    fn ask(&mut self) -> Vec<Letter> {
        let questions = self.states.task.goals.len();
        let mut all = self.summaries.iter().map(|summary| summary.findings(questions));
        let mut findings = all.next().expect("there is always one");
        all.for_each(|other| findings.join(other));
        let own = self.states.own;
        let mine = |(route, lead): (u32, &crate::explore::findings::Lead)| {
            let hash = hash(&lead.state);
            let number = self.states.store.find(&lead.state, hash).filter(|_| self.states.owner(hash) == own)?;
            Some(Letter { to: own, content: Content::Ask { route, back: 0, number } })
        };
        let letters = (0..).zip(findings.leads()).filter_map(mine).collect();
        self.findings = Some(findings);
        letters
    }

    fn found(mut self) -> Found {
        let Some(findings) = self.findings else { return self.states.nothing() };
        self.routes.resize_with(findings.leads().count(), Vec::new);
        let told = |mut route: Vec<(u32, Vec<u64>)>| {
            route.sort_by_key(|(back, _)| std::cmp::Reverse(*back));
            route.into_iter().map(|(_, state)| state).collect()
        };
        Found {
            findings,
            stopped: self.summaries.iter().find_map(|s| s.stopped.clone()).map(Into::into),
            depth: self.summaries.iter().map(|s| s.depth).max().unwrap_or(0),
            left: self.summaries.iter().map(|s| s.left).sum(),
            routes: self.routes.into_iter().map(told).collect(),
        }
    }
}
