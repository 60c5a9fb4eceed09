//! What must hold of every scene: everything is within the picture, and nothing covers text.

use viewmerge::{Validity, View, ViewChain, Witness};
use viewmerge_index::IndexChain;
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::generate;

use crate::area::{Area, Point};
use crate::scene::{Item, Kind, Look, Scene, Shape, Text, TextLook};
use crate::text::Anchor;
use crate::{ColourBy, Drawing};

/// The greatest width of a picture with the usual number of cells.
const WIDEST: f64 = 1200.0;

/// The room of a text: letters reach above the line, some below it.
fn area(text: &Text) -> Area {
    let width = text.font.width(&text.words);
    let start = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width / 2.0,
        Anchor::End => -width,
    };
    let (above, below) = (0.75 * text.font.size(), 0.2 * text.font.size());
    let (x, y) = text.at;
    if text.upright {
        let y = y - start - width;
        return Area { x: x - above, y, width: above + below, height: width };
    }
    Area { x: x + start, y: y - above, width, height: above + below }
}

/// The smallest area around some points.
fn around(points: &[Point]) -> Area {
    let dot = |&(x, y): &Point| Area { x, y, width: 0.0, height: 0.0 };
    points.iter().map(dot).reduce(Area::around).expect("points")
}

/// Whether two areas share more than an edge.
fn overlap(one: &Area, other: &Area) -> bool {
    let apart = one.right() <= other.x + 0.01
        || other.right() <= one.x + 0.01
        || one.bottom() <= other.y + 0.01
        || other.bottom() <= one.y + 0.01;
    !apart
}

fn within(inner: &Area, outer: &Area) -> bool {
    inner.x >= outer.x - 0.01
        && inner.y >= outer.y - 0.01
        && inner.right() <= outer.right() + 0.01
        && inner.bottom() <= outer.bottom() + 0.01
}

fn check(scene: &Scene, what: &str) {
    let page = Area { x: 0.0, y: 0.0, width: scene.width, height: scene.height };
    let (mut cells, mut texts, mut segments) = (Vec::new(), Vec::new(), Vec::new());
    for item in &scene.items {
        let item_area = match item {
            Item::Text(text) => {
                texts.push((area(text), &text.words));
                area(text)
            }
            Item::Shape(Shape::Rectangle { area, .. }, look) => {
                if matches!(look, Look::Cell(_) | Look::Padding) {
                    cells.push(*area);
                }
                *area
            }
            Item::Shape(Shape::Lines(lines), look) => {
                if matches!(look, Look::Arrow(_)) {
                    segments.extend(lines.iter().flat_map(|line| line.windows(2).map(around)));
                }
                around(&lines.concat())
            }
            Item::Shape(Shape::Polygon(corners), _) => around(corners),
        };
        assert!(within(&item_area, &page), "{what}: {item:?} is outside the picture");
    }
    for (number, (one, words)) in texts.iter().enumerate() {
        for (other, other_words) in &texts[..number] {
            assert!(!overlap(one, other), "{what}: “{words}” covers “{other_words}”");
        }
        for cell in &cells {
            let apart = !overlap(one, cell) || within(one, cell);
            assert!(apart, "{what}: “{words}” lies across a cell");
        }
        for segment in &segments {
            let crossed = overlap(one, &segment.grown(0.5));
            assert!(!crossed, "{what}: an arrow goes through “{words}”");
        }
    }
    for (number, cell) in cells.iter().enumerate() {
        assert!(cells[..number].iter().all(|other| !overlap(cell, other)), "{what}");
        let crossed = segments.iter().find(|segment| overlap(cell, &segment.grown(1.0)));
        assert!(crossed.is_none(), "{what}: an arrow goes through a cell");
    }
}

