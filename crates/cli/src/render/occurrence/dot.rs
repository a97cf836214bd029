//! Occurrence nets for Graphviz.

use std::fmt::Write as _;

use super::{Arc, ArcKind, Kind, Node, Picture};
use formats::drawing::quote;

impl Picture {
    /// A graph in the language of Graphviz.
    pub(crate) fn dot(&self) -> String {
        let mut out = String::new();
        self.write_dot(&mut out).expect("writing to a string cannot fail");
        out
    }

    fn write_dot(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "digraph {} {{", quote(&self.title))?;
        writeln!(out, "  label={};\n  labelloc=t;", quote(&format!("{}\n{}", self.title, self.sizes)))?;
        self.nodes.iter().try_for_each(|node| write_node(out, node))?;
        let initial = |node: &&Node| matches!(node.kind, Kind::Condition { initial: true, .. });
        let first: Vec<&str> = self.nodes.iter().filter(initial).map(|node| node.id.as_str()).collect();
        if !first.is_empty() {
            writeln!(out, "  {{ rank=source; {}; }}", first.join("; "))?;
        }
        for &Arc { from, to, kind } in &self.arcs {
            let style = match kind {
                ArcKind::Flow => "",
                ArcKind::Read => " [dir=none, style=dotted]",
                ArcKind::Lacking => " [style=dashed, color=red]",
            };
            writeln!(out, "  {} -> {}{style};", self.nodes[from].id, self.nodes[to].id)?;
        }
        writeln!(out, "}}")
    }
}

fn write_node(out: &mut String, node: &Node) -> std::fmt::Result {
    let remark = node.remark.as_ref().map_or_else(String::new, |remark| format!("\n{remark}"));
    let label = quote(&format!("{}{remark}", node.name));
    let style = match node.kind {
        Kind::Condition { initial: true, left: false } => "shape=ellipse, style=bold",
        Kind::Condition { initial: false, left: false } => "shape=ellipse",
        Kind::Condition { left: true, .. } => "shape=ellipse, style=\"bold,filled\", fillcolor=gold",
        Kind::Event => "shape=box",
        Kind::CutOff => "shape=box, style=dashed, color=gray, fontcolor=gray",
        Kind::Blocked => "shape=box, style=dashed, color=red, fontcolor=red",
    };
    writeln!(out, "  {} [{style}, label={label}];", node.id)
}
