//! One walker: a marking on its way, the goals it watches, and what it remembers of earlier walks.

use std::collections::{BTreeMap, VecDeque};

use evidence::Reason;
use model::views::NetTransitionId;

use super::strategy::nearest;
use super::{LONGEST, Strategy, suits};
use crate::net::Task;
use crate::net::random::Random;
use crate::net::record::{Record, without_loops};
use crate::net::report::Reporter;
use crate::net::watch::Watch;
use crate::tokens::live::Live;
use crate::tokens::wiring::Wiring;

/// Why no more walks are taken.
#[derive(Debug)]
pub(super) enum Stop {
    /// All goals are settled, nothing can be fired at all, or the steps are used up.
    Done,
    /// A limit is reached.
    Budget(Reason),
}

/// Steps between two looks at the budget.
const BREATH: u32 = 256;

const TECHNIQUE: &str = "walk";

/// With more goals than this, loops stay in the runs: there are too many.
const MANY: usize = 256;

pub(super) struct Walker<'a, 't> {
    pub(super) task: &'t Task<'t>,
    pub(super) wiring: &'a Wiring<'a>,
    pub(super) live: Live,
    pub(super) random: Random,
    /// The initial marking, and the watch there.
    start: (Live, Watch),
    watch: Watch,
    record: Record,
    reporter: Reporter<'t>,
    /// The maxima that rose on this walk: by how much, and where.
    peaks: BTreeMap<usize, (i64, usize)>,
    fired: Vec<u32>,
    queue: Queue,
    steps: u64,
    breath: u32,
}

/// The enabled transitions, oldest first, and some that are disabled again.
#[derive(Default)]
struct Queue {
    order: VecDeque<NetTransitionId>,
    queued: Vec<bool>,
}

impl Queue {
    fn begin(&mut self, enabled: &mut [NetTransitionId], transitions: usize) {
        self.order.clear();
        self.queued.clear();
        self.queued.resize(transitions, false);
        enabled.iter().for_each(|&t| self.push(t));
    }

    fn push(&mut self, t: NetTransitionId) {
        if !std::mem::replace(&mut self.queued[t.index()], true) {
            self.order.push_back(t);
        }
    }

    fn pop(&mut self, live: &Live) -> NetTransitionId {
        loop {
            let t = self.order.pop_front().expect("every enabled transition waits");
            self.queued[t.index()] = false;
            if live.is_enabled(t) {
                return t;
            }
        }
    }
}

impl<'a, 't> Walker<'a, 't> {
    pub(super) fn new(task: &'t Task<'t>, wiring: &'a Wiring<'a>, seed: u64, steps: u64) -> Self {
        let live = Live::new(wiring);
        let watch = Watch::new(task.goals, &task.board.open(), live.tokens());
        Self {
            task,
            wiring,
            start: (live.clone(), watch.clone()),
            live,
            watch,
            random: Random::new(seed),
            record: Record::default(),
            reporter: Reporter::new(task, TECHNIQUE, &[]),
            peaks: BTreeMap::new(),
            fired: vec![0; task.net.transitions().len()],
            queue: Queue::default(),
            steps,
            breath: 0,
        }
    }

    /// Reports what is true at once.
    pub(super) fn begin(&mut self) -> Result<(), Stop> {
        self.check()?;
        self.rewatch();
        if self.live.enabled().is_empty() { Err(Stop::Done) } else { Ok(()) }
    }

    /// Watches what is still open.
    fn rewatch(&mut self) {
        let open = self.task.board.open();
        self.live.copy_from(&self.start.0);
        self.record.clear();
        self.reporter = Reporter::new(self.task, TECHNIQUE, &open);
        self.watch = Watch::new(self.task.goals, &open, self.live.tokens());
        self.report();
        self.tell_peaks();
        self.start.1 = self.watch.clone();
    }

    /// Short at first, so that what is near gets short runs, but long enough to be worth the way back.
    pub(super) fn first_length(&self) -> u64 {
        let size = self.task.net.places().len() + self.task.net.transitions().len();
        (size as u64).clamp(200, 2000)
    }

    /// Runs are handed out one for each goal: with many goals they must be short.
    pub(super) fn longest(&self) -> u64 {
        (1 << 30) / (self.watch.len() as u64 + self.reporter.dead() as u64).max(1 << 8)
    }

    /// A random open goal that a way to walk can aim at.
    pub(super) fn aim(&mut self, strategy: Strategy) -> Option<usize> {
        let (board, goals) = (self.task.board, self.task.goals);
        let fits: Vec<usize> = board.open().into_iter().filter(|&g| suits(strategy, &goals[g])).collect();
        (!fits.is_empty()).then(|| self.random.pick(&fits))
    }

    /// One walk, until nothing is enabled or it is long enough.
    pub(super) fn walk(&mut self, strategy: Strategy, goal: usize, length: u64) -> Result<(), Stop> {
        self.restart(strategy);
        let length = length.min(LONGEST);
        while self.record.length() < length && !self.live.enabled().is_empty() {
            let (t, times) = self.choose(strategy, goal, length);
            if !self.step(t, times)? {
                return Ok(());
            }
            if matches!(strategy, Strategy::Oldest | Strategy::OldestShuffled) {
                self.enqueue(t);
            }
        }
        Ok(())
    }

