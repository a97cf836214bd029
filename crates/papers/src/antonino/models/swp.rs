//! The sliding window protocol with windows of `w` messages of one bit each, over two media that lose messages.
//!
//! Four components. Messages are numbered modulo 2 w. The sender keeps up to `w` messages that are not acknowledged yet
//! and may send each again at any time: 2 w (2^(w+1) - 1) states. The receiver keeps what it got out of order within
//! its window, delivers in order, and always acknowledges what it delivered last: 2 w 3^w states. A medium holds one
//! message (a number and a bit, or a number) or none, and loses at most one in a row.

use model::views::{EventId, Network, StateId};

use crate::parts::{Part, synchronised};

/// The protocol.
pub(crate) fn swp(w: usize) -> Network {
    let data: Vec<String> = (0..2 * w).flat_map(|t| [format!("{t}_0"), format!("{t}_1")]).collect();
    let acks: Vec<String> = (0..2 * w).map(|t| t.to_string()).collect();
    let parts =
        vec![sender(w), medium("Data", &data, ["send", "rcv"]), medium("Acks", &acks, ["sack", "ack"]), receiver(w)];
    synchronised("sliding-window", parts)
}

/// The states of an end: a number modulo 2 w, where its window begins, and what is in the window.
struct End {
    part: Part,
    numbers: usize,
    contents: usize,
}

impl End {
    fn new(name: &str, w: usize, contents: usize, shown: impl Fn(usize) -> String) -> Self {
        let (mut part, numbers) = (Part::new(name), 2 * w);
        for base in 0..numbers {
            for content in 0..contents {
                part.state(format!("{base}_{}", shown(content)));
            }
        }
        Self { part, numbers, contents }
    }

    fn state(&self, base: usize, content: usize) -> StateId {
        StateId::new(base % self.numbers * self.contents + content)
    }

    /// How far a number is from the beginning of the window.
    fn distance(&self, base: usize, number: usize) -> usize {
        (number + self.numbers - base) % self.numbers
    }

    fn events(&mut self, name: &str) -> Vec<EventId> {
        (0..self.numbers).map(|t| self.part.event(&format!("{name}_{t}"))).collect()
    }

    fn bit_events(&mut self, name: &str) -> Vec<[EventId; 2]> {
        (0..self.numbers).map(|t| [0, 1].map(|x| self.part.event(&format!("{name}_{t}_{x}")))).collect()
    }

    /// What can happen in each state: an event, and where it leads.
    fn moves(mut self, of: impl Fn(&Self, usize, usize) -> Vec<(EventId, StateId)>) -> Part {
        for base in 0..self.numbers {
            for content in 0..self.contents {
                let here = self.state(base, content);
                for (event, next) in of(&self, base, content) {
                    self.part.step(here, event, next);
                }
            }
        }
        self.part
    }
}

/// The messages of the window are bits, the oldest lowest, above them a mark: 1 is the empty window. States count from 0.
fn sender(w: usize) -> Part {
    let mut end = End::new("Sender", w, (1 << (w + 1)) - 1, |content| format!("{:b}", content + 1));
    let input = ["in_0", "in_1"].map(|name| end.part.event(name));
    let (send, ack) = (end.bit_events("send"), end.events("ack"));
    end.moves(|end, base, content| {
        let (bits, here) = (content + 1, end.state(base, content));
        let held = bits.ilog2() as usize;
        let mark = 1 << held;
        let accepts = input.iter().enumerate().filter(|_| held < w);
        let accepts = accepts.map(|(x, &e)| (e, end.state(base, (bits ^ mark) + x * mark + 2 * mark - 1)));
        let sends = (0..held).map(|k| (send[(base + k) % end.numbers][(bits >> k) & 1], here));
        let hears = ack.iter().enumerate().map(|(t, &e)| match end.distance(base, t) {
            age if age < held => (e, end.state(t + 1, (bits >> (age + 1)) - 1)),
            _ => (e, here),
        });
        accepts.chain(sends).chain(hears).collect()
    })
}

/// The slots of the window are digits to base 3: 0 is empty, else the message plus 1; the next to deliver is lowest.
fn receiver(w: usize) -> Part {
    let mut end = End::new("Receiver", w, 3usize.pow(w as u32), |slots| digits(slots, w));
    let output = ["out_0", "out_1"].map(|name| end.part.event(name));
    let (receive, ack) = (end.bit_events("rcv"), end.events("sack"));
    end.moves(|end, base, slots| {
        let here = end.state(base, slots);
        let delivers = (slots % 3).checked_sub(1).map(|x| (output[x], end.state(base + 1, slots / 3)));
        let takes = receive.iter().enumerate().flat_map(|(t, events)| {
            let power = 3usize.pow(end.distance(base, t).min(w) as u32);
            let is_new = power < end.contents && (slots / power).is_multiple_of(3);
            let next = move |x: usize| if is_new { end.state(base, slots + (x + 1) * power) } else { here };
            events.iter().enumerate().map(move |(x, &e)| (e, next(x)))
        });
        let says = (ack[(base + end.numbers - 1) % end.numbers], here);
        delivers.into_iter().chain(takes).chain([says]).collect()
    })
}

/// The slots, the next to deliver first.
fn digits(mut slots: usize, w: usize) -> String {
    let digit = |_| {
        let shown = ['-', '0', '1'][slots % 3];
        slots /= 3;
        shown
    };
    (0..w).map(digit).collect()
}

/// After a message got through, one may be lost; after a loss, none.
fn medium(name: &str, messages: &[String], [put, take]: [&str; 2]) -> Part {
    let mut part = Part::new(name);
    let (fresh, strained) = (part.state("empty"), part.state("empty_after_loss"));
    let lose = format!("lose_{put}");
    for message in messages {
        let (full, last) = (part.state(format!("has_{message}")), part.state(format!("has_{message}_after_loss")));
        part.moves(fresh, &format!("{put}_{message}"), full);
        part.moves(strained, &format!("{put}_{message}"), last);
        part.moves(full, &format!("{take}_{message}"), fresh);
        part.moves(last, &format!("{take}_{message}"), fresh);
        part.moves(full, &lose, strained);
    }
    part
}
