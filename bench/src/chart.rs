//! Charts on logarithmic axes, as SVG. They have a light background of their own, so they
//! are readable on a dark page too.

use svg::Document;
use svg::node::element::{Circle, Group, Line, Polyline, Rectangle, Text};

/// One line: its name, and its points (size, nanoseconds).
#[derive(Clone)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(i64, f64)>,
    pub(crate) dashed: bool,
}

/// Where the marks on the horizontal axis are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ticks {
    Tens,
    Twos,
}

/// Lines against a size.
pub(crate) struct Chart {
    pub(crate) axis: &'static str,
    pub(crate) ticks: Ticks,
    pub(crate) series: Vec<Series>,
}

/// From the median to the 99th percentile, with a mark at the mean.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) median: f64,
    pub(crate) mean: f64,
    pub(crate) p99: f64,
}

const COLOURS: [&str; 12] = [
    "#1b6ca8", "#c1440e", "#2e7d32", "#7b1fa2", "#b8860b", "#00838f", "#ad1457", "#5d4037",
    "#555555", "#e06c9f", "#3f51b5", "#8a9a00",
];
const GRID: &str = "#dddddd";
const TOP: f64 = 24.0;
const BOTTOM: f64 = 46.0;

/// A logarithmic axis from one pixel to another.
#[derive(Clone, Copy)]
struct Axis {
    values: (f64, f64),
    pixels: (f64, f64),
}

impl Axis {
    fn at(self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.pixels);
        from + (value / low).ln() / (high / low).ln() * (to - from)
    }
}

/// Whole powers of ten that enclose all times.
fn decades(times: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = times.fold((f64::INFINITY, 0f64), |(low, high), t| (low.min(t), high.max(t)));
    (10f64.powf(low.log10().floor()), 10f64.powf(high.log10().ceil()))
}

fn powers(base: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let all = std::iter::successors(Some(low), |value| Some(value * base));
    all.take_while(|value| *value <= high * 1.001).collect()
}

fn time_label(time: f64) -> String {
    let (value, unit) = match time {
        t if t < 0.999e3 => (t, "ns"),
        t if t < 0.999e6 => (t / 1e3, "µs"),
        t if t < 0.999e9 => (t / 1e6, "ms"),
        t => (t / 1e9, "s"),
    };
    format!("{value:.0} {unit}")
}

/// A power of ten.
fn power(exponent: u32) -> String {
    let raised = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10).unwrap_or(0) as usize);
    format!("10{}", exponent.to_string().chars().filter_map(raised).collect::<String>())
}

fn page(width: f64, height: f64) -> Document {
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .add(
            Rectangle::new()
                .set("width", width)
                .set("height", height)
                .set("rx", 6)
                .set("fill", "#ffffff"),
        )
}

fn rule(from: (f64, f64), to: (f64, f64), colour: &str) -> Line {
    Line::new()
        .set("x1", round(from.0))
        .set("y1", round(from.1))
        .set("x2", round(to.0))
        .set("y2", round(to.1))
        .set("stroke", colour)
}

fn label(text: impl Into<String>, at: (f64, f64), anchor: &str) -> Text {
    Text::new(text.into())
        .set("x", round(at.0))
        .set("y", round(at.1))
        .set("text-anchor", anchor)
        .set("fill", "#333333")
}

fn round(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}

