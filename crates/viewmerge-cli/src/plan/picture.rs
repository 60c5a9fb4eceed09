//! A picture of a planned graph, as SVG.
//!
//! A row for every op, copy, input and output, in the order they run; tensors run down in lanes beside them, in
//! the colour of their layout. Copies are red and numbered, with their reasons beneath. Long graphs continue in
//! another column, so that a hundred ops fit on a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use viewmerge_draw::{Shades, shades};
use viewmerge_onnx::report::size;
use viewmerge_plan::plan::Place;
use viewmerge_plan::{Graph, Plan};

use super::rows::{Row, What, lanes, rows};

/// The most rows of a column.
const ROWS: usize = 40;
const ROW: f64 = 20.0;
const LANE: f64 = 11.0;
const LETTER: f64 = 7.25;
/// The most letters of a name or a layout.
const NAME: usize = 30;
const LAYOUT: usize = 34;
const MARGIN: f64 = 16.0;

/// Colours of layouts that are not row-major, in the order they appear; after the last they repeat.
const COLOURS: [&str; 8] =
    ["#1f77b4", "#2e9e4f", "#9467bd", "#e08214", "#17a2b8", "#b5651d", "#d6409f", "#7a8b00"];

/// The colours of the page, light or dark as the reader prefers.
fn style(shades: &Shades) -> String {
    let page = |number: usize| {
        let (page, text, odd) = (&shades.page[number], &shades.text[number], &shades.odd[number]);
        format!("text{{fill:{text}}}.copy{{fill:{odd}}}.page{{fill:{page}}}circle{{stroke:{page}}}")
    };
    format!(
        "text{{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace}}path{{fill:none;stroke-width:2}}\
         {}@media (prefers-color-scheme: dark){{{}}}text.dim{{fill:{}}}",
        page(0),
        page(1),
        shades.line
    )
}

/// The picture.
pub(super) fn svg(graph: &Graph, plan: &Plan) -> String {
    let rows = rows(graph, plan);
    let lanes = lanes(&rows);
    let mut colours = BTreeMap::new();
    for (class, one) in plan.classes.iter().enumerate() {
        for (layout, stored) in one.stored.iter().enumerate() {
            let number = colours.len();
            let text = stored.layout.to_string();
            if !stored.layout.is_row_major() && lanes.of.contains_key(&Place { class, layout }) {
                colours.entry(text).or_insert(COLOURS[number % COLOURS.len()]);
            }
        }
    }
    let gutter = lanes.most as f64 * LANE + 8.0;
    let width = gutter + (NAME + LAYOUT + 2) as f64 * LETTER + MARGIN;
    let page = Page { graph, plan, colours, shades: shades(), gutter, width };
    let columns = rows.len().div_ceil(ROWS);
    let tall = rows.len().min(ROWS) as f64 * ROW;
    let reasons = page.reasons(&rows);
    let head = 2.0 * ROW;
    let all_width = (columns as f64 * width).max(900.0) + MARGIN;
    let fits = ((all_width - 2.0 * MARGIN) / LETTER) as usize;
    let reasons: Vec<String> = reasons.iter().flat_map(|reason| wrapped(reason, fits)).collect();
    let beneath = if reasons.is_empty() { 0.0 } else { (reasons.len() + 1) as f64 * ROW * 0.85 };
    let all_height = head + tall + ROW + beneath + MARGIN;

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_width:.0} {all_height:.0}\" \
         width=\"{all_width:.0}\" height=\"{all_height:.0}\"><style>{}</style>\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        style(&page.shades)
    );
    let title = format!(
        "{} copies, {} → {} copies, {} for {}",
        plan.now.copies,
        size(plan.now.bytes),
        plan.least.copies,
        size(plan.least.bytes),
        plan.target
    );
    text(&mut out, MARGIN, MARGIN + 8.0, "", &title);
    for (&place, &(lane, from, to)) in &lanes.of {
        page.rail(&mut out, place, lane, from, to, head);
    }
    for (number, row) in rows.iter().enumerate() {
        let dot = row.makes.first().or(row.reads.first()).map_or(0, |place| lanes.of[place].0);
        for place in &row.reads {
            page.join(&mut out, *place, lanes.of[place].0, dot, number, head);
        }
        for place in row.makes.iter().skip(1) {
            page.fork(&mut out, *place, dot, lanes.of[place].0, number, head);
        }
        page.row(&mut out, row, dot, number, head);
    }
    for (number, line) in reasons.iter().enumerate() {
        let y = head + tall + ROW * (1.5 + number as f64 * 0.85);
        text(&mut out, MARGIN, y, "copy", line);
    }
    out.push_str("</svg>\n");
    out
}

struct Page<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    colours: BTreeMap<String, &'static str>,
    shades: Shades,
    gutter: f64,
    width: f64,
}

