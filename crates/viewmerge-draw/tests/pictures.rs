//! Pictures read back: they are XML, and the cells hold the right numbers.

use std::path::Path;

use roxmltree::{Document, Node};
use viewmerge::{View, ViewChain};
use viewmerge_draw::{Drawing, Theme};

fn view(text: &str) -> View {
    text.parse().expect(text)
}

fn chain(views: &[&str]) -> ViewChain {
    let views: Vec<_> = views.iter().map(|text| view(text)).collect();
    ViewChain::from_views(&views).expect("composes")
}

fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
}

/// The words of all texts of a class, in the order of the file.
fn texts<'a>(document: &'a Document<'_>, class: &str) -> Vec<&'a str> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter(|node| has_class(node, class)).filter_map(|node| node.text()).collect()
}

/// The memory positions, in the order of the file.
fn numbers(document: &Document<'_>) -> Vec<i64> {
    let cells = document
        .descendants()
        .filter(|node| has_class(node, "on-dark") || has_class(node, "on-light"));
    cells.map(|node| node.text().expect("a number").parse().expect("a number")).collect()
}

fn count(document: &Document<'_>, class: &str) -> usize {
    document.descendants().filter(|node| has_class(node, class)).count()
}

/// Checks what must hold of any picture, and returns it.
fn checked(drawing: &Drawing) -> String {
    let svg = drawing.to_svg();
    let document = Document::parse(&svg).expect(&svg);
    assert_eq!(svg, drawing.to_string());
    assert_eq!(svg, drawing.clone().to_svg(), "not the same twice");
    let root = document.root_element();
    for length in ["width", "height"] {
        let length: f64 = root.attribute(length).expect(&svg).parse().expect(&svg);
        assert!((10.0..6000.0).contains(&length), "{length}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    // Nothing is loaded from elsewhere.
    assert!(!svg.replace("http://www.w3.org/2000/svg", "").contains("://"));
    svg
}

#[test]
fn every_index_has_its_position() {
    let rows = [
        "(2,3):(1,2)",
        "(5)",
        "(5):(1)-1 [1:4]",
        "(3,4):(-4,1)+8",
        "(2,3,4):(1,-2,6)+70",
        "(2,2,3,4)",
        "(2,2,3,4):(1,2,0,-7) [0:1,0:2,1:2,0:4]",
        "()+4",
        "()-4",
        "(1,1,3,1,2,1)",
        "(2,3) nothing",
    ];
    for text in rows {
        let view = view(text);
        let svg = checked(&Drawing::of_view(&view));
        let document = Document::parse(&svg).unwrap();
        let positions: Vec<_> = view.positions().flatten().collect();
        assert_eq!(numbers(&document), positions, "{text}");
        assert_eq!(count(&document, "pad"), view.positions().filter(Option::is_none).count());
        assert_eq!(texts(&document, "head"), [view.to_string()], "{text}");
    }
}

#[test]
fn equal_positions_have_equal_colours() {
    let svg = checked(&Drawing::of_view(&view("(3,3):(1,1)")));
    let document = Document::parse(&svg).unwrap();
    let styles = document.descendants().filter_map(|node| node.attribute("style"));
    let styles: Vec<_> = styles.collect();
    assert_eq!(styles.len(), 9);
    assert_eq!(styles[1], styles[3]);
    assert_ne!(styles[0], styles[8]);
}

#[test]
fn indices_are_on_the_edges() {
    let svg = checked(&Drawing::of_view(&view("(2,3)")));
    let document = Document::parse(&svg).unwrap();
    assert_eq!(texts(&document, "small"), ["axis 0", "0", "1", "0", "1", "2", "axis 1"]);
    let svg = checked(&Drawing::of_view(&view("(2,1,2)")));
    let document = Document::parse(&svg).unwrap();
    let labels = texts(&document, "small");
    assert!(labels.contains(&"axis 0 = 0") && labels.contains(&"axis 0 = 1"), "{labels:?}");
}

#[test]
fn a_chain_is_drawn_from_the_top_to_memory() {
    let svg = checked(&Drawing::of_chain(&chain(&["(3,2):(1,3)", "(6)"])).title("flat"));
    let document = Document::parse(&svg).unwrap();
    assert_eq!(texts(&document, "title"), ["flat"]);
    let expected = [
        "all together: (3,2):(1,3) | (6):(1)",
        "view 1: (6):(1)",
        "view 0, next to memory: (3,2):(1,3)",
    ];
    assert_eq!(texts(&document, "head"), expected);
    assert_eq!(numbers(&document), [0, 3, 1, 4, 2, 5, 0, 1, 2, 3, 4, 5, 0, 3, 1, 4, 2, 5]);
}

#[test]
fn a_long_chain_leaves_views_out() {
    let svg = checked(&Drawing::of_chain(&chain(&["(3)"; 50])));
    let document = Document::parse(&svg).unwrap();
    let heads = texts(&document, "head");
    let drawn = heads.iter().filter(|head| head.starts_with("view")).count();
    assert_eq!(drawn, 8);
    assert!(svg.contains("42 views below this one are not drawn"));
}

#[test]
fn steps_and_verdicts() {
    // (views, steps written, of them odd, frames, crosses, the verdict)
    type Row =
        (&'static [&'static str], &'static [&'static str], usize, usize, usize, &'static str);
    let rows: [Row; 6] = [
        (&["(10,3,3):(8,1,2)", "(4):(4)"], &["+3"], 0, 0, 0, "one view: (4):(3)"),
        (
            &["(10,3,3):(8,1,2)", "(6):(4)"],
            &["+3", "+8"],
            1,
            2,
            0,
            "not one view: the step along axis 0 is +3 at (0), but +8 at (4)",
        ),
        (
            &["(2,3):(2,1) [0:2,0:2]", "(6)"],
            &["+1"],
            0,
            3,
            1,
            "not one view: (0) and (3) are valid, but (2) between them is padding",
        ),
        // Between panels there is one arrow for each length, and frames around all four cells.
        (
            &["(3,2):(1,3)", "(6,2,2):(1,0,0)"],
            &["+0", "+0", "+3", "-2", "-2"],
            2,
            4,
            0,
            "not one view: the step along axis 0 is +3 at (0,0,0), but −2 at (1,0,0)",
        ),
        (&["(2,3)"], &["+1", "+3"], 0, 0, 0, "one view: (2,3):(3,1)"),
        (&["(2)", "(0)"], &[], 0, 0, 0, "one view: (0):(0)"),
    ];
    for (views, steps, odd, frames, crosses, verdict) in rows {
        let svg = checked(&Drawing::of_merge(&chain(views)));
        let document = Document::parse(&svg).unwrap();
        assert_eq!(texts(&document, "step"), steps, "{views:?}");
        let odd_steps =
            document.descendants().filter(|node| has_class(node, "step") && has_class(node, "odd"));
        assert_eq!(odd_steps.count(), odd, "{views:?}");
        let crossed = count(&document, "cross");
        assert_eq!(crossed, crosses, "{views:?}");
        assert_eq!(count(&document, "mark") - crossed, frames, "{views:?}");
        assert!(texts(&document, "small").contains(&verdict), "{views:?}: {svg}");
    }
}

#[test]
fn a_far_witness_is_shown() {
    // The first overflow is far beyond the cells usually shown.
    let svg = checked(&Drawing::of_merge(&chain(&["(9,5000):(7000,1)", "(45000)"])));
    let document = Document::parse(&svg).unwrap();
    assert!(numbers(&document).contains(&4999), "{svg}");
    assert_eq!(count(&document, "mark"), 2);
}

#[test]
fn titles_are_escaped() {
    let title = "<b> & \"quotes\" 'and' ]]> \u{0}\u{1b}\u{ffff} 視点";
    let svg = checked(&Drawing::of_view(&view("(2)")).title(title));
    let document = Document::parse(&svg).unwrap();
    assert_eq!(texts(&document, "title"), ["<b> & \"quotes\" 'and' ]]>   \u{fffd} 視点"]);
    checked(&Drawing::of_view(&view("(2)")).title(""));
    checked(&Drawing::of_view(&view("(2)")).title(&"long ".repeat(10_000)));
}

#[test]
fn pictures_in_the_documentation() {
    // (file, what is drawn); VIEWMERGE_WRITE=1 redraws them
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let rows = [
        ("view.svg", Drawing::of_view(&view("(4,5):(1,4)-4 [0:4,1:4]"))),
        ("merge.svg", Drawing::of_merge(&chain(&["(10,3,3):(8,1,2)", "(6):(4)"]))),
    ];
    for (name, drawing) in rows {
        let (file, svg) = (docs.join(name), format!("{}\n", checked(&drawing)));
        if std::env::var_os("VIEWMERGE_WRITE").is_some() {
            std::fs::write(&file, &svg).expect(name);
        }
        assert_eq!(std::fs::read_to_string(&file).expect(name), svg, "{name} is not up to date");
    }
}

fn is_cell(node: &Node<'_, '_>) -> bool {
    node.has_tag_name("rect") && has_class(node, "line")
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).expect(name).parse().expect(name)
}