impl Chart {
    /// The chart, with the names beside it.
    pub(crate) fn draw(&self) -> Document {
        let (width, left, right) = (1000.0, 80.0, 430.0);
        let height = f64::max(420.0, TOP + BOTTOM + 22.0 * self.series.len() as f64);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let base = if self.ticks == Ticks::Tens { 10.0 } else { 2.0 };
        let largest = points().map(|point| point.0).max().unwrap_or(1) as f64;
        let x = Axis {
            values: (if self.ticks == Ticks::Tens { 10.0 } else { 1.0 }, largest),
            pixels: (left, width - right),
        };
        let y =
            Axis { values: decades(points().map(|point| point.1)), pixels: (height - BOTTOM, TOP) };
        let mut chart = page(width, height);
        for size in powers(base, x.values) {
            let at = x.at(size);
            let name = match self.ticks {
                Ticks::Tens => power(size.log10().round() as u32),
                Ticks::Twos => format!("{size:.0}"),
            };
            chart = chart.add(rule((at, TOP), (at, height - BOTTOM), GRID)).add(label(
                name,
                (at, height - BOTTOM + 18.0),
                "middle",
            ));
        }
        for time in powers(10.0, y.values) {
            let at = y.at(time);
            chart = chart.add(rule((left, at), (width - right, at), GRID)).add(label(
                time_label(time),
                (left - 8.0, at + 4.0),
                "end",
            ));
        }
        let middle = (left + width - right) / 2.0;
        let upwards = format!("rotate(-90 16 {})", height / 2.0);
        chart = chart.add(label(self.axis, (middle, height - 8.0), "middle")).add(
            label("time of a decision", (16.0, height / 2.0), "middle").set("transform", upwards),
        );
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let at = TOP + 14.0 + 22.0 * number as f64;
            chart = chart.add(line(series, x, y, colour)).add(legend(
                series,
                (width - right + 16.0, at),
                colour,
            ));
        }
        chart
    }
}

fn line(series: &Series, x: Axis, y: Axis, colour: &str) -> Group {
    let at = |&(size, time): &(i64, f64)| (round(x.at(size as f64)), round(y.at(time)));
    let points: Vec<(f64, f64)> = series.points.iter().map(at).collect();
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let mut stroke = Polyline::new()
        .set("points", path.join(" "))
        .set("fill", "none")
        .set("stroke", colour)
        .set("stroke-width", 2);
    if series.dashed {
        stroke = stroke.set("stroke-dasharray", "5 4");
    }
    let dots = points.iter().map(|&(x, y)| Circle::new().set("cx", x).set("cy", y).set("r", 2.5));
    dots.fold(Group::new().add(stroke), |group, dot| group.add(dot.set("fill", colour)))
}

fn legend(series: &Series, (x, y): (f64, f64), colour: &str) -> Group {
    let mut sample = rule((x, y - 4.0), (x + 22.0, y - 4.0), colour).set("stroke-width", 3);
    if series.dashed {
        sample = sample.set("stroke-dasharray", "5 4");
    }
    Group::new().add(sample).add(label(series.name.clone(), (x + 30.0, y), "start"))
}

/// One bar for each way to get an answer.
pub(crate) fn bars(bars: &[Bar]) -> Document {
    let (width, left, right, step) = (960.0, 250.0, 40.0, 30.0);
    let height = TOP + BOTTOM + step * bars.len() as f64;
    let times = bars.iter().flat_map(|bar| [bar.median, bar.mean, bar.p99]);
    let x = Axis { values: decades(times), pixels: (left, width - right) };
    let mut chart = page(width, height);
    for time in powers(10.0, x.values) {
        let at = x.at(time);
        chart = chart.add(rule((at, TOP), (at, height - BOTTOM), GRID)).add(label(
            time_label(time),
            (at, height - BOTTOM + 18.0),
            "middle",
        ));
    }
    for (number, bar) in bars.iter().enumerate() {
        let y = TOP + step * (number as f64 + 0.5);
        let (from, to) = (x.at(bar.median), x.at(bar.p99));
        let colour = if bar.name.starts_with("viewmerge") { COLOURS[0] } else { COLOURS[1] };
        chart = chart
            .add(label(bar.name.clone(), (left - 12.0, y + 4.0), "end"))
            .add(
                Rectangle::new()
                    .set("x", round(from))
                    .set("y", round(y - 7.0))
                    .set("width", round((to - from).max(3.0)))
                    .set("height", 14)
                    .set("fill", colour)
                    .set("fill-opacity", 0.75),
            )
            .add(
                Circle::new()
                    .set("cx", round(x.at(bar.mean)))
                    .set("cy", round(y))
                    .set("r", 4)
                    .set("fill", "#ffffff")
                    .set("stroke", "#222222")
                    .set("stroke-width", 1.5),
            );
    }
    let note = "time of a decision: the bar runs from the median to what 99% take at most, the circle is the mean";
    chart.add(label(note, (width / 2.0, height - 8.0), "middle"))
}