    /// Back to the initial marking.
    pub(super) fn restart(&mut self, strategy: Strategy) {
        self.tell_peaks();
        let open = (0..self.task.goals.len()).filter(|&g| self.task.board.is_open(g)).count();
        if open * 8 < (self.watch.len() + self.reporter.dead()) * 7 {
            self.rewatch();
        }
        self.live.copy_from(&self.start.0);
        self.watch.copy_from(&self.start.1);
        self.record.clear();
        let mut enabled = match strategy {
            Strategy::Oldest | Strategy::OldestShuffled => self.live.enabled().to_vec(),
            _ => return,
        };
        match strategy {
            Strategy::Oldest => enabled.sort_unstable(),
            _ => self.random.shuffle(&mut enabled),
        }
        self.queue.begin(&mut enabled, self.fired.len());
    }

    fn enqueue(&mut self, fired: NetTransitionId) {
        for i in 0..self.live.fresh.len() {
            let t = self.live.fresh[i];
            if self.live.is_enabled(t) {
                self.queue.push(t);
            }
        }
        if self.live.is_enabled(fired) {
            self.queue.push(fired);
        }
    }

    /// The next transition, and how often it is fired.
    fn choose(&mut self, strategy: Strategy, goal: usize, length: u64) -> (NetTransitionId, u32) {
        let (live, random) = (&mut self.live, &mut self.random);
        let t = match strategy {
            Strategy::Uniform => random.pick(live.enabled()),
            Strategy::Rare => {
                let rarer = |a: NetTransitionId, b: NetTransitionId| {
                    if self.fired[b.index()] < self.fired[a.index()] { b } else { a }
                };
                let some = [0; 3].map(|_| random.pick(live.enabled()));
                rarer(rarer(some[0], some[1]), some[2])
            }
            Strategy::Follow => follow(live, random),
            Strategy::Oldest | Strategy::OldestShuffled => {
                if random.once_in(4096) {
                    random.pick(live.enabled())
                } else {
                    self.queue.pop(live)
                }
            }
            Strategy::Saturate => {
                let t = random.pick(live.enabled());
                let most = self.wiring.times(t, live.tokens()).unwrap_or(1 + random.below(4) as u64);
                let times = if random.once_in(4) { 1 + random.below(most as usize) as u64 } else { most };
                return (t, times.min(length) as u32);
            }
            Strategy::Fewest | Strategy::Greedy => nearest(&self.task.goals[goal], live, self.wiring, random),
        };
        (t, 1)
    }

    /// Fires an enabled transition and reports what it leads to; false if the tokens cannot be counted any more.
    #[inline]
    pub(super) fn step(&mut self, t: NetTransitionId, times: u32) -> Result<bool, Stop> {
        self.live.fresh.clear();
        if self.live.fire(self.wiring, t, times.into()).is_err() {
            return Ok(false);
        }
        for &(p, change) in self.wiring.effect(t) {
            // Cannot overflow: the tokens did not.
            if self.watch.change(p, change * i64::from(times)).is_err() {
                return Ok(false);
            }
        }
        self.record.push(t, times);
        self.fired[t.index()] = self.fired[t.index()].saturating_add(times);
        self.report();
        self.breath += 1;
        if self.breath >= BREATH {
            self.check()?;
        }
        Ok(true)
    }

    /// Tells the board what is true in the current marking; maxima are told when the walk ends.
    #[inline]
    fn report(&mut self) {
        let (record, wiring, many) = (&self.record, self.wiring, self.watch.len() > MANY);
        let risen = self.reporter.report_but_maxima(&self.live, &mut self.watch, || {
            let run = record.run();
            if many { run } else { without_loops(wiring, run) }
        });
        for (goal, value) in risen.drain(..) {
            self.peaks.insert(goal, (value, record.here()));
        }
    }

    /// Tells how high maxima rose on this walk.
    pub(super) fn tell_peaks(&mut self) {
        while let Some((goal, (value, here))) = self.peaks.pop_first() {
            if self.reporter.task.board.is_open(goal) {
                self.reporter.rose(goal, value, without_loops(self.wiring, self.record.run_to(here)));
            }
        }
    }

    /// Whether to go on.
    pub(super) fn check(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.saturating_sub(self.breath.into());
        self.breath = 0;
        let end = if self.task.board.is_done() || self.steps == 0 {
            Some(Stop::Done)
        } else {
            self.task.budget.check(self.bytes()).err().map(Stop::Budget)
        };
        end.map_or(Ok(()), |stop| {
            self.tell_peaks();
            Err(stop)
        })
    }

    fn bytes(&self) -> u64 {
        let markings = 2 * (self.live.bytes() + self.watch.bytes());
        self.wiring.bytes() + markings + self.record.bytes() + 9 * self.fired.len() as u64
    }
}

/// One of those that the last step enabled, or any.
fn follow(live: &Live, random: &mut Random) -> NetTransitionId {
    if !live.fresh.is_empty() && !random.once_in(16) {
        let t = random.pick(&live.fresh);
        if live.is_enabled(t) {
            return t;
        }
    }
    random.pick(live.enabled())
}
