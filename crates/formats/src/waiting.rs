//! A deadlock as a picture: who waits for whom, the cycle in red; of a net, the siphon that is empty.

use std::collections::{HashMap, HashSet};
use std::f64::consts::TAU;
use std::fmt::Write as _;

use explain::{Deadlock, Siphon};

use crate::drawing::{about, lines_box, page, quote, width};

/// Longer texts are shortened; the whole text is in the title.
const LABEL: usize = 44;
const MARGIN: f64 = 24.0;
const LINE: f64 = 18.0;
/// Nobody can read a drawing of more boxes, or with more sentences below it.
const DRAWN: usize = 120;

/// A graph of what keeps what from happening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    title: String,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
    /// The sentences below.
    sentences: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    name: String,
    /// Where it is.
    at: String,
    /// Whether it is in the cycle or the siphon, or else around it.
    inside: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Arc {
    from: usize,
    to: usize,
    text: String,
    inside: bool,
}

impl Waiting {
    /// Who waits for whom; nothing if nobody waits for anybody and no siphon is empty.
    pub fn new(model: &str, deadlock: &Deadlock) -> Option<Self> {
        let graph = match &deadlock.siphon {
            Some(siphon) => Self::of_siphon(model, siphon),
            None => Self::of_processes(model, deadlock),
        };
        Some(graph).filter(|graph| !graph.nodes.is_empty())
    }

    fn of_processes(model: &str, deadlock: &Deadlock) -> Self {
        let waits = if deadlock.cycle.is_empty() { "nobody waits in a circle" } else { "who waits for whom" };
        let mut sketch = Sketch::default();
        let at: HashMap<&str, &str> = deadlock.processes.iter().map(|s| (&*s.process, &*s.at)).collect();
        for link in &deadlock.cycle {
            let at = at.get(&*link.process).copied().unwrap_or_default();
            sketch.node(Node { name: link.process.clone(), at: at.to_owned(), inside: true });
        }
        // Who may stop and is waited for by nobody has nothing to do with it.
        let awaited = awaited(deadlock);
        let concerned = || deadlock.processes.iter().filter(|s| !s.may_stop || awaited.contains(&*s.process));
        for process in concerned() {
            sketch.node(Node { name: process.process.clone(), at: process.at.clone(), inside: false });
        }
        for link in &deadlock.cycle {
            // The arc itself says who waits for whom.
            let text = link.text.strip_prefix(&format!("{} waits for ", link.process)).unwrap_or(&link.text);
            let text = text.strip_suffix(&format!(", held by {}", link.waits_for)).unwrap_or(text);
            let text =
                text.strip_prefix(&format!("{} to ", link.waits_for)).map_or(text.to_owned(), |t| format!("to {t}"));
            sketch.arc(&link.process, &link.waits_for, &text, true);
        }
        for process in concerned() {
            for wait in &process.waits {
                // Where one thing will never come, it does not matter what else is missing: only that is waited for.
                let in_vain = wait.blockers.iter().any(|b| b.helpers.is_empty());
                for blocker in &wait.blockers {
                    let whom = if in_vain { &blocker.in_vain } else { &blocker.helpers };
                    whom.iter().for_each(|q| sketch.arc(&process.process, q, &between(&blocker.text, q), false));
                }
            }
        }
        let sentences = deadlock.cycle.iter().map(|l| &l.text).chain(&deadlock.no_cycle);
        sketch.done(format!("{model}: {waits}"), sentences.cloned().collect())
    }

    fn of_siphon(model: &str, siphon: &Siphon) -> Self {
        let how = if siphon.emptied { "emptied siphon" } else { "siphon that is empty from the start" };
        let place = |name: &String| Node { name: name.clone(), at: "empty".to_owned(), inside: true };
        let (mut sketch, mut sentences) = (Sketch::default(), Vec::new());
        siphon.places.iter().map(place).for_each(|node| sketch.node(node));
        for f in &siphon.feeders {
            sketch.arc(&f.fills, &f.needs, &format!("filled by {}, which needs", f.transition), true);
            sentences
                .push(format!("{} would put a token into {}, but needs one of {}", f.transition, f.fills, f.needs));
        }
        sketch.done(format!("{model}: {how}"), sentences)
    }

