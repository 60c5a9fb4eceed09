//! A scene as TikZ, in a complete document.
//!
//! The environment `tikzpicture` brings its own colours and styles, so it can be copied
//! into a paper; a pixel is 0.75 bp. Text is in the typewriter font of the document,
//! which is narrower than the room for it.
//!
//! Running example: a cell is `\path[vm cell={62,45,118}] (13.5,64.5) rectangle (49.5,92.5);`.

use std::fmt::Write;

use crate::area::{Area, Point};
use crate::colour::Colour;
use crate::palette::{DASHES, FRAME_WIDTH, HATCH_OPACITY, ODD_WIDTH, Palette, Theme};
use crate::scene::{Item, Kind, Look, Scene, Shape, Text, TextLook};
use crate::text::{Anchor, Font, rounded};

/// PostScript points in a pixel.
const POINTS: f64 = 0.75;

/// The picture as a TeX document.
pub(crate) fn write(scene: &Scene, theme: Theme) -> String {
    let palette = Palette::fixed(theme);
    // The first line describes the picture; a name is one line of printable characters.
    let mut tex = format!("% {}\n", crate::text::printable(&scene.name));
    tex.push_str(
        "\\documentclass[tikz]{standalone}\n\
         \\usepackage[T1]{fontenc}\n\
         \\usepackage{lmodern}\n\
         \\begin{document}\n",
    );
    let _ = write!(tex, "\\begin{{tikzpicture}}[\n{}]\n", styles());
    let colours = [
        ("page", palette.background),
        ("text", palette.text),
        ("oddtext", palette.odd_text),
        ("line", palette.line),
        ("odd", palette.odd),
        ("good", palette.good),
    ];
    for (name, colour) in colours {
        let [red, green, blue] = colour.channels();
        let _ = writeln!(tex, "\\definecolor{{vm-{name}}}{{RGB}}{{{red},{green},{blue}}}");
    }
    let page = Area { x: 0.0, y: 0.0, width: scene.width, height: scene.height };
    let fill = if theme == Theme::Auto { "" } else { ",fill=vm-page" };
    let _ = writeln!(tex, "\\path[use as bounding box{fill}] {};", rectangle(page));
    for item in &scene.items {
        match item {
            Item::Shape(shape, look) => write_shape(&mut tex, shape, *look),
            Item::Text(text) => write_text(&mut tex, text),
        }
    }
    tex.push_str("\\end{tikzpicture}\n\\end{document}\n");
    tex
}

/// The options of the environment.
fn styles() -> String {
    let points = |pixels: f64| format!("{}bp", POINTS * pixels);
    let [dash, space] = DASHES.map(points);
    let [thin, odd, frame] = [1.0, ODD_WIDTH, FRAME_WIDTH].map(points);
    let mut styles = format!(
        "  x={POINTS}bp, y=-{POINTS}bp, inner sep=0pt, outer sep=0pt,\n\
         \x20 vm line/.style={{draw=vm-line, line width={thin}}},\n\
         \x20 vm cell/.code args={{#1,#2,#3}}{{\\definecolor{{vm-cell}}{{RGB}}{{#1,#2,#3}}\
         \\pgfkeysalso{{vm line, fill=vm-cell}}}},\n\
         \x20 vm pad/.style={{vm line}},\n\
         \x20 vm hatch/.style={{vm line, draw opacity={HATCH_OPACITY}}},\n\
         \x20 vm nothing/.style={{vm line, dash pattern=on {dash} off {space}}},\n\
         \x20 vm dot/.style={{fill=vm-text}},\n\
         \x20 vm arrow/.style={{vm line}},\n\
         \x20 vm odd arrow/.style={{draw=vm-odd, line width={odd}}},\n\
         \x20 vm tip/.style={{fill=vm-line}},\n\
         \x20 vm odd tip/.style={{fill=vm-odd}},\n\
         \x20 vm mark/.style={{draw=vm-odd, line width={frame}}},\n\
         \x20 vm good mark/.style={{draw=vm-good, line width={frame}}},\n\
         \x20 vm plain/.style={{text=vm-text}},\n\
         \x20 vm odd/.style={{text=vm-oddtext, font={}}},\n\
         \x20 vm on dark/.style={{text=white}},\n\
         \x20 vm on light/.style={{text=black}},\n",
        font(Font::Small, true),
    );
    for size in Font::ALL {
        let bold = size == Font::Title;
        let _ = writeln!(styles, "  vm {}/.style={{font={}}},", size.name(), font(size, bold));
    }
    styles
}

