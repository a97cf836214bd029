//! Plots as SVG: two axes with ticks, a curve with markers for each series, a legend. Colours follow the reader's
//! light or dark scheme; curves differ by their dashes too, so that they can be told apart without colours.

use std::fmt::Write as _;

use crate::plot::{Axis, Plot, Series};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// The corners of the area of the curves; the legend is to the right of it.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 570.0;
const TOP: f64 = 45.0;
const BOTTOM: f64 = 380.0;

const STYLE: &str = "\
svg { font: 13px sans-serif; }
.paper { fill: #ffffff; } .axis { stroke: #222222; fill: none; } .tick { stroke: #dddddd; } text { fill: #222222; }
.title { font-size: 15px; }
.c0 { color: #1f5fa8; } .c1 { color: #c0501c; } .c2 { color: #2e7d32; } .c3 { color: #7b3fa0; }
.c1 { stroke-dasharray: 7 4; } .c2 { stroke-dasharray: 2 4; } .c3 { stroke-dasharray: 9 3 2 3; }
.curve { stroke: currentColor; stroke-width: 2; fill: none; } .point { fill: currentColor; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #16181c; } .axis { stroke: #e6e6e6; } .tick { stroke: #3a3d44; } text { fill: #e6e6e6; }
  .c0 { color: #6fb1ff; } .c1 { color: #ff9a5c; } .c2 { color: #7bd67f; } .c3 { color: #cf9bf0; }
}";

impl Plot {
    /// A whole SVG document.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        self.write(&mut out).expect("writing to a string cannot fail");
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">")?;
        writeln!(out, "<title>{}</title>\n<style>\n{STYLE}\n</style>", escape(&self.title))?;
        writeln!(out, "<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>")?;
        writeln!(out, "<text class=\"title\" x=\"{LEFT}\" y=\"25\">{}</text>", escape(&self.title))?;
        let points = || self.series.iter().flat_map(|s| &s.points);
        let x = Scale::new(&self.x, points().map(|p| p.0), (LEFT, RIGHT));
        let y = Scale::new(&self.y, points().map(|p| p.1), (BOTTOM, TOP));
        horizontal(out, &self.x, &x)?;
        vertical(out, &self.y, &y)?;
        writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>")?;
        self.series.iter().enumerate().try_for_each(|(i, s)| curve(out, i, s, (&x, &y)))?;
        writeln!(out, "</svg>")
    }
}

/// From values to places.
struct Scale {
    log: bool,
    /// The values at the ends.
    range: (f64, f64),
    /// The places of the ends.
    span: (f64, f64),
    ticks: Vec<f64>,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, span: (f64, f64)) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (1.0, 10.0) };
        let ticks = if axis.log { decades(low, high) } else { steps(low, high) };
        let range = (ticks[0], ticks[ticks.len() - 1]);
        Self { log: axis.log, range, span, ticks }
    }

    fn place(&self, value: f64) -> f64 {
        let along = |v: f64| if self.log { v.max(1.0).log10() } else { v };
        let (from, to) = (along(self.range.0), along(self.range.1));
        self.span.0 + (along(value) - from) / (to - from) * (self.span.1 - self.span.0)
    }
}

/// Powers of ten around a range of numbers that are at least one.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let first = low.max(1.0).log10().floor() as i32;
    let last = (high.max(1.0).log10().ceil() as i32).max(first + 1);
    (first..=last).map(|k| 10f64.powi(k)).collect()
}

/// Multiples of one, two or five times a power of ten around a range: ten of them or fewer.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let rough = ((high - low) / 10.0).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough * 0.999).unwrap_or(power);
    let first = (low / step).floor() as i64;
    let last = ((high / step).ceil() as i64).max(first + 1);
    (first..=last).map(|k| k as f64 * step).collect()
}

fn horizontal(out: &mut String, axis: &Axis, scale: &Scale) -> std::fmt::Result {
    for &tick in &scale.ticks {
        let x = scale.place(tick);
        writeln!(out, "<path class=\"tick\" d=\"M{x:.1} {BOTTOM}V{TOP}\"/>")?;
        let y = BOTTOM + 20.0;
        writeln!(out, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", number(tick))?;
    }
    let (x, y) = ((LEFT + RIGHT) / 2.0, BOTTOM + 45.0);
    writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escape(&axis.label))
}

fn vertical(out: &mut String, axis: &Axis, scale: &Scale) -> std::fmt::Result {
    for &tick in &scale.ticks {
        let y = scale.place(tick);
        writeln!(out, "<path class=\"tick\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>")?;
        let (x, y) = (LEFT - 8.0, y + 4.0);
        writeln!(out, "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>", number(tick))?;
    }
    let y = (TOP + BOTTOM) / 2.0;
    writeln!(
        out,
        "<text transform=\"translate(16 {y}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(&axis.label)
    )
}

/// A curve, its markers, and its line of the legend.
fn curve(out: &mut String, i: usize, series: &Series, (x, y): (&Scale, &Scale)) -> std::fmt::Result {
    let class = i % 4;
    let places: Vec<(f64, f64)> = series.points.iter().map(|p| (x.place(p.0), y.place(p.1))).collect();
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    writeln!(out, "<g class=\"c{class}\">\n<polyline class=\"curve\" points=\"{}\"/>", line.join(" "))?;
    for (x, y) in places {
        writeln!(out, "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>")?;
    }
    let (left, right, height) = (RIGHT + 15.0, RIGHT + 45.0, TOP + 15.0 + 24.0 * i as f64);
    writeln!(out, "<path class=\"curve\" d=\"M{left} {height}H{right}\"/>")?;
    let (text, height) = (right + 8.0, height + 4.0);
    writeln!(out, "<text x=\"{text}\" y=\"{height}\">{}</text>\n</g>", escape(&series.name))
}

/// A tick for people: whole, with its thousands apart.
fn number(value: f64) -> String {
    if value < 1.0 && value != 0.0 {
        return format!("{value}");
    }
    let digits = format!("{value:.0}");
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|g| String::from_utf8_lossy(g)).collect::<Vec<_>>().join(",")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_surround_the_values() {
        assert_eq!(decades(8.0, 531_440.0), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(decades(1.0, 1.0), [1.0, 10.0]);
        assert_eq!(steps(2.0, 12.0), (2..=12).map(f64::from).collect::<Vec<_>>());
        assert_eq!(steps(0.0, 95.0).len(), 11);
        assert_eq!([number(1000.0), number(10.0), number(1e6)], ["1,000", "10", "1,000,000"]);
    }

    #[test]
    fn ends_of_a_scale_are_at_its_ends() {
        let axis = Axis { label: String::new(), log: true };
        let scale = Scale::new(&axis, [10.0, 1000.0].into_iter(), (0.0, 200.0));
        assert_eq!([10.0, 100.0, 1000.0].map(|v| scale.place(v)), [0.0, 100.0, 200.0]);
    }
}
