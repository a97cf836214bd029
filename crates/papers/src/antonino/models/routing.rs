//! The mad postman: messages on a grid of n x n nodes, in two layers of virtual channels.
//!
//! A message enters the lower layer, where it only moves right and up, then changes to the upper layer of the same node,
//! where it only moves left and down, and leaves there. So it gets everywhere, and no messages wait for each other in
//! a circle. Each of the 2 n^2 components holds one message at a time and chooses where it goes; it has at most 4 states.

use model::views::Network;

use crate::parts::{Part, synchronised};

/// The grid.
pub(crate) fn routing(n: usize) -> Network {
    let places = || (0..n).flat_map(move |y| (0..n).map(move |x| (x, y)));
    let lower = places().map(|place| lower(n, place));
    synchronised("routing", lower.chain(places().map(|place| upper(n, place))).collect())
}

fn lower(n: usize, (x, y): (usize, usize)) -> Part {
    let mut inputs = vec![format!("in_{x}_{y}")];
    let mut outputs = vec![format!("over_{x}_{y}")];
    inputs.extend((x > 0).then(|| format!("right_{}_{y}", x - 1)));
    inputs.extend((y > 0).then(|| format!("up_{x}_{}", y - 1)));
    outputs.extend((x + 1 < n).then(|| format!("right_{x}_{y}")));
    outputs.extend((y + 1 < n).then(|| format!("up_{x}_{y}")));
    place(format!("Lower_{x}_{y}"), &inputs, &outputs)
}

fn upper(n: usize, (x, y): (usize, usize)) -> Part {
    let mut inputs = vec![format!("over_{x}_{y}")];
    let mut outputs = vec![format!("out_{x}_{y}")];
    inputs.extend((x + 1 < n).then(|| format!("left_{}_{y}", x + 1)));
    inputs.extend((y + 1 < n).then(|| format!("down_{x}_{}", y + 1)));
    outputs.extend((x > 0).then(|| format!("left_{x}_{y}")));
    outputs.extend((y > 0).then(|| format!("down_{x}_{y}")));
    place(format!("Upper_{x}_{y}"), &inputs, &outputs)
}

/// Takes a message from anywhere and gives it to one of the outputs, chosen when the message comes in.
fn place(name: String, inputs: &[String], outputs: &[String]) -> Part {
    let mut part = Part::new(name);
    let empty = part.state("empty");
    for output in outputs {
        let full = part.state(output.as_str());
        for input in inputs {
            part.moves(empty, input, full);
        }
        part.moves(full, output, empty);
    }
    part
}
