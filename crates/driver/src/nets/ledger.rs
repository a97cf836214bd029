//! What is certain about each goal: runs only after they were lifted to the net that was asked about and replayed there.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use check::{CheckedRun, replay_net};
use engines::net::{Board, Finding, Proof, Settled};
use evidence::Reason;
use model::nets::Goal;
use model::views::{Net, NetTransitionId};
use reduce::{Reduced, Unliftable};

use super::{Listener, NetAnswer, NetAnswers, NetContradiction, NetVerdict, Unsettled};

/// The goals of an inquiry and their answers.
pub(super) struct Ledger {
    net: Arc<Net>,
    goals: Vec<Goal>,
    state: Mutex<State>,
}

struct State {
    answers: Vec<Option<NetAnswer>>,
    /// Of maxima: the greatest value reached, and the smallest bound proved.
    least: Vec<Option<(i64, CheckedRun, &'static str)>>,
    most: Vec<Option<(i64, Proof, &'static str)>>,
    /// The boards of the engines at work, with the goals of the inquiry that theirs stand for, in increasing order.
    boards: Vec<(Weak<Board>, Arc<[usize]>)>,
    contradiction: Option<NetContradiction>,
    /// By goal, why searching all markings for it cannot end.
    endless: Vec<Option<Reason>>,
    /// By goal, whether searching all markings for it ended for want of memory.
    hungry: Vec<bool>,
    /// By goal, how many parallel steps do not suffice to reach it.
    covered: Vec<Option<u64>>,
    /// Nobody wants more answers.
    enough: bool,
    listener: Listener,
}

impl Ledger {
    pub(super) fn new(net: Arc<Net>, goals: Vec<Goal>, listener: Listener) -> Self {
        let none = |_| None;
        let state = State {
            answers: goals.iter().map(|_| None).collect(),
            least: (0..goals.len()).map(none).collect(),
            most: (0..goals.len()).map(|_| None).collect(),
            boards: Vec::new(),
            contradiction: None,
            endless: goals.iter().map(|_| None).collect(),
            hungry: vec![false; goals.len()],
            covered: vec![None; goals.len()],
            enough: false,
            listener,
        };
        Self { net, goals, state: Mutex::new(state) }
    }

    pub(super) fn net(&self) -> &Net {
        &self.net
    }

    pub(super) fn goal(&self, goal: usize) -> &Goal {
        &self.goals[goal]
    }

    /// The goals that are still to be settled; none if nobody wants more answers.
    pub(super) fn open(&self) -> Vec<usize> {
        let state = self.state();
        if state.enough {
            return Vec::new();
        }
        (0..self.goals.len()).filter(|&goal| state.answers[goal].is_none()).collect()
    }

    /// Whether an answer about a goal is wanted and not there.
    pub(super) fn is_open(&self, goal: usize) -> bool {
        let state = self.state();
        !state.enough && state.answers[goal].is_none()
    }

    /// A board for some goals, on a reduced net.
    pub(super) fn board(self: &Arc<Self>, reduced: &Arc<Reduced>, goals: &Arc<[usize]>) -> Arc<Board> {
        let (ledger, reduced_too, goals_too) = (Arc::clone(self), Arc::clone(reduced), Arc::clone(goals));
        let sink = move |settled: Settled| ledger.take(&reduced_too, &goals_too, settled);
        let board = Arc::new(Board::with_sink(goals.len(), sink));
        let mut state = self.state();
        for (i, &goal) in goals.iter().enumerate() {
            if state.answers[goal].is_some() || state.enough {
                board.close(i);
            }
            let (least, most) = (&state.least[goal], &state.most[goal]);
            board.know(i, least.as_ref().map(|e| e.0), most.as_ref().map(|e| e.0));
        }
        state.boards.retain(|(board, _)| board.strong_count() > 0);
        state.boards.push((Arc::downgrade(&board), Arc::clone(goals)));
        board
    }

    fn take(&self, reduced: &Reduced, goals: &[usize], settled: Settled) {
        let Settled { goal: here, finding, technique } = settled;
        let goal = goals[here];
        // Lifting and replaying takes time: others may write meanwhile.
        let lift = |run: &[NetTransitionId]| reduced.lift(&self.net, here, run);
        let checked = match finding {
            Finding::Never(proof) => Ok(Certain::Never(proof)),
            Finding::AtMost(value, proof) => Ok(Certain::AtMost(value, proof)),
            Finding::Reached(run) => match lift(&run) {
                Ok(run) => self.replayed(goal, run).map(Certain::Reached),
                // A run that is too long to be shown is none.
                Err(Unliftable::TooLong) => return,
                Err(why) => Err(unlifted(why)),
            },
            Finding::AtLeast(value, run) => match lift(&run) {
                Ok(run) => self.at_least(goal, value, run),
                Err(Unliftable::TooLong) => return,
                Err(why) => Err(unlifted(why)),
            },
        };
        let mut state = self.state();
        match checked.and_then(|certain| state.note(goal, certain, technique)) {
            Ok(()) => {}
            Err(what) => {
                state.contradiction.get_or_insert(NetContradiction { goal, what: format!("{technique}: {what}") });
                state.stop();
            }
        }
    }

    fn replayed(&self, goal: usize, run: Vec<NetTransitionId>) -> Result<CheckedRun, String> {
        replay_net(&self.net, &self.goals[goal], run).map_err(|e| e.to_string())
    }

    fn at_least(&self, goal: usize, value: i64, run: Vec<NetTransitionId>) -> Result<Certain, String> {
        let checked = self.replayed(goal, run)?;
        let Goal::Maximum(expression) = &self.goals[goal] else { return Err("it has no value".to_owned()) };
        let found = expression.value(checked.last());
        if found < i128::from(value) {
            return Err(format!("a run is said to reach the value {value}, but reaches {found}"));
        }
        // The lifted run may end higher than the reduced one, never lower.
        let value = i64::try_from(found).map_err(|_| format!("the value {found} is out of range"))?;
        Ok(Certain::AtLeast(value, checked))
    }

    /// Notes that searching for a goal cannot end, and why.
    pub(super) fn note_endless(&self, goal: usize, why: Reason) {
        self.state().endless[goal] = Some(why);
    }

    /// Whether searching for a goal cannot end.
    pub(super) fn is_endless(&self, goal: usize) -> bool {
        self.state().endless[goal].is_some()
    }

    /// Notes that memory did not suffice to search for a goal.
    pub(super) fn note_hungry(&self, goal: usize) {
        self.state().hungry[goal] = true;
    }

    /// Notes that so many parallel steps do not suffice to reach a goal.
    pub(super) fn cover(&self, goal: usize, steps: u64) {
        let covered = &mut self.state().covered[goal];
        *covered = (*covered).max(Some(steps));
    }

    /// The goals that are still to be settled and that some search may settle.
    pub(super) fn open_to_search(&self) -> Vec<usize> {
        let open = self.open();
        let state = self.state();
        open.into_iter().filter(|&goal| state.endless[goal].is_none()).collect()
    }

    /// All answers, or why there are none, unless something does not fit.
    pub(super) fn finish(&self, otherwise: &Reason) -> Result<NetAnswers, NetContradiction> {
        let state = self.state();
        if let Some(contradiction) = &state.contradiction {
            return Err(contradiction.clone());
        }
        let why = |goal: usize| match otherwise {
            Reason::Unsupported(_) if state.hungry[goal] => Reason::Memory,
            otherwise => otherwise.clone(),
        };
        let unsettled = |goal: usize| Unsettled {
            why: state.endless[goal].clone().unwrap_or_else(|| why(goal)),
            covered: state.covered[goal],
        };
        let answers = state.answers.iter().cloned().enumerate();
        Ok(answers.map(|(goal, answer)| answer.ok_or_else(|| unsettled(goal))).collect())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger").field("open", &self.open()).finish_non_exhaustive()
    }
}

fn unlifted(why: Unliftable) -> String {
    format!("a run of the reduced net has no counterpart: {why:?}")
}

/// A finding whose run was replayed.
enum Certain {
    Reached(CheckedRun),
    Never(Proof),
    AtLeast(i64, CheckedRun),
    AtMost(i64, Proof),
}

impl State {
    /// Notes what is certain; an error if it contradicts what was certain before.
    fn note(&mut self, goal: usize, certain: Certain, technique: &'static str) -> Result<(), String> {
        match (&self.answers[goal], &certain) {
            (None, _) => {}
            (Some(NetAnswer { verdict: NetVerdict::Reached(_), .. }), Certain::Never(_))
            | (Some(NetAnswer { verdict: NetVerdict::Never(_), .. }), Certain::Reached(_)) => {
                return Err("two engines contradict each other: reached, and never reached".to_owned());
            }
            (Some(NetAnswer { verdict: NetVerdict::Maximum(value, ..), .. }), Certain::AtLeast(more, _))
                if more > value =>
            {
                return Err(format!("two engines contradict each other: at most {value}, but {more} is reached"));
            }
            (Some(NetAnswer { verdict: NetVerdict::Maximum(value, ..), .. }), Certain::AtMost(less, _))
                if less < value =>
            {
                return Err(format!("two engines contradict each other: {value} is reached, but at most {less}"));
            }
            (Some(_), _) => return Ok(()),
        }
        match certain {
            Certain::Reached(run) => self.settle(goal, NetVerdict::Reached(run), vec![technique]),
            Certain::Never(proof) => self.settle(goal, NetVerdict::Never(proof), vec![technique]),
            Certain::AtLeast(value, run) => {
                if self.least[goal].as_ref().is_none_or(|(old, ..)| *old < value) {
                    self.least[goal] = Some((value, run, technique));
                }
                self.meet(goal)?;
            }
            Certain::AtMost(value, proof) => {
                if self.most[goal].as_ref().is_none_or(|(old, ..)| *old > value) {
                    self.most[goal] = Some((value, proof, technique));
                }
                self.meet(goal)?;
            }
        }
        Ok(())
    }

    /// A maximum is certain when its bounds meet.
    fn meet(&mut self, goal: usize) -> Result<(), String> {
        let (Some((least, run, low)), Some((most, proof, high))) = (&self.least[goal], &self.most[goal]) else {
            return Ok(());
        };
        if least > most {
            return Err(format!("two engines contradict each other: at most {most}, but {least} is reached"));
        }
        if least == most {
            let techniques = if low == high { vec![*low] } else { vec![*low, *high] };
            self.settle(goal, NetVerdict::Maximum(*least, run.clone(), proof.clone()), techniques);
        }
        Ok(())
    }

    fn settle(&mut self, goal: usize, verdict: NetVerdict, techniques: Vec<&'static str>) {
        let answer = NetAnswer { verdict, techniques };
        let more = if self.enough { ControlFlow::Break(()) } else { (self.listener)(goal, &answer) };
        self.answers[goal] = Some(answer);
        for (board, goals) in &self.boards {
            if let (Some(board), Ok(i)) = (board.upgrade(), goals.binary_search(&goal)) {
                board.close(i);
            }
        }
        if more.is_break() {
            self.stop();
        }
    }

    fn stop(&mut self) {
        self.enough = true;
        for (board, goals) in &self.boards {
            board.upgrade().into_iter().for_each(|board| (0..goals.len()).for_each(|i| board.close(i)));
        }
    }
}