/// If two steps disagree, both have an arrow, one of them an odd one.
fn check_arrows(chain: &ViewChain, scene: &Scene) {
    let verdict = chain.merge().expect("fits");
    let Some(Witness::Step { step, other_step, .. }) = verdict.witness() else { return };
    let said = |words: &str| {
        let texts = scene.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some(text),
            Item::Shape(..) => None,
        });
        texts.filter(|text| text.words == words).map(|text| text.look).collect::<Vec<_>>()
    };
    if said("not all of these indices are shown").is_empty() {
        let usual = said(&format!("{step:+}"));
        assert!(usual.contains(&TextLook::Step(Kind::Usual)), "{chain}: no arrow for {step}");
        let odd = said(&format!("{other_step:+}"));
        assert!(odd.contains(&TextLook::Step(Kind::Odd)), "{chain}: no arrow for {other_step}");
        let tips =
            scene.items.iter().filter(|item| matches!(item, Item::Shape(_, Look::Tip(Kind::Odd))));
        assert!(tips.count() > 0, "{chain}: no odd arrow");
    }
}

fn check_all(chain: &ViewChain) {
    check_arrows(chain, &Drawing::of_merge(chain).scene());
    let what = chain.to_string();
    for drawing in
        [Drawing::of_view(chain.last()), Drawing::of_chain(chain), Drawing::of_merge(chain)]
    {
        let scene = drawing.scene();
        check(&scene, &what);
        assert!(scene.width <= WIDEST, "{what} is {} wide", scene.width);
        check(&drawing.title(&what).scene(), &what);
    }
}

#[test]
fn known_chains() {
    let rows = [
        "()",
        "(0)",
        "(3) nothing",
        "(10,3,3):(8,1,2) | (6):(4)",
        "(3,2,2,3):(6,18,3,1) | (6,2,3)",
        "(3,2):(1,3) | (2,3,2,2):(3,1,0,0)",
        "(3,2):(1,3) | (3,4,1):(1,1,0)",
        "(2,3,4,5)",
        "(4,6,10,12)",
        "(4,6,10,12):(1,4,24,240) | (2880) | (6,4,10,12)",
        "(9,9,9,9,9,9)",
        "(2,3,4,5) | permute(3,2,1,0) | reshape(5,4,6)",
        "(2,3,4,5) | permute(3,2,1,0) | reshape(4,5,3,2)",
        "(100,200,300) | permute(2,1,0) | reshape(200,300,100)",
        "(100,200,300) | permute(2,1,0) | reshape(6000000)",
        "(32,128,768) | permute(1,0,2) | reshape(4096,768)",
        "(18):(1)-2 [2:17] | (16,3):(1,1)",
        "(12):(1)-2 [2:9] | (3,3,3,3):(1,1,1,1)",
    ];
    for text in rows {
        check_all(&text.parse().expect(text));
    }
}

#[test]
fn known_layouts() {
    let rows = [
        "1:0",
        "24:5",
        "(4,8):(1,4)",
        "((2,2),(4,2)):((1,16),(2,8))",
        "(8,8,3):(8,1,64)",
        "((2,2),3,(2,2),2,2)",
        "(1000,1000):(100000000,1)",
    ];
    for text in rows {
        let drawing = Drawing::of_layout(&text.parse().expect(text));
        check(&drawing.scene(), text);
        check(&drawing.most_cells(20).scene(), text);
    }
    let rows = [
        ("(4,2):(2,1)", None),
        ("(8,4):(1,0)", Some([2, 4])),
        ("((4,8),(2,2)):((32,1),(16,8))", Some([16, 8])),
        ("(2,2):(40,1)", Some([6, 7])),
        ("(1024,8):(8,1)", Some([64, 128])),
    ];
    for (text, tile) in rows {
        for by in [ColourBy::Thread, ColourBy::Value] {
            let drawing = Drawing::of_thread_values(&text.parse().expect(text), tile, by);
            check(&drawing.expect(text).scene(), text);
        }
    }
    let swizzled = "Sw<2,0,3> o 0 o (8,8):(8,1)";
    check(&Drawing::of_swizzled(&swizzled.parse().expect(swizzled)).scene(), swizzled);
}

