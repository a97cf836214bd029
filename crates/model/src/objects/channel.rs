//! First-in first-out channels: sent to, received from, asked for their length.
//!
//! The tables are those of Examples 3.20 and 4.29 of Godefroid's thesis, with *Empty* and *Full* widened to any test of
//! the length `n` of a channel of capacity `N`. They are exact for at least two different messages. A receive that
//! takes only some messages has the same relations: its first message is disturbed by what disturbs any receive.
//!
//! Whatever only looks at the messages, at all of them if it likes, and is perhaps not defined for some, is a `Read`:
//! there is no operation that changes the messages and leaves their number as it was, so that whatever disturbs such a
//! look disturbs the length too, in the same states. Sorted sends, and receives that take a message from the middle,
//! are `Any`.
//!
//! Might be the first to interfere: operations that are independent with
//! - sending can only make the channel shorter (`0..=n`, unless it is full: nowhere);
//! - receiving can only make it longer (`n..=N`, unless it is empty: nowhere);
//! - a test can lead, step by step, to every length around `n` up to where its outcome changes.

use super::operation::{Operation, Output};
use super::relations::Relations;
use Operation::{Read, Receive, Send};

/// A buffered channel; its scalar is the number of messages in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The most messages it holds.
    pub capacity: u32,
}

impl Channel {
    /// The meaning of an operation, where it is defined: its output and the new content, a message being one number.
    /// The input of `Send` is the message, or nothing for one outside its domain; that of `Receive` is the only
    /// message that it takes, or nothing if it takes any.
    pub fn apply(&self, op: Operation, input: Option<i64>, content: &[i64]) -> Option<(Output, Vec<i64>)> {
        let length = content.len() as i64;
        Some(match op {
            Read => (Output::Value(length), content.to_vec()),
            Operation::Test(test) => (Output::Value(i64::from(test.holds(length))), content.to_vec()),
            Send if length == self.capacity() => return None,
            Send => match input {
                None => (Output::Fault(0), content.to_vec()),
                Some(message) => (Output::Nothing, [content, &[message]].concat()),
            },
            Receive => {
                let (first, rest) = content.split_first()?;
                if input.is_some_and(|wanted| wanted != *first) {
                    return None;
                }
                (Output::Value(*first), rest.to_vec())
            }
            _ => unreachable!("{op:?} is no operation on a channel"),
        })
    }

    fn capacity(&self) -> i64 {
        i64::from(self.capacity)
    }
}

impl Relations for Channel {
    fn is_defined(&self, op: Operation, n: i64) -> bool {
        match op {
            Send => n < self.capacity(),
            Receive => n > 0,
            _ => true,
        }
    }

    fn dependent(&self, a: Operation, b: Operation, n: i64) -> bool {
        match (a, b) {
            (Send, Receive) | (Receive, Send) => n == 0 || n == self.capacity(),
            (Send, Operation::Test(t)) | (Operation::Test(t), Send) => {
                n < self.capacity() && t.holds(n) != t.holds(n + 1)
            }
            (Receive, Operation::Test(t)) | (Operation::Test(t), Receive) => n > 0 && t.holds(n) != t.holds(n - 1),
            (Send, _) | (_, Send) => n < self.capacity(),
            (Receive, _) | (_, Receive) => n > 0,
            _ => false,
        }
    }

    /// As Example 6.7 has it: a test is disturbed wherever the other operation is defined.
    fn uniformly_dependent(&self, a: Operation, b: Operation, n: i64) -> bool {
        match (a, b) {
            (Operation::Test(t), op) | (op, Operation::Test(t)) => {
                self.is_defined(op, n) && self.can_be_dependent(Operation::Test(t), op)
            }
            _ => self.dependent(a, b, n),
        }
    }

    fn can_be_dependent(&self, a: Operation, b: Operation) -> bool {
        match (a, b) {
            (Read | Operation::Test(_), Read | Operation::Test(_)) => false,
            (Operation::Test(t), _) | (_, Operation::Test(t)) => !t.is_constant_on(0, self.capacity()),
            _ => true,
        }
    }

    /// Sending and receiving accord: where they are dependent, one of them is not defined.
    fn do_not_accord(&self, a: Operation, b: Operation) -> bool {
        !matches!((a, b), (Send, Receive) | (Receive, Send)) && self.can_be_dependent(a, b)
    }

    /// As by the other relation, but nothing that disturbs a test somewhere is independent with it where it is defined.
    fn may_interfere_first_uniformly(&self, op: Operation, other: Operation, n: i64) -> bool {
        match (op, other) {
            (Send, Receive) => n == self.capacity(),
            (Receive, Send) => n == 0,
            (Send | Receive, Read | Operation::Test(_)) => self.is_defined(op, n) && self.can_be_dependent(op, other),
            _ => self.is_defined(other, n) && self.uniformly_dependent(op, other, n),
        }
    }

    fn may_interfere_first(&self, op: Operation, other: Operation, n: i64) -> bool {
        match (op, other) {
            (Send, Receive) => n == self.capacity(),
            (Receive, Send) => n == 0,
            (Send, Operation::Test(t)) => n < self.capacity() && !t.is_constant_on(0, n + 1),
            (Receive, Operation::Test(t)) => n > 0 && !t.is_constant_on(n - 1, self.capacity()),
            (Operation::Test(t), Send) => t.run(n, 0, self.capacity()).1 < self.capacity(),
            (Operation::Test(t), Receive) => t.run(n, 0, self.capacity()).0 > 0,
            _ => self.is_defined(other, n) && self.dependent(op, other, n),
        }
    }
}
