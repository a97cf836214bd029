//! The answers of an examination: each is written as soon as it is certain.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use driver::{Asked, AskedValue, Listener, NetAnswer};

use crate::exit::{Exit, Failure};
use crate::output;

/// A question of an examination.
pub(super) enum Question {
    /// One to be answered, and the number of its first goal.
    Asked(Asked, usize),
    /// One about runs, and its number among these.
    Runs(String, usize),
    /// One that is not answered, and why.
    Refused(String, String),
    /// A figure of the state space.
    Figure(&'static str),
}

/// The questions, with those that are answered marked.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    questions: Vec<(Question, bool)>,
    /// A line could not be written.
    failure: Option<Failure>,
}

impl Answers {
    /// Takes the questions of the examination.
    pub(super) fn expect(&self, questions: Vec<Question>) {
        let mut state = self.state();
        state.questions = questions.into_iter().map(|q| (q, false)).collect();
        // Some follow from nothing: a net without places is safe.
        (0..state.questions.len()).for_each(|i| state.say(i, None));
    }

    /// Ends the program after this time, wherever it is then: the contest counts no answer that comes late, and reading
    /// a large net, or giving back its memory, can take seconds.
    pub(super) fn end_after(&self, time: Duration) {
        let answers = self.clone();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            let exit = match answers.give_up() {
                Ok(_) => Exit::Unknown,
                Err(failure) => failure.exit,
            };
            std::process::exit(exit as i32);
        });
    }

    /// Writes answers as they come. Where many goals are one question, the others are not needed after its answer.
    pub(super) fn listener(&self) -> Listener {
        let answers = self.clone();
        Box::new(move |goal, answer| {
            let mut state = answers.state();
            state.take(goal, answer);
            match state.questions.iter().all(|(_, done)| *done) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    }

    /// Writes the answer to a question about runs.
    pub(super) fn truth(&self, number: usize, value: bool, techniques: &[&str]) {
        let mut state = self.state();
        let asked = |q: &&mut (Question, bool)| matches!(&q.0, Question::Runs(_, n) if *n == number) && !q.1;
        let Some((Question::Runs(id, _), done)) = state.questions.iter_mut().find(asked) else { return };
        *done = true;
        let (value, techniques) = (AskedValue::Truth(value), techniques.join(" "));
        if let Err(failure) = output::emit(&format!("FORMULA {id} {value} TECHNIQUES {techniques}\n")) {
            state.failure.get_or_insert(failure);
        }
    }

    /// Writes all figures of the state space.
    pub(super) fn give(&self, figures: &[String]) -> Result<(), Failure> {
        let mut state = self.state();
        let mut lines = String::new();
        for ((question, done), figure) in state.questions.iter_mut().zip(figures) {
            *done = true;
            if let Question::Figure(what) = question {
                lines.push_str(&format!("STATE_SPACE {what} {figure} TECHNIQUES EXPLICIT\n"));
            }
        }
        output::emit(&lines)
    }

    /// Says what has no answer; whether there was such.
    pub(super) fn give_up(&self) -> Result<bool, Failure> {
        let mut state = self.state();
        let mut lines = String::new();
        for (question, done) in state.questions.iter_mut().filter(|(_, done)| !done) {
            *done = true;
            let id = match &*question {
                Question::Asked(asked, _) => format!("FORMULA {}", asked.id),
                Question::Runs(id, _) => format!("FORMULA {id}"),
                Question::Refused(id, why) => {
                    output::complain(&format!("{id}: {why}"));
                    format!("FORMULA {id}")
                }
                Question::Figure(what) => format!("STATE_SPACE {what}"),
            };
            lines.push_str(&format!("{id} CANNOT_COMPUTE TECHNIQUES NONE\n"));
        }
        state.failure.take().map_or(Ok(()), Err)?;
        output::emit(&lines)?;
        Ok(!lines.is_empty())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take(&mut self, goal: usize, answer: &NetAnswer) {
        // Questions stand in the order of their goals.
        let first = |(question, _): &(Question, bool)| match question {
            Question::Asked(_, first) => Some(*first),
            Question::Runs(..) | Question::Refused(..) | Question::Figure(_) => None,
        };
        let owner = self.questions.iter().rposition(|q| first(q).is_some_and(|first| first <= goal));
        if let Some(i) = owner {
            self.say(i, Some(answer));
        }
    }

    /// Writes the answer to a question if it follows now and has not been written.
    fn say(&mut self, i: usize, news: Option<&NetAnswer>) {
        let (Question::Asked(asked, _), false) = &mut self.questions[i] else { return };
        let value = match news {
            Some(answer) => asked.take(answer),
            None => asked.value(),
        };
        if let Some(value) = value {
            let techniques = techniques(asked);
            self.write(i, value, &techniques);
        }
    }

    fn write(&mut self, i: usize, value: AskedValue, techniques: &str) {
        let (Question::Asked(asked, _), done) = &mut self.questions[i] else { return };
        *done = true;
        if let Err(failure) = output::emit(&format!("FORMULA {} {value} TECHNIQUES {techniques}\n", asked.id)) {
            self.failure.get_or_insert(failure);
        }
    }
}

/// The techniques in the contest's words.
fn techniques(asked: &Asked) -> String {
    let word = |technique: &&'static str| match *technique {
        "walk" => "RANDOM_WALK",
        "search" => "EXPLICIT STUBBORN_SETS",
        other => other,
    };
    match asked.techniques() {
        [] => "TOPOLOGICAL".to_owned(),
        some => some.iter().map(word).collect::<Vec<_>>().join(" "),
    }
}