/// The cuts of a tiling are lines between cells: as many as the split has, and none through a number.
#[test]
fn tilings() {
    let rows = [
        ("(4,3):(1,4) | (12)", 3),
        ("(6,4):(1,6) | (12,2)", 5),
        ("(3,6):(10,1) | (18) | pad((0,2))", 3),
        ("(3,4):(7,1) | (10)", 2),
        ("(2,2,3):(7,40,1) | (2,6)", 1),
        ("(4,2):(1,6) | (2,4):(3,1)", 0),
        ("(12)", 0),
    ];
    for (text, lines) in rows {
        let chain: ViewChain = text.parse().expect(text);
        let tiling = chain.tiling(&viewmerge::Limit::none()).expect(text);
        let scene = Drawing::of_tiling(&chain, &tiling).most_cells(1000).scene();
        check(&scene, text);
        let drawn: usize = scene
            .items
            .iter()
            .map(|item| match item {
                Item::Shape(Shape::Lines(lines), Look::Frame(_)) => lines.len(),
                _ => 0,
            })
            .sum();
        assert_eq!(drawn, lines, "{text}: {tiling}");
    }
}

fn bytes(state: &mut u64) -> Vec<u8> {
    let byte = |_| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 56) as u8
    };
    (0..200).map(byte).collect()
}

#[test]
fn random_chains() {
    let mut state = 7u64;
    for _ in 0..300 {
        let bytes = bytes(&mut state);
        let mut choices = Choices::new(&bytes);
        let Ok(chain) = ViewChain::from_views(&generate::chain(&mut choices)) else { continue };
        check_all(&chain);
        let count = chain.shape().iter().product();
        if count == 0 {
            continue;
        }
        let shape = generate::regroup(&mut choices, count);
        if let Ok(chain) = chain.reshape(&shape) {
            check_all(&chain);
        }
    }
}

/// Long axes, long numbers, many axes: a picture of numbers with more than 13 digits may be a little wider.
#[test]
fn large_chains() {
    let mut state = 11u64;
    for _ in 0..300 {
        let bytes = bytes(&mut state);
        let mut choices = Choices::new(&bytes);
        let sizes = |choices: &mut Choices<'_>, count: i64| -> Vec<i64> {
            (0..count).map(|_| choices.pick(&[2, 3, 1, 6, 12, 100, 1000, 1 << 20])).collect()
        };
        let rank = choices.between(1, 6);
        let below = sizes(&mut choices, rank);
        let scale = choices.pick(&[1, 1000, 1_000_000, 1_000_000_000, 1 << 40, 1 << 56]);
        let strides: Vec<i64> =
            below.iter().map(|_| choices.between(-9, 9) * scale + choices.between(-9, 9)).collect();
        let reach = |(size, stride): (&i64, &i64)| i128::from(size - 1) * i128::from(stride.abs());
        let farthest: i128 = below.iter().zip(&strides).map(reach).sum();
        let Ok(view) = View::new(&below, &strides, 0, Validity::All) else { continue };
        let mut above = below.clone();
        let end = above.len() - 1;
        above.swap(0, choices.below(rank) as usize);
        if choices.one_in(2) && end > 0 {
            above[end - 1] *= above[end];
            above.pop();
        }
        let Ok(chain) = ViewChain::from(view).reshape(&above) else { continue };
        for drawing in [Drawing::of_chain(&chain), Drawing::of_merge(&chain)] {
            let scene = drawing.scene();
            check(&scene, &chain.to_string());
            check_arrows(&chain, &Drawing::of_merge(&chain).scene());
            let widest = if farthest < 10_i128.pow(13) { WIDEST } else { 1600.0 };
            assert!(scene.width <= widest, "{chain} is {} wide", scene.width);
        }
    }
}