    /// As much of the graph as can be drawn.
    fn drawable(&self) -> Self {
        let more = self.nodes.len().saturating_sub(DRAWN);
        let untold = self.sentences.len().saturating_sub(DRAWN);
        let mut part = self.clone();
        part.nodes.truncate(DRAWN);
        part.arcs.retain(|a| a.from < DRAWN && a.to < DRAWN);
        part.sentences.truncate(DRAWN);
        let rest = [(untold, "sentences"), (more, "boxes")].into_iter().filter(|(count, _)| *count > 0);
        part.sentences.extend(rest.map(|(count, what)| format!("... and {count} more {what} that are not drawn")));
        part
    }

    /// A graph in the language of Graphviz.
    pub fn dot(&self) -> String {
        let mut out = format!("digraph {} {{\n  label={};\n  labelloc=t;\n", quote(&self.title), quote(&self.title));
        for (i, node) in self.nodes.iter().enumerate() {
            let style = if node.inside { ", color=red, penwidth=2" } else { "" };
            writeln!(out, "  n{i} [shape=box, label={}{style}];", quote(&format!("{}\n{}", node.name, node.at)))
                .expect("a string");
        }
        for Arc { from, to, text, inside } in &self.arcs {
            let style = if *inside { ", color=red, penwidth=2" } else { ", style=dashed" };
            writeln!(out, "  n{from} -> n{to} [label={}{style}];", quote(text)).expect("a string");
        }
        out + "}\n"
    }

    /// A drawing: the cycle is a circle, the others stand around it. Of a very large graph only a part is drawn.
    pub fn svg(&self) -> String {
        self.drawable().drawn()
    }

    fn drawn(&self) -> String {
        let mut places = self.places();
        // What would be left of the page moves all of it to the right.
        let outside = |places: &[(f64, f64)]| {
            let labels = self.labels(places);
            labels.iter().map(|l| l.left).fold(MARGIN, f64::min)
        };
        let shift = MARGIN - outside(&places);
        places.iter_mut().for_each(|place| place.0 += shift);
        let mut out = String::new();
        let mut labels = String::new();
        let texts = self.labels(&places);
        for (arc, label) in self.arcs.iter().zip(&texts) {
            self.draw(&mut out, arc, &places);
            about(&mut labels, ((label.left + label.right) / 2.0, label.bottom), &arc.text, LABEL);
        }
        for (node, place) in self.nodes.iter().zip(&places) {
            let class = if node.inside { "stuck" } else { "process" };
            lines_box(&mut out, class, *place, &[&node.name, &node.at], LABEL);
        }
        out += &labels;
        let bottom = places.iter().map(|p| p.1).fold(0.0, f64::max) + 60.0;
        for (i, sentence) in self.sentences.iter().enumerate() {
            let y = bottom + LINE * i as f64;
            let text = crate::xml::escape(sentence);
            writeln!(out, "<text x=\"{MARGIN}\" y=\"{y:.1}\">{text}</text>").expect("a string");
        }
        let beside = texts.iter().map(|l| l.right + MARGIN).fold(0.0, f64::max);
        let texts = self.sentences.iter().chain([&self.title]).map(|s| width(s) * 1.1).fold(0.0, f64::max);
        let right = (places.iter().map(|p| p.0).fold(0.0, f64::max) + self.half()).max(beside);
        let high = bottom + LINE * self.sentences.len() as f64 + MARGIN;
        page(&self.title, (right.max(texts + 2.0 * MARGIN), high), &out)
    }

    /// How far a node may reach to each side.
    fn half(&self) -> f64 {
        let texts = self.nodes.iter().flat_map(|n| [&n.name, &n.at]).map(|t| wide(t) / 2.0);
        texts.fold(30.0, f64::max) + MARGIN
    }

    /// How far what belongs to a node may reach: the text of an arc that is bent away from another one stands beside it.
    fn reach(&self) -> f64 {
        let arcs = self.arcs.iter().filter(|a| self.comes_back(a)).map(|a| wide(&a.text) + 8.0 + MARGIN);
        arcs.fold(self.half(), f64::max)
    }

    /// Whether there is an arc in the other direction.
    fn comes_back(&self, arc: &Arc) -> bool {
        self.arcs.iter().any(|a| a.from == arc.to && a.to == arc.from && a.from != a.to)
    }

