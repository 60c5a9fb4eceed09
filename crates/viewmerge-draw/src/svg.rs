//! A scene as SVG.
//!
//! The style sheet is nested under one class, so a picture can be pasted into a page.
//! There it has the middle tones of [`Palette::ANY`] and no background, which is readable
//! on a page of any colour. As a document of its own, opened by itself or as an image, it
//! follows the reader's preference for light or dark. It then brings its own background,
//! because the page around an image may not follow.

//!
//! Pictures are redrawn at every keystroke, so the text is written in one go, without a tree of elements.

use std::fmt::Write;

use crate::area::{Area, Point};
use crate::palette::{DASHES, FRAME_WIDTH, HATCH_OPACITY, ODD_WIDTH, Palette, Theme};
use crate::scene::{Item, Kind, Look, Scene, Shape, Text, TextLook};
use crate::text::{Anchor, Font, printable, rounded};

/// The class of the whole picture.
const ROOT: &str = "viewmerge";

/// About the size of an item.
const BYTES: usize = 100;

/// The picture as one SVG document.
pub(crate) fn write(scene: &Scene, theme: Theme) -> String {
    let (width, height) = (rounded(scene.width), rounded(scene.height));
    let mut out = String::with_capacity(4096 + scene.items.len() * BYTES);
    let _ = write!(
        out,
        "<svg class=\"{ROOT}\" height=\"{height}\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" xmlns=\"http://www.w3.org/2000/svg\">\n<title>"
    );
    // Screen readers read it, browsers show it on request.
    escaped(&mut out, &printable(&scene.name));
    let _ = write!(out, "</title>\n<style>\n{}\n</style>\n", sheet(theme));
    rectangle(&mut out, "page", Area { x: 0.0, y: 0.0, width, height }, 0.0, None);
    out.push('\n');
    for item in &scene.items {
        match item {
            Item::Text(words) => text(&mut out, words),
            Item::Shape(form, look) => shape(&mut out, form, *look),
        }
        out.push('\n');
    }
    out.push_str("</svg>");
    out
}

