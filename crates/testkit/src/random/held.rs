//! The same small programs, in which processes go on alone here and there, meet, have something of their own, and resort
//! to steps that are possible only when nothing else is: what a search must get right that takes several steps as one.

use model::System;
use model::{Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Hold, Kind, LocationId, ObjectId, Pattern};

use super::chains::{Shared, step};
use crate::rng::Rng;

/// The program of a seed.
pub fn held(seed: u64) -> System {
    program(seed, true)
}

/// The same program as if nobody ever went on alone: its transitions have the same numbers.
pub fn unheld(seed: u64) -> System {
    program(seed, false)
}

/// What a process can use.
struct Things {
    shared: Shared,
    meeting: ObjectId,
    own: ObjectId,
}

fn program(seed: u64, holds: bool) -> System {
    let mut rng = Rng::new(seed ^ 0x6865_6c64);
    let mut b = Builder::new(format!("held {seed}"));
    let shared = Shared::new(&mut b);
    let meeting = Kind::Channel(ChannelType { capacity: 0, lossy: false, fields: vec![Domain::Bool] });
    let meeting = b.object("r", meeting);
    let mut things = Things { shared, meeting, own: meeting };
    for p in 0..2 + rng.below(2) {
        things.own = b.object(format!("own{p}"), Kind::Variable(Domain::Range { lo: 0, hi: 2 }));
        let process = b.process(format!("P{p}"));
        let length = 2 + rng.below(3);
        let places: Vec<LocationId> = (0..=length).map(|i| b.location(process, format!("s{i}"))).collect();
        for &place in &places {
            let hold = *rng.pick(&[Hold::No, Hold::No, Hold::No, Hold::No, Hold::Atomic, Hold::Atomic, Hold::Atomic]);
            let hold = if hold == Hold::Atomic && rng.chance(12) { Hold::Step } else { hold };
            b.hold(process, place, if holds { hold } else { Hold::No });
        }
        let loops = rng.below(3) == 0;
        for i in 0..length + usize::from(loops) {
            let (from, to) = (places[i % (length + 1)], places[(i + 1) % (length + 1)]);
            for _ in 0..1 + usize::from(rng.below(3) == 0) {
                let edge = things.edge(&mut rng, Edge::new(process, from, to));
                b.edge(if rng.chance(7) { edge.last_resort() } else { edge });
            }
        }
        if rng.below(3) == 0 {
            b.end(process, places[length]);
        }
    }
    b.build().expect("no two parts of a step wait for each other")
}

impl Things {
    fn edge(&self, rng: &mut Rng, edge: Edge) -> Edge {
        let flag = self.shared.flag(rng);
        let own = || Expr::read(self.own);
        match rng.below(10) {
            0 => edge.run(Command::Assign(self.own.into(), (rng.below(3) as i64).into())),
            1 => edge.run(Command::Assign(self.own.into(), own().op(Binary::Add, 1).op(Binary::Rem, 3))),
            2 => edge.when(own().op(Binary::Le, rng.below(2) as i64)),
            3 => edge.run(Command::Assign(flag.into(), own().op(Binary::Gt, 0))),
            4 => edge.run(Command::Send(self.meeting.into(), vec![Expr::read(flag)])),
            5 => edge.run(Command::Receive(self.meeting.into(), vec![Pattern::Ignore])),
            _ => step(rng, &self.shared, edge),
        }
    }
}

impl Shared {
    fn flag(&self, rng: &mut Rng) -> ObjectId {
        *rng.pick(&self.flags)
    }
}
