//! A scene as SVG.
//!
//! The style sheet is nested under one class, so a picture can be put into a page as it
//! is. Part of another document, it has the middle tones of [`Palette::ANY`] and no
//! background: that is readable on a page of any colour. As a document of its own, opened
//! by itself or as an image, it follows the reader's preference for light or dark. It then
//! brings its own background, because the page around an image need not follow.

use std::fmt::Write;

use svg::Document;
use svg::node::Node;
use svg::node::element::{Element, Style};

use crate::area::Area;
use crate::palette::{DASHES, FRAME_WIDTH, HATCH_OPACITY, ODD_WIDTH, Palette, Theme};
use crate::scene::{Item, Kind, Look, Scene, Shape, Text, TextLook};
use crate::text::{Anchor, Font, printable, rounded};

/// The class of the whole picture.
const ROOT: &str = "viewmerge";

/// The picture as one SVG document.
pub(crate) fn write(scene: &Scene, theme: Theme) -> String {
    let (width, height) = (rounded(scene.width), rounded(scene.height));
    let mut document = Document::new();
    document.assign("class", ROOT);
    document.assign("role", "img");
    document.assign("viewBox", (0, 0, width, height));
    document.assign("width", width);
    document.assign("height", height);
    // What a screen reader says, and a browser shows when asked.
    let mut name = Element::new("title");
    name.append(svg::node::Text::new(printable(&scene.name)));
    document.append(name);
    document.append(Style::new(sheet(theme)));
    document.append(rectangle("page", Area { x: 0.0, y: 0.0, width, height }));
    for item in &scene.items {
        document.append(element(item));
    }
    document.to_string()
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

fn element(item: &Item) -> Element {
    match item {
        Item::Text(words) => text(words),
        Item::Shape(shape, look) => {
            let mut element = match shape {
                Shape::Rectangle { area, radius } => {
                    let mut element = rectangle(look_class(*look), *area);
                    if *radius > 0.0 {
                        element.assign("rx", *radius);
                    }
                    element
                }
                Shape::Lines(lines) => {
                    let mut path = String::new();
                    for line in lines {
                        for (number, &(x, y)) in line.iter().enumerate() {
                            let command = if number == 0 { 'M' } else { 'L' };
                            let _ = write!(path, "{command}{} {}", rounded(x), rounded(y));
                        }
                    }
                    let mut element = Element::new("path");
                    element.assign("class", look_class(*look));
                    element.assign("d", path);
                    element
                }
                Shape::Polygon(corners) => {
                    let corners =
                        corners.iter().map(|&(x, y)| format!("{},{}", rounded(x), rounded(y)));
                    let mut element = Element::new("polygon");
                    element.assign("class", look_class(*look));
                    element.assign("points", corners.collect::<Vec<_>>().join(" "));
                    element
                }
            };
            if let Look::Cell(colour) = look {
                // A style, because the class would win over an attribute.
                element.assign("style", format!("fill:{}", colour.css()));
            }
            element
        }
    }
}

fn rectangle(class: &str, area: Area) -> Element {
    let mut element = Element::new("rect");
    element.assign("class", class);
    element.assign("x", rounded(area.x));
    element.assign("y", rounded(area.y));
    element.assign("width", rounded(area.width));
    element.assign("height", rounded(area.height));
    element
}

fn text(text: &Text) -> Element {
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
    let (x, y) = (rounded(text.at.0), rounded(text.at.1));
    let mut element = Element::new("text");
    element.assign("class", format!("{}{look}{anchor}", text.font.name()));
    element.assign("x", x);
    element.assign("y", y);
    if text.upright {
        element.assign("transform", format!("rotate(-90 {x} {y})"));
    }
    element.append(svg::node::Text::new(text.words.as_str()));
    element
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
        assert_eq!(
            text(&words).to_string(),
            r#"<text class="small plain" x="1" y="2">a&lt;b &amp; "c" </text>"#,
        );
    }
}