/// The style sheet, the same in every picture of a theme.
fn sheet(theme: Theme) -> String {
    let palette = match theme {
        Theme::Auto => Palette::ANY,
        Theme::Light | Theme::Dark => Palette::fixed(theme),
    };
    let [line, odd, good] = [palette.line, palette.odd, palette.good].map(|colour| colour.css());
    let [dash, space] = DASHES;
    let mut sheet = format!(
        "\
.{ROOT}{{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}}
.{ROOT} .plain,.{ROOT} .dot{{fill:{}}}
",
        palette.text.css()
    );
    for font in Font::ALL {
        let bold = if font == Font::Title { ";font-weight:bold" } else { "" };
        let _ = writeln!(sheet, ".{ROOT} .{}{{font-size:{}px{bold}}}", font.name(), font.size());
    }
    let _ = write!(
        sheet,
        "\
.{ROOT} .mid{{text-anchor:middle}}
.{ROOT} .end{{text-anchor:end}}
.{ROOT} .on-dark{{fill:#fff}}
.{ROOT} .on-light{{fill:#000}}
.{ROOT} .line{{fill:none;stroke:{line}}}
.{ROOT} .dash{{stroke-dasharray:{dash} {space}}}
.{ROOT} .hatch{{fill:none;stroke:{line};stroke-opacity:{HATCH_OPACITY}}}
.{ROOT} .tip{{fill:{line}}}
.{ROOT} .tip.odd{{fill:{odd}}}
.{ROOT} .plain.odd{{fill:{};font-weight:bold}}
.{ROOT} .line.odd{{stroke:{odd};stroke-width:{ODD_WIDTH}}}
.{ROOT} .mark{{fill:none;stroke:{odd};stroke-width:{FRAME_WIDTH}}}
.{ROOT} .mark.good{{stroke:{good}}}
",
        palette.odd_text.css()
    );
    if theme != Theme::Auto {
        let _ = writeln!(sheet, ".{ROOT} .page{{fill:{}}}", palette.background.css());
        return sheet;
    }
    let _ = writeln!(sheet, ".{ROOT} .page{{fill:none}}\n:root.{ROOT}{{color-scheme:light dark}}");
    for (preference, palette) in [("light", Palette::LIGHT), ("dark", Palette::DARK)] {
        let _ = writeln!(
            sheet,
            "@media (prefers-color-scheme:{preference}){{\
             :root.{ROOT} .page{{fill:{}}}\
             :root.{ROOT} .plain,:root.{ROOT} .dot{{fill:{}}}\
             :root.{ROOT} .plain.odd{{fill:{}}}}}",
            palette.background.css(),
            palette.text.css(),
            palette.odd_text.css(),
        );
    }
    sheet
}

fn shape(out: &mut String, form: &Shape, look: Look) {
    let class = look_class(look);
    match form {
        Shape::Rectangle { area, radius } => {
            // A style, because the class would override an attribute.
            let fill = if let Look::Cell(colour) = look { Some(colour.css()) } else { None };
            rectangle(out, class, *area, *radius, fill.as_deref());
        }
        Shape::Lines(lines) => {
            let _ = write!(out, "<path class=\"{class}\" d=\"");
            for line in lines {
                for (number, &at) in line.iter().enumerate() {
                    out.push(if number == 0 { 'M' } else { 'L' });
                    point(out, at, ' ');
                }
            }
            out.push_str("\"/>");
        }
        Shape::Polygon(corners) => {
            let _ = write!(out, "<polygon class=\"{class}\" points=\"");
            for (number, &at) in corners.iter().enumerate() {
                if number > 0 {
                    out.push(' ');
                }
                point(out, at, ',');
            }
            out.push_str("\"/>");
        }
    }
}

fn rectangle(out: &mut String, class: &str, area: Area, radius: f64, fill: Option<&str>) {
    let _ = write!(out, "<rect class=\"{class}\"");
    let length = |out: &mut String, name: &str, length: f64| {
        let _ = write!(out, " {name}=\"");
        tenths(out, length);
        out.push('"');
    };
    length(out, "height", area.height);
    if radius > 0.0 {
        length(out, "rx", radius);
    }
    if let Some(fill) = fill {
        let _ = write!(out, " style=\"fill:{fill}\"");
    }
    length(out, "width", area.width);
    length(out, "x", area.x);
    length(out, "y", area.y);
    out.push_str("/>");
}

fn text(out: &mut String, text: &Text) {
    let look = match text.look {
        TextLook::Plain(Kind::Usual) => " plain",
        TextLook::Plain(Kind::Odd) => " plain odd",
        TextLook::Step(Kind::Usual) => " plain step",
        TextLook::Step(Kind::Odd) => " plain step odd",
        TextLook::OnDark => " on-dark",
        TextLook::OnLight => " on-light",
    };
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " mid",
        Anchor::End => " end",
    };
    let _ = write!(out, "<text class=\"{}{look}{anchor}\"", text.font.name());
    if text.upright {
        out.push_str(" transform=\"rotate(-90 ");
        point(out, text.at, ' ');
        out.push_str(")\"");
    }
    out.push_str(" x=\"");
    tenths(out, text.at.0);
    out.push_str("\" y=\"");
    tenths(out, text.at.1);
    out.push_str("\">");
    escaped(out, &text.words);
    out.push_str("</text>");
}

fn point(out: &mut String, (x, y): Point, between: char) {
    tenths(out, x);
    out.push(between);
    tenths(out, y);
}

/// A length, to a tenth of a pixel.
fn tenths(out: &mut String, length: f64) {
    let tenths = (length * 10.0).round() as i64;
    if tenths < 0 {
        out.push('-');
    }
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    let _ = write!(out, "{whole}");
    if tenth > 0 {
        let _ = write!(out, ".{tenth}");
    }
}

/// A text, escaped for XML.
fn escaped(out: &mut String, words: &str) {
    for letter in words.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            letter => out.push(letter),
        }
    }
}

fn look_class(look: Look) -> &'static str {
    match look {
        Look::Cell(_) => "line",
        Look::Padding => "line pad",
        Look::Hatch => "hatch",
        Look::Nothing => "line dash",
        Look::Dot => "dot",
        Look::Arrow(Kind::Usual) => "line arrow",
        Look::Arrow(Kind::Odd) => "line arrow odd",
        Look::Tip(Kind::Usual) => "tip",
        Look::Tip(Kind::Odd) => "tip odd",
        Look::Frame(Kind::Usual) => "mark good",
        Look::Frame(Kind::Odd) => "mark",
        Look::Cross => "mark cross",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_and_printable() {
        let words = Text::new(Font::Small, Anchor::Start, (1.04, 2.0), "a<b & \"c\"\0");
        let mut out = String::new();
        text(&mut out, &words);
        assert_eq!(out, r#"<text class="small plain" x="1" y="2">a&lt;b &amp; "c" </text>"#,);
    }

    #[test]
    fn lengths() {
        let rows = [
            (0.0, "0"),
            (12.5, "12.5"),
            (-0.04, "0"),
            (-0.25, "-0.3"),
            (1e4, "10000"),
            (0.96, "1"),
        ];
        for (length, expected) in rows {
            let mut out = String::new();
            tenths(&mut out, length);
            assert_eq!(out, expected);
        }
    }
}
