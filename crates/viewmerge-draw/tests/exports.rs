//! PNG, PDF and TikZ read back and compared with the SVG of the same drawing.

use std::path::Path;
use std::process::Command;

use roxmltree::{Document, Node};
use viewmerge::ViewChain;
#[cfg(feature = "export")]
use viewmerge_draw::ExportError;
use viewmerge_draw::{Drawing, Theme};
use viewmerge_index::IndexChain;

fn chain(text: &str) -> ViewChain {
    text.parse().expect(text)
}

/// Drawings of every kind.
fn drawings() -> Vec<Drawing> {
    let window =
        chain("(18):(1)-2 [2:17] | (16,3):(1,1)").guarded(&viewmerge::Limit::none()).expect("fits");
    vec![
        Drawing::of_view(chain("(3,4):(1,3)").last()),
        Drawing::of_view(chain("(3,0)").last()),
        Drawing::of_view(chain("(1000,1000,1000,1000)").last()),
        Drawing::of_chain(&chain("(2,3,4) | permute(2,0,1) | reshape(8,3) | pad((0,0),(1,1))")),
        Drawing::of_guarded(&window.expect("is a guarded view")),
        Drawing::of_merge(&chain("(10,3,3):(8,1,2) | (6):(4)")),
        Drawing::of_merge(&chain("(2,3):(2,1) [0:2,0:2] | (6)")),
        Drawing::of_merge(&chain("(3,2,2,3):(6,18,3,1) | (6,2,3)")),
        Drawing::of_merge(&chain("(2,3,4,5) | permute(3,2,1,0) | reshape(4,5,3,2)"))
            .title("5% of {a_b} & \\c #1 ^~ <é>"),
    ]
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).expect(name).parse().expect(name)
}

fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
}

/// The corner of every cell and its colour.
fn cells(document: &Document<'_>) -> Vec<(f64, f64, [u8; 3])> {
    let cells = document.descendants().filter_map(|node| {
        let colour = node.attribute("style")?.strip_prefix("fill:#")?;
        let channel = |at: usize| u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour");
        Some((number(&node, "x"), number(&node, "y"), [0, 2, 4].map(channel)))
    });
    cells.collect()
}

fn words<'a>(document: &'a Document<'_>) -> Vec<&'a str> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).collect()
}

#[cfg(feature = "export")]
mod png_files {
    use super::*;

    struct Pixels {
        width: usize,
        height: usize,
        data: Vec<u8>,
    }

    impl Pixels {
        fn of(file: &[u8]) -> Pixels {
            let mut reader =
                png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("PNG");
            let mut data = vec![0; reader.output_buffer_size().expect("fits")];
            let info = reader.next_frame(&mut data).expect("PNG");
            assert_eq!(
                (info.color_type, info.bit_depth),
                (png::ColorType::Rgba, png::BitDepth::Eight)
            );
            Pixels { width: info.width as usize, height: info.height as usize, data }
        }

        fn at(&self, x: f64, y: f64) -> [u8; 3] {
            let start = 4 * (y as usize * self.width + x as usize);
            assert_eq!(self.data[start + 3], 255, "is not opaque");
            [self.data[start], self.data[start + 1], self.data[start + 2]]
        }
    }

