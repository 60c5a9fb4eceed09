//! Lines on two logarithmic axes, as SVG.

use svg::Document;
use svg::node::element::{Circle, Line, Polyline, Rectangle, Text};

/// One line: its name, and (length, nanoseconds).
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 350.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 46.0;
/// Exponents of ten at the ends of the axes.
const X: (i32, i32) = (1, 18);
const Y: (i32, i32) = (1, 9);
/// Readable on a light and on a dark background; the chart brings its own light one.
const COLOURS: [&str; 8] =
    ["#1b6ca8", "#c1440e", "#2e7d32", "#7b1fa2", "#b8860b", "#00838f", "#ad1457", "#555555"];

fn x(length: f64) -> f64 {
    let (from, to) = (f64::from(X.0), f64::from(X.1));
    LEFT + (length.log10() - from) / (to - from) * (WIDTH - LEFT - RIGHT)
}

fn y(time: f64) -> f64 {
    let (from, to) = (f64::from(Y.0), f64::from(Y.1));
    HEIGHT - BOTTOM - (time.log10() - from) / (to - from) * (HEIGHT - TOP - BOTTOM)
}

/// The chart.
pub(crate) fn draw(series: &[Series]) -> Document {
    let mut chart = Document::new()
        .set("viewBox", (0, 0, WIDTH, HEIGHT))
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .add(Rectangle::new().set("width", WIDTH).set("height", HEIGHT).set("fill", "#ffffff"));
    for exponent in (X.0..=X.1).step_by(2) {
        let at = x(10f64.powi(exponent));
        chart = chart.add(rule((at, TOP), (at, HEIGHT - BOTTOM))).add(label(
            format!("10^{exponent}"),
            (at, HEIGHT - BOTTOM + 18.0),
            "middle",
        ));
    }
    for (exponent, name) in (Y.0..=Y.1)
        .zip(["10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"])
    {
        let at = y(10f64.powi(exponent));
        chart = chart.add(rule((LEFT, at), (WIDTH - RIGHT, at))).add(label(
            name.to_string(),
            (LEFT - 8.0, at + 4.0),
            "end",
        ));
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    chart = chart.add(label("length of the axis".to_string(), (middle, HEIGHT - 8.0), "middle"));
    for (number, line) in series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points: Vec<String> = line
            .points
            .iter()
            .map(|&(length, time)| format!("{:.1},{:.1}", x(length), y(time)))
            .collect();
        chart = chart.add(
            Polyline::new()
                .set("points", points.join(" "))
                .set("fill", "none")
                .set("stroke", colour)
                .set("stroke-width", 2),
        );
        for &(length, time) in &line.points {
            chart = chart.add(
                Circle::new()
                    .set("cx", x(length))
                    .set("cy", y(time))
                    .set("r", 3)
                    .set("fill", colour),
            );
        }
        let at = TOP + 14.0 + 22.0 * number as f64;
        let from = WIDTH - RIGHT + 16.0;
        chart = chart
            .add(
                Line::new()
                    .set("x1", from)
                    .set("y1", at - 4.0)
                    .set("x2", from + 18.0)
                    .set("y2", at - 4.0)
                    .set("stroke", colour)
                    .set("stroke-width", 3),
            )
            .add(label(line.name.clone(), (from + 24.0, at), "start"));
    }
    chart
}

fn rule(from: (f64, f64), to: (f64, f64)) -> Line {
    Line::new()
        .set("x1", from.0)
        .set("y1", from.1)
        .set("x2", to.0)
        .set("y2", to.1)
        .set("stroke", "#dddddd")
}

fn label(text: String, at: (f64, f64), anchor: &str) -> Text {
    Text::new(text).set("x", at.0).set("y", at.1).set("text-anchor", anchor).set("fill", "#333333")
}