fn font(font: Font, bold: bool) -> String {
    let size = POINTS * font.size();
    let bold = if bold { "\\bfseries" } else { "" };
    format!("\\ttfamily{bold}\\frenchspacing\\fontsize{{{size}bp}}{{{size}bp}}\\selectfont")
}

fn write_shape(tex: &mut String, shape: &Shape, look: Look) {
    let style = match look {
        Look::Cell(colour) => format!("cell={{{}}}", channels(colour)),
        Look::Padding => "pad".to_owned(),
        Look::Hatch => "hatch".to_owned(),
        Look::Nothing => "nothing".to_owned(),
        Look::Dot => "dot".to_owned(),
        Look::Arrow(Kind::Usual) => "arrow".to_owned(),
        Look::Arrow(Kind::Odd) => "odd arrow".to_owned(),
        Look::Tip(Kind::Usual) => "tip".to_owned(),
        Look::Tip(Kind::Odd) => "odd tip".to_owned(),
        Look::Frame(Kind::Usual) => "good mark".to_owned(),
        Look::Frame(Kind::Odd) | Look::Cross => "mark".to_owned(),
    };
    let (round, path) = match shape {
        Shape::Rectangle { area, radius } if *radius > 0.0 => {
            (format!(", rounded corners={}bp", POINTS * radius), rectangle(*area))
        }
        Shape::Rectangle { area, .. } => (String::new(), rectangle(*area)),
        Shape::Lines(lines) => {
            let lines: Vec<_> = lines.iter().map(|line| through(line)).collect();
            (String::new(), lines.join(" "))
        }
        Shape::Polygon(corners) => (String::new(), format!("{} -- cycle", through(corners))),
    };
    let _ = writeln!(tex, "\\path[vm {style}{round}] {path};");
}

fn write_text(tex: &mut String, text: &Text) {
    let anchor = match text.anchor {
        Anchor::Start => "base west",
        Anchor::Middle => "base",
        Anchor::End => "base east",
    };
    let look = match text.look {
        TextLook::Plain(Kind::Usual) | TextLook::Step(Kind::Usual) => "plain",
        TextLook::Plain(Kind::Odd) | TextLook::Step(Kind::Odd) => "odd",
        TextLook::OnDark => "on dark",
        TextLook::OnLight => "on light",
    };
    let upright = if text.upright { ", rotate=90" } else { "" };
    let _ = writeln!(
        tex,
        "\\node[vm {}, vm {look}, anchor={anchor}{upright}] at {} {{{}}};",
        text.font.name(),
        point(text.at),
        escaped(&text.words),
    );
}

/// A text, escaped for TeX.
fn escaped(words: &str) -> String {
    let mut tex = String::new();
    let mut after_space = true;
    for c in words.chars() {
        match c {
            // TeX collapses spaces, and drops those at the start of a line.
            ' ' if after_space => tex.push_str("\\ "),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                tex.push('\\');
                tex.push(c);
            }
            '\\' => tex.push_str("\\textbackslash{}"),
            '~' => tex.push_str("\\textasciitilde{}"),
            '^' => tex.push_str("\\textasciicircum{}"),
            '…' => tex.push_str("\\ldots{}"),
            // A hyphen: not all of TeX's fonts have the minus sign, and in a monospaced font both
            // are as wide.
            '−' => tex.push('-'),
            c => tex.push(c),
        }
        after_space = c == ' ';
    }
    tex
}

fn channels(colour: Colour) -> String {
    let [red, green, blue] = colour.channels();
    format!("{red},{green},{blue}")
}

fn point((x, y): Point) -> String {
    format!("({},{})", rounded(x), rounded(y))
}

fn through(points: &[Point]) -> String {
    points.iter().map(|&at| point(at)).collect::<Vec<_>>().join(" -- ")
}

fn rectangle(area: Area) -> String {
    format!("{} rectangle {}", point((area.x, area.y)), point((area.right(), area.bottom())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let rows = [
            ("(2,3):(1,2)+40 [0:2,1:3]", "(2,3):(1,2)+40 [0:2,1:3]"),
            (
                "5% of {a_b} & $c #1 ^~",
                "5\\% of \\{a\\_b\\} \\& \\$c \\#1 \\textasciicircum{}\\textasciitilde{}",
            ),
            ("\\end", "\\textbackslash{}end"),
            ("  a  b", "\\ \\ a \\ b"),
            ("and so on…", "and so on\\ldots{}"),
            ("−2", "-2"),
        ];
        for (words, tex) in rows {
            assert_eq!(escaped(words), tex);
        }
    }
}
