//! What machines have that automata have not: operators on bits, numbers that wrap around, and channels from which
//! messages are taken out of order.

use model::{Binary, ChannelType, Command, Expr, Kind, Pattern, Retrieve, Target, Unary, Wrap};

use super::exprs::Words;
use super::objects::Group;
use super::steps::pattern;
use crate::Rng;

impl Words<'_> {
    /// Whether the next part is one of a machine; no random number is drawn where there are none.
    pub(super) fn is_machine(&self, rng: &mut Rng) -> bool {
        self.machine > 0 && rng.chance(self.machine)
    }

    /// An operator on the bits of two numbers.
    pub(super) fn bits(&self, rng: &mut Rng, a: Expr, b: Expr) -> Expr {
        match rng.below(8) {
            0 => a.op(Binary::BitAnd, b),
            1 => a.op(Binary::BitOr, b),
            2 => a.op(Binary::BitXor, b),
            3 => Expr::Unary(Unary::BitNot, Box::new(a)),
            4 | 5 => {
                let amount = if self.wild(rng) { b } else { Expr::Const(*rng.pick(&[0, 1, 2, 5, 63])) };
                a.op(*rng.pick(&[Binary::ShiftLeft, Binary::ShiftRight]), amount)
            }
            _ => {
                let wrap = Wrap { bits: *rng.pick(&[1, 2, 3, 8, 32, 63]), signed: rng.chance(50) };
                Expr::Unary(Unary::Wrap(wrap), Box::new(a.op(*rng.pick(&[Binary::Add, Binary::Sub]), b)))
            }
        }
    }

    /// Whether a channel has a message that matches.
    pub(super) fn offer(&self, rng: &mut Rng, channel: &Group) -> Expr {
        let Kind::Channel(c) = &channel.kind else { return Expr::TRUE };
        Expr::Offers(self.target(rng, channel), self.patterns(rng, c), rng.chance(60))
    }

    /// A sorted send, or a receive that looks further or leaves the message where it is.
    pub(super) fn out_of_order(&self, rng: &mut Rng, channel: Target, kind: &ChannelType) -> Command {
        if !kind.lossy && rng.chance(50) {
            return Command::Insert(channel, kind.fields.iter().map(|d| self.value(rng, d)).collect());
        }
        let how = Retrieve { anywhere: rng.chance(70), keep: rng.chance(30) };
        Command::Retrieve(channel, self.patterns(rng, kind), how)
    }

    fn patterns(&self, rng: &mut Rng, kind: &ChannelType) -> Vec<Pattern> {
        kind.fields.iter().map(|d| pattern(rng, self, d)).collect()
    }
}
