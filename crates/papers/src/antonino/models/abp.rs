//! The alternating bit protocol over two media that lose at most `losses` messages in a row.
//!
//! Four components. The sender has 4 states, the receiver 4, each medium 3 (`losses` + 1): a place for one message, and
//! how many were lost since one got through.

use model::views::Network;

use crate::parts::{Part, synchronised};

/// The protocol.
pub(crate) fn abp(losses: usize) -> Network {
    let data = medium("Data", losses, ["send", "rcv", "lose_data"]);
    let acks = medium("Acks", losses, ["sack", "ack", "lose_ack"]);
    synchronised("alternating-bit", vec![sender(), data, acks, receiver()])
}

/// Idle with bit `b` (states 0, 2), or sending it (1, 3) until it is acknowledged.
fn sender() -> Part {
    let mut moves = Vec::new();
    for (b, idle) in [(0, 0), (1, 2)] {
        let (sends, other_idle) = (idle + 1, 2 - idle);
        moves.push((idle, "in".to_owned(), sends));
        moves.push((sends, format!("send_{b}"), sends));
        moves.push((sends, format!("ack_{b}"), other_idle));
        moves.push((sends, format!("ack_{}", 1 - b), sends));
        moves.extend([0, 1].map(|x| (idle, format!("ack_{x}"), idle)));
    }
    of_moves("Sender", &moves)
}

/// Expecting bit `b` (states 0, 2) while it acknowledges the other one, or with a message to deliver (1, 3).
fn receiver() -> Part {
    let mut moves = Vec::new();
    for (b, expects) in [(0, 0), (1, 2)] {
        let (full, other) = (expects + 1, 2 - expects);
        moves.push((expects, format!("rcv_{b}"), full));
        moves.push((full, "out".to_owned(), other));
        moves.push((expects, format!("rcv_{}", 1 - b), expects));
        moves.push((expects, format!("sack_{}", 1 - b), expects));
    }
    of_moves("Receiver", &moves)
}

fn of_moves(name: &str, moves: &[(usize, String, usize)]) -> Part {
    let moves: Vec<(usize, &str, usize)> = moves.iter().map(|(from, event, to)| (*from, event.as_str(), *to)).collect();
    Part::of_moves(name, &moves)
}

/// Events are: to put a message in, to take it out, to lose it.
fn medium(name: &str, losses: usize, [put, take, lose]: [&str; 3]) -> Part {
    let mut part = Part::new(name);
    let empty: Vec<_> = (0..=losses).map(|j| part.state(format!("empty_{j}"))).collect();
    for b in 0..2 {
        for j in 0..=losses {
            let full = part.state(format!("has_{b}_{j}"));
            part.moves(empty[j], &format!("{put}_{b}"), full);
            part.moves(full, &format!("{take}_{b}"), empty[0]);
            if j < losses {
                part.moves(full, lose, empty[j + 1]);
            }
        }
    }
    part
}
