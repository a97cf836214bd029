//! Round after round, until every suspect is decided.

use evidence::Reason;
use solve::bdd::Bdd;

use super::onion::{Ground, Onion};
use super::runs::Steps;
use super::{Decided, Figures, Rings};
use crate::diagrams::{Space, Stop};

/// The state of the search.
#[derive(Debug)]
pub(super) struct Search<'s, 'a> {
    ground: Ground<'s, 'a>,
    steps: Steps<'s, 'a>,
    /// The suspects that are not decided.
    open: Bdd,
    decided: Decided,
    /// How many runs are wished.
    runs: usize,
}

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(space: &'s Space<'a>, inv: &Bdd, suspects: &Bdd, rings: &'s Rings) -> Result<Self, Stop> {
        let ground = Ground::new(space, inv.clone(), rings)?;
        assert!(ground.initial.within(inv)?, "the invariant holds the initial states");
        let (reached, figures) = (space.manager().none(), Figures::default());
        let decided =
            Decided { reached, runs: Vec::new(), refuted: false, stopped: None, invariant: inv.clone(), figures };
        Ok(Self { ground, steps: Steps::new(space), open: suspects.clone(), decided, runs: 0 })
    }

    /// Decides the suspects, and shows the way to so many.
    pub(super) fn decide(mut self, runs: usize) -> Result<Decided, Stop> {
        self.runs = runs;
        if let Err(stop) = self.rounds() {
            // What was found stays found.
            if self.decided.runs.is_empty() {
                return Err(stop);
            }
            self.decided.stopped = Some(stop);
        }
        self.decided.refuted = self.open.is_none();
        self.decided.invariant = self.ground.inv;
        Ok(self.decided)
    }

    fn rounds(&mut self) -> Result<(), Stop> {
        let mut patience = 1;
        while !self.ended() {
            self.decided.figures.rounds += 1;
            if self.round(&self.open.clone(), self.ground.rings.one_by_one)? {
                continue;
            }
            for _ in 0..patience {
                if !self.ended() {
                    self.single()?;
                }
            }
            patience *= 2;
        }
        Ok(())
    }

    fn ended(&self) -> bool {
        self.open.is_none() || (!self.ground.rings.all && !self.decided.reached.is_none())
    }

    /// Takes one suspect by itself.
    fn single(&mut self) -> Result<(), Stop> {
        let space = self.ground.space;
        let suspect = space.pick(&self.open).expect("there are open suspects");
        let suspect = space.state(&suspect)?;
        let reached = self.decided.reached.clone();
        self.decided.figures.singles += 1;
        self.round(&suspect, None)?;
        self.decided.figures.strengthened += usize::from(self.decided.reached == reached);
        Ok(())
    }

    /// Decides the nearest of some suspects, or all if none is reachable. False if a ring got too large.
    fn round(&mut self, suspects: &Bdd, most: Option<usize>) -> Result<bool, Stop> {
        let onion = match self.ground.onion(suspects, most, &mut self.decided.figures) {
            Err(Stop(Reason::Memory)) if most.is_some() => Onion::Large,
            onion => onion?,
        };
        match onion {
            Onion::Large => return Ok(false),
            Onion::Closed(seen) => {
                self.ground.inv = self.ground.inv.minus(&seen)?;
                self.open = self.open.minus(&seen)?;
            }
            Onion::Met(onion) if self.ground.rings.all => self.found(&onion)?,
            Onion::Met(onion) => self.first(&onion)?,
        }
        Ok(true)
    }

    /// Some suspects are reachable.
    fn found(&mut self, onion: &[Bdd]) -> Result<(), Stop> {
        let space = self.ground.space;
        let (found, nested) = self.ground.forward(onion)?;
        assert!(!found.is_none(), "a way inside the invariant leads to a suspect, as no step leaves it");
        self.decided.reached = self.decided.reached.or(&found)?;
        let mut shown = found.clone();
        while self.decided.runs.len() < self.runs
            && let Some(suspect) = space.pick(&shown)
        {
            space.check()?;
            self.decided.runs.push(self.steps.outwards(&nested, &suspect)?);
            shown = shown.minus(&space.state(&suspect)?)?;
        }
        self.open = self.open.minus(&found)?;
        Ok(())
    }

    /// One suspect is reachable.
    fn first(&mut self, onion: &[Bdd]) -> Result<(), Stop> {
        let space = self.ground.space;
        let met = onion.last().expect("suspects are the first ring").and(&self.ground.initial)?;
        let start = space.pick(&met).expect("the last ring holds initial states");
        let run = self.steps.inwards(onion, &start)?;
        let suspect = space.state(run.last().map_or(&start, |(_, state)| state))?;
        self.open = self.open.minus(&suspect)?;
        self.decided.reached = suspect;
        if self.runs > 0 {
            self.decided.runs.push((start, run));
        }
        Ok(())
    }
}
