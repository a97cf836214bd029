//! Occurrence nets as SVG. Colours follow the reader's light or dark scheme, and nothing is told by colour alone.

use std::fmt::Write as _;

use super::{Arc, ArcKind, Kind, Node, Picture};
use crate::render::layers::{Layout, Shape, curve};
use formats::drawing::{shortened, width};
use formats::xml::escape;

/// The radius of a condition, and half the height of an event with one line and with two.
const RADIUS: f64 = 8.0;
const LINE: f64 = 13.0;
const TWO_LINES: f64 = 20.0;
/// The frame around the drawing, and the height of a line above it.
const MARGIN: f64 = 24.0;
const HEAD: f64 = 17.0;
/// Longer labels are shortened; the whole name is in the title.
const LABEL: usize = 36;

const STYLE: &str = "\
svg { font: 12px sans-serif; }
.paper { fill: #ffffff; } text { fill: #1d2430; } .title { font-size: 15px; } .remark { font-size: 11px; fill: #6b7280; }
.arc { stroke: #7c8696; fill: none; } .read { stroke-dasharray: 1.5 3.5; stroke-linecap: round; stroke-width: 1.6; }
.lacking { stroke: #c0392b; stroke-dasharray: 5 4; }
.tip { fill: #7c8696; } .lacking-tip { fill: #c0392b; }
circle { fill: #ffffff; stroke: #4a5568; stroke-width: 1.3; } .initial circle { stroke-width: 3; }
.left circle { fill: #f4c95d; } .left .token { fill: #1d2430; stroke: none; }
rect { fill: #dfe9f7; stroke: #2f5d9b; } .cutoff rect { fill: none; stroke: #8a93a1; stroke-dasharray: 4 3; }
.cutoff text { fill: #6b7280; } .blocked rect { fill: none; stroke: #c0392b; stroke-dasharray: 5 4; }
.blocked text { fill: #c0392b; } .condition text { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #16181c; } text { fill: #e6e6e6; } .remark { fill: #9aa3b0; }
  .arc { stroke: #8f99a8; } .lacking { stroke: #ff7b6b; } .tip { fill: #8f99a8; } .lacking-tip { fill: #ff7b6b; }
  circle { fill: #16181c; stroke: #c3cad5; } .left circle { fill: #b98a1d; } .left .token { fill: #ffffff; }
  rect { fill: #22344f; stroke: #6fa3e8; } .cutoff rect { stroke: #7d8694; } .cutoff text { fill: #9aa3b0; }
  .blocked rect { stroke: #ff7b6b; } .blocked text { fill: #ff7b6b; } .condition text { stroke: #16181c; }
}";

/// The heads of arcs.
const TIPS: &str = "\
<defs>
<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker>
<marker id=\"lacking-tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path class=\"lacking-tip\" d=\"M0 0L8 4L0 8z\"/></marker>
</defs>";

impl Picture {
    /// A whole SVG document.
    pub(crate) fn svg(&self) -> String {
        let mut out = String::new();
        self.write_svg(&mut out).expect("writing to a string cannot fail");
        out
    }

    fn write_svg(&self, out: &mut String) -> std::fmt::Result {
        let shapes: Vec<Shape> = self.nodes.iter().map(shape).collect();
        let arcs: Vec<(usize, usize)> = self.arcs.iter().map(|arc| (arc.from, arc.to)).collect();
        let frame = Frame::new(self, Layout::new(&shapes, &arcs));
        let (width, height) = (frame.width, frame.height);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">"
        )?;
        writeln!(out, "<title>{}</title>\n<style>\n{STYLE}\n</style>\n{TIPS}", escape(&self.title))?;
        writeln!(out, "<path class=\"paper\" d=\"M0 0H{width:.0}V{height:.0}H0z\"/>")?;
        for (i, line) in self.head().iter().enumerate() {
            let (class, y) = (if i == 0 { "title" } else { "remark" }, MARGIN + HEAD * i as f64 + 4.0);
            writeln!(out, "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{y}\">{}</text>", escape(line))?;
        }
        let routes = frame.layout.routes.iter();
        self.arcs.iter().zip(routes).try_for_each(|(arc, route)| self.write_arc(out, &frame, arc, route))?;
        self.nodes.iter().enumerate().try_for_each(|(i, node)| write_node(out, node, frame.centre(i, node)))?;
        writeln!(out, "</svg>")
    }

    /// The lines above the drawing: what it is, how large, and what its signs mean.
    fn head(&self) -> Vec<String> {
        let has_arc = |kind| self.arcs.iter().any(|arc| arc.kind == kind);
        let signs = [
            (self.has(|k| matches!(k, Kind::Condition { initial: true, .. })), "thick circle: there from the start"),
            (self.has(|k| matches!(k, Kind::Condition { left: true, .. })), "filled, with a dot: there at the end"),
            (
                self.has(|k| k == Kind::CutOff),
                "dashed box: cut-off, leads to the same marking as the event (or the start) it names",
            ),
            (self.has(|k| k == Kind::Blocked), "dashed box: cannot happen"),
            (has_arc(ArcKind::Read), "dotted line without a tip: reads this token, which stays"),
            (has_arc(ArcKind::Lacking), "dashed arc: lacks this token, which another event took"),
        ];
        let signs = signs.iter().filter(|(is_there, _)| *is_there).map(|&(_, sign)| sign.to_owned());
        [self.title.clone(), self.sizes.clone()].into_iter().chain(signs).collect()
    }

    /// An arc, from row to row.
    fn write_arc(&self, out: &mut String, frame: &Frame, arc: &Arc, route: &[f64]) -> std::fmt::Result {
        let (from, to) = (&self.nodes[arc.from], &self.nodes[arc.to]);
        let last = route.len() - 1;
        let y = |i: usize| match i {
            0 => frame.y(from.row) + half_height(from),
            _ if i == last => frame.y(to.row) - half_height(to),
            _ => frame.y(from.row + i),
        };
        let path = curve(route, y);
        let (class, tip) = match arc.kind {
            ArcKind::Flow => ("arc", " marker-end=\"url(#tip)\""),
            ArcKind::Read => ("arc read", ""),
            ArcKind::Lacking => ("arc lacking", " marker-end=\"url(#lacking-tip)\""),
        };
        let (from, to) = (&from.id, &to.id);
        writeln!(out, "<path class=\"{class}\" id=\"{from}-{to}\"{tip} d=\"{path}\"/>")
    }
}

/// Where the drawing is on the page.
struct Frame {
    layout: Layout,
    top: f64,
    pitch: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn new(picture: &Picture, mut layout: Layout) -> Self {
        let head = picture.head();
        let text = head.iter().map(|line| width(line)).fold(0.0, f64::max) * 1.15;
        // Wide drawings are also higher, so that arcs do not become flat.
        let pitch = (layout.width / 20.0).clamp(56.0, 120.0);
        let rows = picture.nodes.iter().map(|node| node.row).max().unwrap_or(0);
        let top = MARGIN + HEAD * head.len() as f64 + TWO_LINES;
        layout.centres.iter_mut().chain(layout.routes.iter_mut().flatten()).for_each(|x| *x += MARGIN);
        let height = top + pitch * rows as f64 + TWO_LINES + MARGIN;
        Self { top, pitch, width: layout.width.max(text) + 2.0 * MARGIN, height, layout }
    }

    fn y(&self, row: usize) -> f64 {
        self.top + self.pitch * row as f64
    }

    fn centre(&self, i: usize, node: &Node) -> (f64, f64) {
        (self.layout.centres[i], self.y(node.row))
    }
}

fn write_node(out: &mut String, node: &Node, (x, y): (f64, f64)) -> std::fmt::Result {
    let class = match node.kind {
        Kind::Condition { initial, left } => {
            format!("condition{}{}", if initial { " initial" } else { "" }, if left { " left" } else { "" })
        }
        Kind::Event => "event".to_owned(),
        Kind::CutOff => "event cutoff".to_owned(),
        Kind::Blocked => "blocked".to_owned(),
    };
    let remark = node.remark.as_deref().unwrap_or_default();
    let whole = format!("{} {remark}", node.name);
    writeln!(out, "<g class=\"{class}\" id=\"{}\"><title>{}</title>", node.id, escape(whole.trim_end()))?;
    let label = escape(&shortened(&node.name, LABEL));
    if let Kind::Condition { left, .. } = node.kind {
        writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>")?;
        if left {
            writeln!(out, "<ellipse class=\"token\" cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"3\" ry=\"3\"/>")?;
        }
        let (x, y) = (x + RADIUS + 4.0, y + 4.0);
        return writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{label}</text></g>");
    }
    let (half, half_height) = (half_width(node), half_height(node));
    let (left, top, wide, high) = (x - half, y - half_height, 2.0 * half, 2.0 * half_height);
    writeln!(out, "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"3\"/>")?;
    let line = if remark.is_empty() { y + 4.0 } else { y - 3.0 };
    write!(out, "<text x=\"{x:.1}\" y=\"{line:.1}\" text-anchor=\"middle\">{label}</text>")?;
    if !remark.is_empty() {
        let (remark, y) = (escape(&shortened(remark, LABEL)), y + 12.0);
        write!(out, "<text class=\"remark\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{remark}</text>")?;
    }
    writeln!(out, "</g>")
}

fn shape(node: &Node) -> Shape {
    let row = node.row;
    match node.kind {
        Kind::Condition { .. } => {
            Shape { row, left: RADIUS + 2.0, right: RADIUS + 4.0 + width(&shortened(&node.name, LABEL)) }
        }
        _ => Shape { row, left: half_width(node), right: half_width(node) },
    }
}

/// Half the width of an event.
fn half_width(node: &Node) -> f64 {
    let remark = node.remark.as_deref().map_or(0.0, |remark| width(&shortened(remark, LABEL)));
    width(&shortened(&node.name, LABEL)).max(remark).max(2.0 * LINE) / 2.0 + 7.0
}

fn half_height(node: &Node) -> f64 {
    match (node.kind, &node.remark) {
        (Kind::Condition { .. }, _) => RADIUS,
        (_, None) => LINE,
        (_, Some(_)) => TWO_LINES,
    }
}
