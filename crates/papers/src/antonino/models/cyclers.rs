//! Rings around which one token goes: Milner's scheduler, and stations that pass a token on.
//!
//! Cells of 5 and stations of 3 states. That there is always a token is not a matter of pairs of components.

use model::views::Network;

use crate::parts::{Part, synchronised};

/// Cell `i` is told to go on (`go_i`), starts its task (`a_i`), and then, in either order, tells the next one and hears
/// that its task has ended (`b_i`).
pub(crate) fn milner(n: usize) -> Network {
    let cell = |i: usize| {
        let (go, next, a, b) = (format!("go_{i}"), format!("go_{}", (i + 1) % n), format!("a_{i}"), format!("b_{i}"));
        let moves = [(0, &*go, 1), (1, &*a, 2), (2, &*b, 3), (3, &*next, 0), (2, &*next, 4), (4, &*b, 0)];
        Part::of_moves(format!("Cell_{i}"), &moves).starting(usize::from(i == 0))
    };
    synchronised("milner", (0..n).map(cell).collect())
}

/// Station `i` gets the token, works, and passes it on.
pub(crate) fn token_ring(n: usize) -> Network {
    let station = |i: usize| {
        let (get, pass, work) = (format!("pass_{i}"), format!("pass_{}", (i + 1) % n), format!("work_{i}"));
        let moves = [(0, &*get, 1), (1, &*work, 2), (2, &*pass, 0)];
        Part::of_moves(format!("Station_{i}"), &moves).starting(usize::from(i == 0))
    };
    synchronised("token-ring", (0..n).map(station).collect())
}