    /// Where the nodes are: those inside on a circle, the others on one around it.
    fn places(&self) -> Vec<(f64, f64)> {
        let inside = self.nodes.iter().filter(|n| n.inside).count();
        let outside = self.nodes.len() - inside;
        let texts = self.arcs.iter().map(|arc| wide(&arc.text));
        let room = self.half() * 2.0 + texts.fold(0.0, f64::max);
        // As many as there are need so much of the circle each.
        let radius = |count: usize, least: f64| if count < 2 { least } else { (room * count as f64 / TAU).max(least) };
        let inner = if inside < 2 { 0.0 } else { radius(inside, 120.0) };
        let outer = if outside == 0 { inner } else { radius(outside, inner + 130.0) };
        let centre = (outer + self.reach(), outer + 80.0);
        let (mut within, mut without) = (0, 0);
        let place = |node: &Node| {
            let (number, count, radius) = match node.inside {
                true => (&mut within, inside, inner),
                false => (&mut without, outside, outer),
            };
            let angle = TAU * *number as f64 / count as f64 - TAU / 4.0;
            *number += 1;
            (centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin())
        };
        self.nodes.iter().map(place).collect()
    }

    /// Where the texts of the arcs are: on their arcs, and if that can be, not on boxes or other texts.
    fn labels(&self, places: &[(f64, f64)]) -> Vec<Frame> {
        let mut taken: Vec<Frame> = self.nodes.iter().zip(places).map(|(node, at)| node.frame(*at)).collect();
        let boxes = taken.len();
        for arc in &self.arcs {
            let tried = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74].map(|part| self.label(arc, places, part));
            let free = tried.iter().find(|frame| !taken.iter().any(|other| other.meets(frame)));
            taken.push(*free.unwrap_or(&tried[0]));
        }
        taken.split_off(boxes)
    }

    /// The text of an arc at some part of it.
    fn label(&self, arc: &Arc, places: &[(f64, f64)], part: f64) -> Frame {
        let (x0, y0) = places[arc.from];
        if arc.from == arc.to {
            return Frame::text((x0 + 60.0, y0 - 50.0), &arc.text);
        }
        let ((cx, cy), (x1, y1)) = (self.bend(arc, places), self.tip(arc, places));
        let along =
            |a: f64, c: f64, b: f64| (1.0 - part).powi(2) * a + 2.0 * part * (1.0 - part) * c + part.powi(2) * b;
        Frame::text((along(x0, cx, x1), along(y0, cy, y1) - 4.0), &arc.text)
    }

    /// To where an arc is bent: to its left, so that one in the other direction does not meet it.
    fn bend(&self, arc: &Arc, places: &[(f64, f64)]) -> (f64, f64) {
        let ((x0, y0), (x1, y1)) = (places[arc.from], places[arc.to]);
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = dx.hypot(dy).max(1.0);
        let mut bend = (length * 0.18).min(50.0);
        if self.comes_back(arc) {
            bend = bend.max(wide(&arc.text) + 16.0);
        }
        ((x0 + x1) / 2.0 + dy / length * bend, (y0 + y1) / 2.0 - dx / length * bend)
    }

    /// Where an arc ends: before the box, not below it.
    fn tip(&self, arc: &Arc, places: &[(f64, f64)]) -> (f64, f64) {
        let ((cx, cy), (x1, y1)) = (self.bend(arc, places), places[arc.to]);
        let (ex, ey) = (x1 - cx, y1 - cy);
        let node = &self.nodes[arc.to];
        let half = wide(&node.name).max(wide(&node.at)) / 2.0 + 9.0;
        let part = (half / ex.abs().max(0.1)).min(22.0 / ey.abs().max(0.1)).min(0.9);
        (x1 - ex * part, y1 - ey * part)
    }

    fn draw(&self, out: &mut String, arc: &Arc, places: &[(f64, f64)]) {
        let (x0, y0) = places[arc.from];
        let (class, tip) = if arc.inside { ("arrow bad", "bad-tip") } else { ("arrow other", "tip") };
        if arc.from == arc.to {
            let (right, top) = (x0 + 60.0, y0 - 50.0);
            writeln!(
                out,
                "<path class=\"{class}\" marker-end=\"url(#{tip})\" d=\"M{x0:.1} {y0:.1}C{x0:.1} {top:.1} {right:.1} {top:.1} {:.1} {:.1}\"/>",
                x0 + 20.0,
                y0 - 19.0
            )
            .expect("a string");
            return;
        }
        let (cx, cy) = self.bend(arc, places);
        let (x1, y1) = self.tip(arc, places);
        writeln!(
            out,
            "<path class=\"{class}\" marker-end=\"url(#{tip})\" d=\"M{x0:.1} {y0:.1}Q{cx:.1} {cy:.1} {x1:.1} {y1:.1}\"/>"
        )
        .expect("a string");
    }
}

