//! The sliding window protocol with windows of `w` messages of one bit each, over two media that lose messages.
//!
//! Four components. Messages are numbered modulo 2 w. The sender keeps up to `w` messages that are not acknowledged yet
//! and may send each again at any time: 2 w (2^(w+1) - 1) states. The receiver keeps what it got out of order within
//! its window, delivers in order, and always acknowledges what it delivered last: 2 w 3^w states. A medium holds one
//! message (a number and a bit, or a number) or none, and loses at most one in a row.

use model::views::{Network, StateId};

use crate::antonino::parts::{Part, synchronised};

/// The protocol.
pub(crate) fn swp(w: usize) -> Network {
    let data: Vec<String> = (0..2 * w).flat_map(|t| [format!("{t}_0"), format!("{t}_1")]).collect();
    let acks: Vec<String> = (0..2 * w).map(|t| t.to_string()).collect();
    let parts =
        vec![sender(w), medium("Data", &data, ["send", "rcv"]), medium("Acks", &acks, ["sack", "ack"]), receiver(w)];
    synchronised("sliding-window", parts)
}

/// Messages of the window as bits, the oldest lowest, above them a mark: 1 is the empty window.
fn sender(w: usize) -> Part {
    let mut part = Part::new("Sender");
    let contents = (1usize << (w + 1)) - 1;
    let state = |base: usize, bits: usize| StateId::new(base * contents + bits - 1);
    for base in 0..2 * w {
        for bits in 1..=contents {
            part.state(format!("{base}_{bits:b}"));
        }
    }
    let input = [part.event("in_0"), part.event("in_1")];
    let send: Vec<_> = (0..2 * w).map(|t| [0, 1].map(|x| part.event(&format!("send_{t}_{x}")))).collect();
    let ack: Vec<_> = (0..2 * w).map(|t| part.event(&format!("ack_{t}"))).collect();
    for base in 0..2 * w {
        for bits in 1..=contents {
            let (here, held) = (state(base, bits), bits.ilog2() as usize);
            if held < w {
                for x in 0..2 {
                    let mark = 1usize << held;
                    part.step(here, input[x], state(base, bits ^ mark ^ (x << held) ^ (mark << 1)));
                }
            }
            for k in 0..held {
                part.step(here, send[(base + k) % (2 * w)][bits >> k & 1], here);
            }
            for (t, &event) in ack.iter().enumerate() {
                let age = (t + 2 * w - base) % (2 * w);
                let next = if age < held { state((t + 1) % (2 * w), bits >> (age + 1)) } else { here };
                part.step(here, event, next);
            }
        }
    }
    part
}

/// The slots of the window as digits to base 3: 0 is empty, else the message plus 1; the next to deliver is lowest.
fn receiver(w: usize) -> Part {
    let mut part = Part::new("Receiver");
    let contents = 3usize.pow(w as u32);
    let state = |base: usize, slots: usize| StateId::new(base * contents + slots);
    for base in 0..2 * w {
        for slots in 0..contents {
            part.state(format!("{base}_{}", digits(slots, w)));
        }
    }
    let output = [part.event("out_0"), part.event("out_1")];
    let receive: Vec<_> = (0..2 * w).map(|t| [0, 1].map(|x| part.event(&format!("rcv_{t}_{x}")))).collect();
    let ack: Vec<_> = (0..2 * w).map(|t| part.event(&format!("sack_{t}"))).collect();
    for base in 0..2 * w {
        for slots in 0..contents {
            let here = state(base, slots);
            if slots % 3 > 0 {
                part.step(here, output[slots % 3 - 1], state((base + 1) % (2 * w), slots / 3));
            }
            for (t, events) in receive.iter().enumerate() {
                let place = (t + 2 * w - base) % (2 * w);
                for (x, &event) in events.iter().enumerate() {
                    let power = 3usize.pow(place.min(w) as u32);
                    let is_new = place < w && slots / power % 3 == 0;
                    part.step(here, event, if is_new { state(base, slots + (x + 1) * power) } else { here });
                }
            }
            part.step(here, ack[(base + 2 * w - 1) % (2 * w)], here);
        }
    }
    part
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