#[test]
fn wide_pictures_go_on_in_another_line() {
    // (views, lines of blocks)
    let rows: [(&[&str], usize); 4] = [
        (&["(6,2,3)"], 2),
        (&["(2,2,2)"], 1),
        (&["(2,3,4,5)"], 4),
        (&["(3,2,2,3):(6,18,3,1)", "(6,2,3)"], 2),
    ];
    for (views, lines) in rows {
        let svg = checked(&Drawing::of_merge(&chain(views)));
        let document = Document::parse(&svg).unwrap();
        assert!(number(&document.root_element(), "width") <= 1200.0, "{views:?}");
        // The name of the row axis is written once for each line.
        let rank = chain(views).shape().len();
        let name = format!("axis {}", rank - 2);
        let found = texts(&document, "small").into_iter().filter(|text| **text == name).count();
        assert_eq!(found, lines, "{views:?}");
        let cells: Vec<_> = document.descendants().filter(is_cell).collect();
        assert_eq!(cells.len() as i64, chain(views).shape().iter().product::<i64>(), "{views:?}");
    }
}

#[test]
fn an_arrow_that_goes_on_elsewhere_is_drawn_in_two_parts() {
    // Six blocks in two lines: five steps, one of them from the first line to the second.
    let svg = checked(&Drawing::of_merge(&chain(&["(3,2,2,3):(6,18,3,1)", "(6,2,3)"])));
    let document = Document::parse(&svg).unwrap();
    let within_blocks = 6 * (2 * 2 + 3);
    assert_eq!(count(&document, "arrow"), within_blocks + 5 + 1);
    assert_eq!(count(&document, "tip"), count(&document, "arrow"));
    assert_eq!(texts(&document, "step"), ["+1", "+3", "+18", "-12", "-12"]);
}

#[test]
fn what_is_not_shown_is_said() {
    // Four lengths from one block to the other, and room for three.
    let svg =
        checked(&Drawing::of_merge(&chain(&["(2,2,2,2):(1,10,100,1000)", "(2,1,8):(1,0,1)"])));
    assert!(svg.contains("1 more length of steps between panels has no arrow"), "{svg}");
}

#[test]
fn themes() {
    let drawing = Drawing::of_merge(&chain(&["(3,2):(1,3)", "(6)"]));
    let auto = checked(&drawing);
    assert_eq!(auto, checked(&drawing.clone().theme(Theme::Auto)));
    assert!(auto.contains("@media (prefers-color-scheme:dark)"));
    for (theme, background) in [(Theme::Light, "#ffffff"), (Theme::Dark, "#1e1e1e")] {
        let svg = checked(&drawing.clone().theme(theme));
        assert!(!svg.contains("@media") && svg.contains(&format!(".page{{fill:{background}}}")));
        // Only the colours differ.
        let shapes = |svg: &str| svg.split_once("</style>").map(|(_, shapes)| shapes.to_owned());
        assert_eq!(shapes(&svg), shapes(&auto));
    }
}