impl Page<'_> {
    fn x(&self, lane: usize, row: usize) -> f64 {
        MARGIN + (row / ROWS) as f64 * self.width + (lane as f64 + 0.5) * LANE
    }

    fn y(row: usize, head: f64) -> f64 {
        head + ((row % ROWS) as f64 + 0.5) * ROW
    }

    fn layout(&self, place: Place) -> String {
        let layout = &self.plan.classes[place.class].stored[place.layout].layout;
        if layout.is_row_major() { String::new() } else { layout.to_string() }
    }

    fn colour(&self, place: Place) -> &str {
        self.colours.get(&self.layout(place)).copied().unwrap_or(&self.shades.line)
    }

    /// Draws the line from the row that makes a tensor down to the last that reads it, column by column.
    fn rail(&self, out: &mut String, place: Place, lane: usize, from: usize, to: usize, head: f64) {
        let colour = self.colour(place);
        let mut path = String::new();
        for column in from / ROWS..=to / ROWS {
            let (first, last) = (column * ROWS, column * ROWS + ROWS - 1);
            let top = if from >= first { Page::y(from, head) } else { head - 6.0 };
            let bottom = if to <= last {
                Page::y(to, head) - ROW * 0.5
            } else {
                Page::y(last, head) + ROW * 0.5 + 6.0
            };
            let x = self.x(lane, first);
            if bottom > top {
                let _ = write!(path, "M{x:.1} {top:.1}V{bottom:.1}");
            }
        }
        if !path.is_empty() {
            let _ = writeln!(out, "<path d=\"{path}\" stroke=\"{colour}\"/>");
        }
    }

    /// Draws the line from a lane to the row's dot.
    fn join(&self, out: &mut String, place: Place, lane: usize, dot: usize, row: usize, head: f64) {
        let (from, to, y) = (self.x(lane, row), self.x(dot, row), Page::y(row, head));
        let top = y - ROW * 0.5;
        let colour = self.colour(place);
        let _ = writeln!(
            out,
            "<path d=\"M{from:.1} {top:.1}C{from:.1} {y:.1} {from:.1} {y:.1} {to:.1} {y:.1}\" stroke=\"{colour}\"/>"
        );
    }

    /// Draws the line from the row's dot to the lane of a further result.
    fn fork(&self, out: &mut String, place: Place, dot: usize, lane: usize, row: usize, head: f64) {
        let (from, to, y) = (self.x(dot, row), self.x(lane, row), Page::y(row, head));
        let bottom = y + ROW * 0.5;
        let colour = self.colour(place);
        let _ = writeln!(
            out,
            "<path d=\"M{from:.1} {y:.1}C{to:.1} {y:.1} {to:.1} {y:.1} {to:.1} {bottom:.1}\" stroke=\"{colour}\"/>"
        );
    }

    fn row(&self, out: &mut String, row: &Row<'_>, dot: usize, number: usize, head: f64) {
        let y = Page::y(number, head);
        let at = self.x(dot, number);
        let (x, baseline) = (self.x(0, number) - LANE * 0.5 + self.gutter, y + 4.0);
        let shown = row.makes.first().or(row.reads.first()).copied();
        let colour = match row.what {
            What::Copy(_) => &self.shades.mark,
            _ => shown.map_or(self.shades.line.as_str(), |place| self.colour(place)),
        };
        let _ = writeln!(out, "<circle cx=\"{at:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"/>");
        let (class, name) = self.name(row);
        text(out, x, baseline, class, &shortened(&name, NAME));
        let Some(place) = shown else { return };
        let layout = self.layout(place);
        if !layout.is_empty() {
            let (x, layout) = (x + (NAME + 1) as f64 * LETTER, shortened(&layout, LAYOUT));
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{baseline:.1}\" style=\"fill:{}\">{}</text>",
                self.colour(place),
                escaped(&layout)
            );
        }
    }

    fn name(&self, row: &Row<'_>) -> (&'static str, String) {
        let root = |place: &Place| {
            self.graph.tensors()[self.plan.classes[place.class].root.0].name.clone()
        };
        match &row.what {
            What::Given => {
                ("dim", format!("input {}", row.makes.first().map(root).unwrap_or_default()))
            }
            What::Wanted(name) => ("dim", format!("output {name}")),
            What::Copy(number) => {
                let bytes =
                    row.makes.first().map_or(0, |place| self.plan.classes[place.class].bytes);
                ("copy", format!("copy {number}: {}", size(bytes)))
            }
            What::Op(op) => {
                let name = &self.graph.ops()[op.op.0].name;
                match name.contains(op.kind.rsplit('.').next().unwrap_or_default()) {
                    true => ("", name.clone()),
                    false => {
                        ("", format!("{} {name}", op.kind.rsplit('.').next().unwrap_or_default()))
                    }
                }
            }
        }
    }

    /// The reason for every copy, in the order they are drawn.
    fn reasons(&self, rows: &[Row<'_>]) -> Vec<String> {
        let mut reasons = Vec::new();
        for row in rows {
            let (What::Copy(number), Some(place)) = (&row.what, row.makes.first()) else {
                continue;
            };
            if let Some(copy) = self.plan.copies.iter().find(|copy| copy.place == *place) {
                reasons.push(format!("copy {number}: {}", copy.reason));
            }
        }
        reasons
    }
}

fn text(out: &mut String, x: f64, y: f64, class: &str, words: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\"{class}>{}</text>", escaped(words));
}

fn escaped(words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    words.replace(|letter: char| letter.is_control(), " ")
}

/// A text, or its beginning and end if it is too long.
fn shortened(words: &str, most: usize) -> String {
    let letters: Vec<char> = words.chars().collect();
    if letters.len() <= most {
        return words.into();
    }
    let (front, back) = (most / 2, most - most / 2 - 1);
    let end = &letters[letters.len() - back..];
    letters[..front].iter().chain(&['…']).chain(end).collect()
}

/// Breaks a text at spaces into lines of at most this many letters.
fn wrapped(words: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let line = lines.last_mut().map(|line| line.chars().count()).unwrap_or_default();
        if line > 0 && line + 1 + word.chars().count() > most {
            lines.push("   ".into());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines
}