/// A part of the page.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    /// Of a text, its base line.
    bottom: f64,
}

impl Frame {
    fn text((x, y): (f64, f64), text: &str) -> Self {
        let half = wide(text) / 2.0;
        Self { left: x - half, right: x + half, top: y - 12.0, bottom: y }
    }

    fn meets(&self, other: &Self) -> bool {
        let apart =
            self.right < other.left || other.right < self.left || self.bottom < other.top || other.bottom < self.top;
        !apart
    }
}

impl Node {
    fn frame(&self, (x, y): (f64, f64)) -> Frame {
        let half = wide(&self.name).max(wide(&self.at)) / 2.0 + 7.0;
        Frame { left: x - half, right: x + half, top: y - 19.0, bottom: y + 23.0 }
    }
}

/// What somebody waits for, beside an arc that says for whom.
fn between(text: &str, whom: &str) -> String {
    let short = text.strip_prefix(&format!("waits for {whom} ")).and_then(|rest| rest.split(';').next());
    short.unwrap_or(text).to_owned()
}

/// The width of a text that may be shortened.
fn wide(text: &str) -> f64 {
    width(text).min(LABEL as f64 * 7.0)
}

/// Those for whom somebody waits who may not stop.
fn awaited(deadlock: &Deadlock) -> HashSet<&str> {
    let waits = deadlock.processes.iter().filter(|s| !s.may_stop).flat_map(|s| &s.waits);
    waits.flat_map(|w| &w.blockers).flat_map(|b| b.helpers.iter().chain(&b.in_vain)).map(String::as_str).collect()
}

/// A graph that grows.
#[derive(Default)]
struct Sketch {
    nodes: Vec<Node>,
    numbers: HashMap<String, usize>,
    arcs: Vec<Arc>,
    drawn: HashSet<(usize, usize)>,
}

impl Sketch {
    /// A node, unless there is one of that name already.
    fn node(&mut self, node: Node) {
        if !self.numbers.contains_key(&node.name) {
            self.numbers.insert(node.name.clone(), self.nodes.len());
            self.nodes.push(node);
        }
    }

    /// An arc between two that are there, unless there is one already.
    fn arc(&mut self, from: &str, to: &str, text: &str, inside: bool) {
        if let (Some(&from), Some(&to)) = (self.numbers.get(from), self.numbers.get(to))
            && (self.drawn.insert((from, to)) || inside)
        {
            self.arcs.push(Arc { from, to, text: text.to_owned(), inside });
        }
    }

    fn done(self, title: String, sentences: Vec<String>) -> Waiting {
        Waiting { title, nodes: self.nodes, arcs: self.arcs, sentences }
    }
}

#[cfg(test)]
mod tests {
    use explain::{Blocker, Elided, Feeder, Link, Stuck, Wait};

    use super::*;

    fn stuck(process: &str, may_stop: bool, waits_for: &[&str]) -> Stuck {
        let helpers = waits_for.iter().map(|h| (*h).to_owned()).collect();
        let blockers = vec![Blocker { text: "`x` is false".to_owned(), helpers, ..Blocker::default() }];
        let waits = vec![Wait { step: "s".to_owned(), source: Vec::new(), blockers }];
        Stuck { process: process.to_owned(), at: "l\"".to_owned(), may_stop, source: None, waits, left_out: false }
    }

    fn deadlock(processes: Vec<Stuck>, cycle: &[(&str, &str)]) -> Deadlock {
        let link = |(a, b): &(&str, &str)| Link {
            process: (*a).to_owned(),
            waits_for: (*b).to_owned(),
            text: format!("{a} waits for a <lock>, held by {b}"),
        };
        Deadlock {
            processes,
            marking: Vec::new(),
            others: Vec::new(),
            elided: Elided::default(),
            siphon: None,
            cycle: cycle.iter().map(link).collect(),
            no_cycle: Vec::new(),
            advice: None,
        }
    }