    #[test]
    fn every_cell_is_where_the_svg_has_it() {
        for drawing in drawings() {
            let svg = drawing.to_svg();
            let document = Document::parse(&svg).expect("XML");
            let root = document.root_element();
            for (theme, background) in
                [(Theme::Auto, [255; 3]), (Theme::Light, [255; 3]), (Theme::Dark, [0x1e; 3])]
            {
                for scale in [1.0, 2.0, 0.5] {
                    let file = drawing.clone().theme(theme).to_png(scale).expect("a picture");
                    let pixels = Pixels::of(&file);
                    let expected = |name| (number(&root, name) * scale).ceil() as usize;
                    assert_eq!(pixels.width, expected("width"));
                    assert_eq!(pixels.height, expected("height"));
                    assert_eq!(pixels.at(0.0, 0.0), background);
                    for (x, y, colour) in cells(&document) {
                        // Just inside the corner, where no number is.
                        let found = pixels.at((x + 4.0) * scale, (y + 4.0) * scale);
                        assert_eq!(found, colour, "at {x} {y} of {}", words(&document)[0]);
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_drawn() {
        // The two differ in one digit, in the heading and in the cell.
        let picture = |text: &str| {
            Pixels::of(&Drawing::of_view(chain(text).last()).to_png(1.0).expect("a picture"))
        };
        let (one, other) = (picture("()+3"), picture("()+8"));
        assert_eq!((one.width, one.height), (other.width, other.height));
        let rows = |y: usize| y * 4 * one.width..(y + 1) * 4 * one.width;
        let differ: Vec<_> =
            (0..one.height).filter(|&y| one.data[rows(y)] != other.data[rows(y)]).collect();
        let gap = differ.windows(2).position(|pair| pair[1] > pair[0] + 5);
        assert!(gap.is_some(), "the heading and the cell differ, in {differ:?}");
        assert!(differ.len() >= 12, "{differ:?}");
    }

    #[test]
    fn odd_arrows_and_frames_are_drawn() {
        let drawing = Drawing::of_merge(&chain("(3,2,2,3):(6,18,3,1) | (6,2,3)"));
        let pixels = Pixels::of(&drawing.to_png(1.0).expect("a picture"));
        let colours: Vec<_> = pixels.data.chunks(4).collect();
        for colour in [[0xe0, 0x43, 0x2f, 255], [0x1f, 0x8f, 0xd6, 255]] {
            let count = colours.iter().filter(|&&pixel| pixel == colour).count();
            assert!(count > 100, "{count} pixels of {colour:?}");
        }
    }

    #[test]
    fn refusals() {
        let drawing = Drawing::of_view(chain("(3)").last());
        for scale in [0.0, -1.0, 0.09, 17.0, f64::NAN, f64::INFINITY] {
            let error = drawing.to_png(scale).expect_err("is no scale");
            assert!(matches!(error, ExportError::Scale { .. }), "{error}");
        }
        let large = Drawing::of_view(chain("(1000,1000,1000)").last()).most_cells(10_000);
        let error = large.to_png(16.0).expect_err("is large");
        assert!(matches!(error, ExportError::TooLarge { .. }), "{error}");
        let foreign = drawing.title("視点");
        let expected = ExportError::NoGlyph { character: '視' };
        assert_eq!(foreign.to_png(1.0), Err(expected.clone()));
        assert_eq!(foreign.to_pdf(), Err(expected));
    }
}

#[cfg(feature = "export")]
mod pdf_files {
    use super::*;

    #[test]
    fn pages_say_what_pictures_say() {
        for drawing in drawings() {
            let svg = drawing.to_svg();
            let document = Document::parse(&svg).expect("XML");
            let file = drawing.to_pdf().expect("a picture");
            assert_eq!(file, drawing.to_pdf().expect("a picture"), "not the same twice");
            let pdf = lopdf::Document::load_mem(&file).expect("PDF");
            let pages = pdf.get_pages();
            assert_eq!(pages.len(), 1);
            let page = pdf.get_dictionary(pages[&1]).expect("a page");
            let size = page.get(b"MediaBox").and_then(lopdf::Object::as_array).expect("a size");
            let size: Vec<f64> =
                size.iter().map(|n| f64::from(n.as_float().expect("a number"))).collect();
            let root = document.root_element();
            assert_eq!(size[..2], [0.0, 0.0]);
            assert!((size[2] - 0.75 * number(&root, "width")).abs() < 0.1, "{size:?}");
            assert!((size[3] - 0.75 * number(&root, "height")).abs() < 0.1, "{size:?}");
            // Every text, in order; the reader puts each on a line of its own.
            let text = pdf.extract_text(&[1]).expect("text");
            let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
            assert_eq!(lines, words(&document));
        }
    }

    #[test]
    fn every_cell_is_filled() {
        for drawing in drawings() {
            let svg = drawing.to_svg();
            let document = Document::parse(&svg).expect("XML");
            for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
                let file = drawing.clone().theme(theme).to_pdf().expect("a picture");
                let pdf = lopdf::Document::load_mem(&file).expect("PDF");
                let content =
                    pdf.get_and_decode_page_content(pdf.get_pages()[&1]).expect("content");
                let count = |operator: &str| {
                    content.operations.iter().filter(|op| op.operator == operator).count()
                };
                assert_eq!(count("B"), cells(&document).len());
                let rectangles = document.descendants().filter(|node| {
                    node.has_tag_name("rect")
                        && node.attribute("rx").is_none()
                        && !has_class(node, "page")
                });
                assert_eq!(count("re"), rectangles.count() + usize::from(theme != Theme::Auto));
                assert_eq!(count("q"), count("Q"));
                assert_eq!(count("BT"), words(&document).len());
            }
        }
    }
}

/// The coordinates in a line of TikZ.
fn coordinates(line: &str) -> Vec<(f64, f64)> {
    let pairs = line.split('(').skip(1).filter_map(|rest| rest.split_once(')'));
    let pairs = pairs.filter_map(|(pair, _)| pair.split_once(','));
    pairs.filter_map(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?))).collect()
}

#[test]
fn tikz_has_what_the_svg_has() {
    for drawing in drawings() {
        let (svg, tex) = (drawing.to_svg(), drawing.to_tikz());
        let document = Document::parse(&svg).expect("XML");
        let root = document.root_element();
        let (width, height) = (number(&root, "width"), number(&root, "height"));
        let lines: Vec<_> = tex.lines().collect();
        let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        let with_class =
            |class: &str| document.descendants().filter(|n| has_class(n, class)).count();
        assert_eq!(count("\\node["), words(&document).len());
        assert_eq!(count("\\path[vm cell="), cells(&document).len());
        assert_eq!(count("\\path[vm arrow]") + count("\\path[vm odd arrow]"), with_class("arrow"));
        assert_eq!(count("\\path[vm odd arrow]"), {
            let odd =
                document.descendants().filter(|n| has_class(n, "arrow") && has_class(n, "odd"));
            odd.count()
        });
        assert_eq!(count("\\path[vm pad]"), with_class("pad"));

        // One environment, all statements end, and braces match on every line of it.
        let place = |line: &str| lines.iter().position(|other| *other == line).expect(line);
        assert!(place("\\begin{document}") < place("\\begin{tikzpicture}["));
        assert_eq!(lines[lines.len() - 2..], ["\\end{tikzpicture}", "\\end{document}"]);
        let body = &lines[place("]") + 1..lines.len() - 2];
        for line in body {
            assert!(line.starts_with("\\definecolor") || line.ends_with(';'), "{line}");
            let mut depth = 0;
            let mut escaped = false;
            for c in line.chars() {
                match c {
                    '{' if !escaped => depth += 1,
                    '}' if !escaped => depth -= 1,
                    '%' | '#' | '&' | '$' | '~' | '^' => assert!(escaped, "{line}"),
                    _ => {}
                }
                assert!(depth >= 0, "{line}");
                escaped = c == '\\' && !escaped;
            }
            assert_eq!(depth, 0, "{line}");
            if line.starts_with("\\path") {
                let points = coordinates(line);
                assert!(points.len() >= 2, "{line}");
                for (x, y) in points {
                    assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{line}");
                }
            }
        }
    }
}

/// Compiles the TikZ, if a suitable TeX is installed.
#[test]
fn tikz_compiles() {
    let needed = ["standalone.cls", "tikz.sty", "lmodern.sty"];
    let found = Command::new("kpsewhich").args(needed).output();
    let found = found.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).lines().count() == needed.len()
    });
    if !found {
        eprintln!("no TeX with {needed:?} here: nothing was compiled");
        return;
    }
    let folder = std::env::temp_dir().join(format!("viewmerge-tikz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("is made");
    for (count, drawing) in drawings().into_iter().enumerate() {
        let theme = [Theme::Auto, Theme::Light, Theme::Dark][count % 3];
        let name = format!("picture-{count}");
        let tex = drawing.theme(theme).to_tikz();
        std::fs::write(folder.join(&name).with_extension("tex"), &tex).expect("is written");
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", &name])
            .current_dir(&folder)
            .output()
            .expect("runs");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{told}\n{tex}");
        for trouble in ["Overfull", "Missing character", "Font Warning"] {
            assert!(!told.contains(trouble), "{told}");
        }
        assert!(Path::new(&folder.join(&name).with_extension("pdf")).exists(), "{told}");
    }
    std::fs::remove_dir_all(&folder).expect("is removed");
}
