//! What all drawings share: how wide a text is, how long it may be, and the page.

use std::fmt::Write as _;

use crate::xml::escape;

/// The width of a character, and of one that is as wide as high.
const NARROW: f64 = 6.9;
const WIDE: f64 = 12.5;

/// About the width of a text.
pub fn width(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() { NARROW } else { WIDE }).sum()
}

/// A text of a bearable length: beginning and end, which is where indices are.
pub fn shortened(text: &str, most: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= most {
        return text.to_owned();
    }
    let (head, tail) = (&chars[..most / 2], &chars[chars.len() + 1 - most / 2..]);
    format!("{}\u{2026}{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

/// A quoted string of Graphviz.
pub fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// Colours that follow the reader's light or dark scheme; nothing is told by colour alone.
const STYLE: &str = "\
svg { font: 12px sans-serif; }
.paper { fill: #ffffff; } text { fill: #1d2430; } .title { font-size: 15px; } .remark { font-size: 11px; fill: #6b7280; }
.life, .frame { stroke: #7c8696; fill: none; } .life { stroke-dasharray: 4 4; } .frame { stroke-dasharray: 8 3; }
.arrow { stroke: #4a5568; fill: none; stroke-width: 1.3; } .tip { fill: #4a5568; }
.other { stroke-dasharray: 5 4; } .bad { stroke: #c0392b; stroke-width: 2; } .bad-tip { fill: #c0392b; }
rect { fill: #dfe9f7; stroke: #2f5d9b; } rect.channel { fill: #f3ead3; stroke: #94711d; } rect.note { fill: #f6f7f9; stroke: #8a93a1; }
rect.stuck { fill: #ffffff; stroke: #c0392b; stroke-width: 2; } text.about { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #16181c; } text { fill: #e6e6e6; } .remark { fill: #9aa3b0; }
  .arrow { stroke: #c3cad5; } .tip { fill: #c3cad5; } .bad { stroke: #ff7b6b; } .bad-tip { fill: #ff7b6b; }
  rect { fill: #22344f; stroke: #6fa3e8; } rect.channel { fill: #3d3316; stroke: #d6ae4f; }
  rect.note { fill: #23262c; stroke: #7d8694; } rect.stuck { fill: #16181c; stroke: #ff7b6b; } text.about { stroke: #16181c; }
}";

const TIPS: &str = "\
<defs>
<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
<path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker>
<marker id=\"bad-tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">\
<path class=\"bad-tip\" d=\"M0 0L8 4L0 8z\"/></marker>
</defs>";

/// A document of this size around what is drawn.
pub(crate) fn page(title: &str, (wide, high): (f64, f64), drawn: &str) -> String {
    let mut out = String::new();
    let name = escape(title);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" \
         viewBox=\"0 0 {wide:.0} {high:.0}\" role=\"img\">\n<title>{name}</title>\n<style>\n{STYLE}\n</style>\n{TIPS}\n\
         <path class=\"paper\" d=\"M0 0H{wide:.0}V{high:.0}H0z\"/>\n\
         <text class=\"title\" x=\"24\" y=\"28\">{name}</text>\n{drawn}</svg>"
    )
    .expect("writing to a string cannot fail");
    out
}

/// A box with a text in its middle; what is too long is in its title.
pub(crate) fn labelled_box(out: &mut String, class: &str, middle: (f64, f64), text: &str, most: usize) {
    lines_box(out, class, middle, &[text], most);
}

/// A box with lines of text; what is too long is in its title.
pub(crate) fn lines_box(out: &mut String, class: &str, (x, y): (f64, f64), lines: &[&str], most: usize) {
    let short: Vec<String> = lines.iter().map(|line| shortened(line, most)).collect();
    let wide = short.iter().map(|line| width(line)).fold(0.0, f64::max) + 14.0;
    let high = 10.0 + 14.0 * lines.len() as f64;
    write!(
        out,
        "<g><title>{}</title><rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{high}\" rx=\"3\"/>",
        escape(&lines.join("\n")),
        x - wide / 2.0,
        y - high / 2.0,
    )
    .expect("writing to a string cannot fail");
    for (i, line) in short.iter().enumerate() {
        let y = y + 11.0 - high / 2.0 + 5.0 + 14.0 * i as f64;
        write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>", escape(line))
            .expect("writing to a string cannot fail");
    }
    out.push_str("</g>\n");
}

/// A text around a point.
pub(crate) fn about(out: &mut String, (x, y): (f64, f64), text: &str, most: usize) {
    let short = escape(&shortened(text, most));
    let whole = escape(text);
    writeln!(
        out,
        "<text class=\"about\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\"><title>{whole}</title>{short}</text>"
    )
    .expect("writing to a string cannot fail");
}