    #[test]
    fn the_cycle_is_red_and_those_who_only_stopped_are_not_there() {
        let processes = vec![
            stuck("A", false, &["B"]),
            stuck("B", false, &["A"]),
            stuck("C", false, &["A"]),
            stuck("D", true, &["A"]),
        ];
        let graph = Waiting::new("m", &deadlock(processes, &[("A", "B"), ("B", "A")])).expect("a graph");
        let dot = graph.dot();
        assert_eq!(dot.matches("color=red").count(), 4);
        assert!(dot.contains("n0 -> n1 [label=\"a <lock>\", color=red, penwidth=2];"), "{dot}");
        assert!(dot.contains("n2 -> n0 [label=\"`x` is false\", style=dashed];"), "{dot}");
        assert!(dot.contains("label=\"C\\nl\\\"\"") && !dot.contains("\"D"), "{dot}");
        let svg = graph.svg();
        assert_eq!((svg.matches("url(#bad-tip)").count(), svg.matches("url(#tip)").count()), (2, 1));
        assert!(svg.contains("a &lt;lock&gt;, held by B") && !svg.contains("NaN"));
    }

    #[test]
    fn where_nobody_waits_in_a_circle_none_is_drawn() {
        // A needs C, which never comes, and B as well; B needs C, and A.
        let waits = |process: &str, other: &str| {
            let mut stuck = stuck(process, false, &[other]);
            let text = "waits for C to come to `s`; C is at `l`".to_owned();
            let never = Blocker { text, in_vain: vec!["C".to_owned()], ..Blocker::default() };
            stuck.waits[0].blockers.push(never);
            stuck
        };
        let processes = vec![waits("A", "B"), waits("B", "A"), stuck("C", false, &[])];
        let graph = Waiting::new("m", &deadlock(processes, &[])).expect("a graph");
        let arcs: Vec<_> = graph.arcs.iter().map(|a| (a.from, a.to, a.text.as_str())).collect();
        assert_eq!(arcs, [(0, 2, "to come to `s`"), (1, 2, "to come to `s`")]);
        assert!(graph.svg().contains("nobody waits in a circle"));
    }

    #[test]
    fn texts_of_arcs_are_on_the_page_and_not_on_boxes() {
        let names = ["A", "B", "C", "D", "E"];
        let ring: Vec<(&str, &str)> = (0..5).map(|i| (names[i], names[(i + 1) % 5])).collect();
        let processes = names.iter().map(|n| stuck(n, false, &[])).collect();
        let graph = Waiting::new("m", &deadlock(processes, &ring)).expect("a graph");
        let places = graph.places();
        let labels = graph.labels(&places);
        for label in &labels {
            let boxes = graph.nodes.iter().zip(&places).filter(|(node, at)| node.frame(**at).meets(label));
            assert_eq!(boxes.count(), 0, "{label:?}");
        }
    }

    #[test]
    fn of_a_very_large_graph_a_part_is_drawn() {
        let names: Vec<String> = (0..3000).map(|i| format!("P{i}")).collect();
        let processes = names.iter().map(|n| stuck(n, false, &["P1", "P0"])).collect();
        let graph = Waiting::new("m", &deadlock(processes, &[("P0", "P1"), ("P1", "P0")])).expect("a graph");
        assert_eq!(graph.dot().matches("shape=box").count(), 3000);
        let svg = graph.svg();
        assert!(svg.contains("P119") && !svg.contains("P120"));
        assert!(svg.contains("... and 2880 more boxes that are not drawn"));
    }

    #[test]
    fn a_siphon_is_drawn_with_what_could_fill_it() {
        let feeder = |t: &str, needs: &str, fills: &str| Feeder {
            transition: t.to_owned(),
            needs: needs.to_owned(),
            fills: fills.to_owned(),
        };
        let siphon = Siphon {
            places: vec!["p".to_owned(), "q".to_owned()],
            emptied: true,
            feeders: vec![feeder("t", "p", "q"), feeder("u", "p", "p")],
        };
        let graph =
            Waiting::new("n", &Deadlock { siphon: Some(siphon), ..deadlock(Vec::new(), &[]) }).expect("a graph");
        assert!(graph.dot().contains("n1 -> n0 [label=\"filled by t, which needs\", color=red, penwidth=2];"));
        assert!(graph.svg().contains("t would put a token into q, but needs one of p"));
        assert_eq!(Waiting::new("n", &deadlock(Vec::new(), &[])), None);
    }
}
