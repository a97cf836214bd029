//! A small state space as a drawing: rows are distances from the initial state, and what a search for deadlocks with
//! persistent sets leaves out is dashed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use driver::Selection;
use formats::drawing::{shortened, width};
use formats::figures::show_number;
use formats::xml::escape;
use model::System;

use super::space::Space;
use crate::render::layers::{Layout, Shape, curve};

/// The frame around the drawing, the height of a line above it and in a box, and the room between two rows.
const MARGIN: f64 = 24.0;
const HEAD: f64 = 17.0;
const LINE: f64 = 15.0;
const BETWEEN: f64 = 34.0;
/// Longer lines are shortened, and more are left out; all is in the title.
const LABEL: usize = 28;
const LINES: usize = 6;

const STYLE: &str = "\
svg { font: 12px sans-serif; }
.paper { fill: #ffffff; } text { fill: #1d2430; } .title { font-size: 15px; } .remark { font-size: 11px; fill: #6b7280; }
.step { stroke: #2f5d9b; fill: none; stroke-width: 1.6; } .tip { fill: #2f5d9b; } .out-tip { fill: #8a93a1; }
rect { fill: #dfe9f7; stroke: #2f5d9b; stroke-width: 1.6; } .deadlock rect { stroke: #c0392b; stroke-width: 4; }
.out.step, .out rect { stroke: #8a93a1; stroke-dasharray: 4 3; stroke-width: 1; } .out rect { fill: none; } .out text { fill: #6b7280; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #16181c; } text { fill: #e6e6e6; } .remark { fill: #9aa3b0; }
  .step { stroke: #6fa3e8; } .tip { fill: #6fa3e8; } .out-tip { fill: #7d8694; } rect { fill: #22344f; stroke: #6fa3e8; } .deadlock rect { stroke: #ff7b6b; }
  .out.step, .out rect { stroke: #7d8694; } .out rect { fill: none; } .out text { fill: #9aa3b0; }
}";

/// The heads of arrows.
const TIPS: &str = "\
<defs>
<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" \
orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker>
<marker id=\"out-tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" \
orient=\"auto-start-reverse\"><path class=\"out-tip\" d=\"M0 0L8 4L0 8z\"/></marker>
</defs>";

/// All steps between two states.
#[derive(Debug, Default)]
struct Arrow {
    names: Vec<String>,
    kept: bool,
}

/// A state space, ready to be drawn.
#[derive(Debug)]
pub(super) struct Drawing {
    head: Vec<String>,
    /// What each state is called, its row, and its classes.
    labels: Vec<Vec<String>>,
    rows: Vec<usize>,
    classes: Vec<String>,
    arrows: BTreeMap<(usize, usize), Arrow>,
}

impl Drawing {
    pub(super) fn new(space: &Space, system: &System) -> Self {
        let (kept, steps) = reduced(space, system);
        let stuck = space.stuck();
        let is_deadlock = |i: usize| stuck[i] && !system.at_end(&space.states[i]);
        let class = |i: usize| match (kept[i], is_deadlock(i)) {
            (true, true) => "state deadlock",
            (true, false) => "state",
            (false, _) => "state out",
        };
        let mut arrows: BTreeMap<(usize, usize), Arrow> = BTreeMap::new();
        for ((from, t, to), kept) in space.edges.iter().zip(&steps) {
            let arrow = arrows.entry((*from, *to)).or_default();
            arrow.names.push(system.transition(*t).name.clone());
            arrow.kept |= kept;
        }
        let size = |states: usize, transitions: usize| {
            let number = |n: usize, what: &str| show_number(n as u64, what);
            format!("{}, {}", number(states, "state"), number(transitions, "transition"))
        };
        let count = |flags: &[bool]| flags.iter().filter(|kept| **kept).count();
        let left_out = count(&kept) < kept.len() || count(&steps) < steps.len();
        let head = [
            Some(format!("{}: all states", system.name())),
            Some(size(space.states.len(), space.edges.len())),
            left_out.then(|| {
                format!("dashed: what persistent sets leave out; {} remain", size(count(&kept), count(&steps)))
            }),
            (0..stuck.len()).any(is_deadlock).then(|| "thick box: deadlock".to_owned()),
        ];
        Self {
            head: head.into_iter().flatten().collect(),
            labels: space.states.iter().map(|state| label(space, system, state)).collect(),
            rows: space.depths(),
            classes: (0..space.states.len()).map(|i| class(i).to_owned()).collect(),
            arrows,
        }
    }

    /// A whole SVG document.
    pub(super) fn svg(&self) -> String {
        let mut out = String::new();
        self.write(&mut out).expect("writing to a string cannot fail");
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let half = |i: usize| self.half(i).0;
        let shapes = (0..self.rows.len()).map(|i| Shape { row: self.rows[i], left: half(i), right: half(i) });
        // Steps within a row have no part in the layout, and those that lead up are laid out as if they led down.
        let (within, across): (Vec<_>, Vec<_>) =
            self.arrows.iter().partition(|((from, to), _)| self.rows[*from] == self.rows[*to]);
        let down = |(from, to): (usize, usize)| if self.rows[from] < self.rows[to] { (from, to) } else { (to, from) };
        let layout =
            Layout::new(&shapes.collect::<Vec<_>>(), &across.iter().map(|(ends, _)| down(**ends)).collect::<Vec<_>>());
        let place = Place::new(self, &layout);
        let (wide, high) = place.size;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" \
             viewBox=\"0 0 {wide:.0} {high:.0}\" role=\"img\">"
        )?;
        writeln!(out, "<title>{}</title>\n<style>\n{STYLE}\n</style>\n{TIPS}", escape(&self.head[0]))?;
        writeln!(out, "<path class=\"paper\" d=\"M0 0H{wide:.0}V{high:.0}H0z\"/>")?;
        for (i, line) in self.head.iter().enumerate() {
            let (class, y) = (if i == 0 { "title" } else { "remark" }, MARGIN + HEAD * i as f64 + 4.0);
            writeln!(out, "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{y}\">{}</text>", escape(line))?;
        }
        for ((ends, arrow), route) in across.iter().zip(&layout.routes) {
            let (top, bottom) = down(**ends);
            let last = route.len() - 1;
            let path = curve(&route.iter().map(|x| x + MARGIN).collect::<Vec<_>>(), |i| match i {
                0 => place.y(self.rows[top]) + self.half(top).1,
                _ if i == last => place.y(self.rows[bottom]) - self.half(bottom).1,
                _ => place.y(self.rows[top] + i),
            });
            write_arrow(out, arrow, if ends.0 == top { "end" } else { "start" }, &path)?;
        }
        for ((from, to), arrow) in within {
            write_arrow(out, arrow, "end", &self.bow(&place, *from, *to))?;
        }
        (0..self.rows.len()).try_for_each(|i| self.write_state(out, &place, i))?;
        writeln!(out, "</svg>")
    }

    /// Half the width and half the height of a state's box.
    fn half(&self, i: usize) -> (f64, f64) {
        let wide = self.labels[i].iter().map(|line| width(&shortened(line, LABEL))).fold(0.0, f64::max);
        let lines = self.labels[i].len() as f64;
        (wide / 2.0 + 8.0, (LINE * lines + 10.0) / 2.0)
    }

    /// A step to another state of the same row, below the boxes; or to the same state, beside its box.
    fn bow(&self, place: &Place, from: usize, to: usize) -> String {
        let ((x0, x1), y) = ((place.x[from], place.x[to]), place.y(self.rows[from]));
        let ((wide, high), low) = (self.half(from), BETWEEN * 0.8);
        if from == to {
            let (x, r) = (x0 + wide, 7.0);
            return format!(
                "M{x:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x:.1} {:.1}",
                y - r,
                x + r,
                y - 2.0 * r,
                x + r,
                y + 2.0 * r,
                y + r
            );
        }
        let (y0, y1) = (y + high, y + self.half(to).1);
        format!("M{x0:.1} {y0:.1}C{x0:.1} {:.1} {x1:.1} {:.1} {x1:.1} {y1:.1}", y0 + low, y1 + low)
    }

    fn write_state(&self, out: &mut String, place: &Place, i: usize) -> std::fmt::Result {
        let ((x, y), (wide, high)) = ((place.x[i], place.y(self.rows[i])), self.half(i));
        let whole = escape(&self.labels[i].join("\n"));
        writeln!(out, "<g class=\"{}\" id=\"s{i}\"><title>{whole}</title>", self.classes[i])?;
        let (left, top) = (x - wide, y - high);
        write!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>",
            2.0 * wide,
            2.0 * high
        )?;
        for (line, text) in self.labels[i].iter().enumerate() {
            let (y, text) = (top + LINE * (line as f64 + 1.0) + 1.0, escape(&shortened(text, LABEL)));
            write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>")?;
        }
        writeln!(out, "</g>")
    }
}

/// Where the states are on the page.
struct Place {
    x: Vec<f64>,
    top: f64,
    pitch: f64,
    size: (f64, f64),
}

impl Place {
    fn new(drawing: &Drawing, layout: &Layout) -> Self {
        let highest = (0..drawing.rows.len()).map(|i| 2.0 * drawing.half(i).1).fold(0.0, f64::max);
        let text = drawing.head.iter().map(|line| width(line)).fold(0.0, f64::max) * 1.15;
        // Wide drawings are also higher, so that arrows do not become flat.
        let pitch = highest + BETWEEN.max(layout.width / 25.0);
        let top = MARGIN + HEAD * drawing.head.len() as f64 + highest / 2.0;
        let rows = drawing.rows.iter().max().copied().unwrap_or(0) as f64;
        let size = (layout.width.max(text) + 2.0 * MARGIN, top + pitch * rows + highest / 2.0 + MARGIN);
        Self { x: layout.centres.iter().map(|x| x + MARGIN).collect(), top, pitch, size }
    }

    fn y(&self, row: usize) -> f64 {
        self.top + self.pitch * row as f64
    }
}

/// An arrow, with its head at the `end` or the `start` of the path.
fn write_arrow(out: &mut String, arrow: &Arrow, head: &str, path: &str) -> std::fmt::Result {
    let (class, tip) = if arrow.kept { ("step", "tip") } else { ("step out", "out-tip") };
    let names = escape(&arrow.names.join(", "));
    writeln!(out, "<path class=\"{class}\" marker-{head}=\"url(#{tip})\" d=\"{path}\"><title>{names}</title></path>")
}

/// Where the processes are that have left their first states; if none has, what else is different.
fn label(space: &Space, system: &System, state: &[u64]) -> Vec<String> {
    let initial = &space.states[0];
    let moved = system.process_ids().filter(|p| system.location(*p, initial) != system.location(*p, state)).count();
    let changes = explain::changes(system, initial, state);
    let told = if moved == 0 { changes.len() } else { moved };
    let mut lines: Vec<String> =
        changes.iter().take(told.min(LINES)).map(|c| format!("{}: {}", c.subject, c.after)).collect();
    match told {
        0 => lines.push("initial".to_owned()),
        told if told > LINES => lines.push(format!("and {} more", told - LINES)),
        _ => {}
    }
    lines
}

/// The states and the transitions that a search for deadlocks with persistent sets visits.
fn reduced(space: &Space, system: &System) -> (Vec<bool>, Vec<bool>) {
    let (mut states, mut steps) = (vec![false; space.states.len()], vec![false; space.edges.len()]);
    let mut selection = Selection::new(system);
    let mut pending = vec![0];
    while let Some(at) = pending.pop() {
        if std::mem::replace(&mut states[at], true) {
            continue;
        }
        let from = space.edges.partition_point(|edge| edge.0 < at);
        let out = &space.edges[from..space.edges.partition_point(|edge| edge.0 <= at)];
        let enabled: Vec<_> = out.iter().map(|edge| edge.1).collect();
        let chosen = selection.of(&space.states[at], &enabled);
        for (i, (.., to)) in out.iter().enumerate().filter(|(_, edge)| chosen.contains(&edge.1)) {
            steps[from + i] = true;
            pending.push(*to);
        }
    }
    (states, steps)
}
