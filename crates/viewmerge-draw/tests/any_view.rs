//! Any view gives a small picture, quickly.

use std::time::{Duration, Instant};

use roxmltree::Document;
use viewmerge::{View, ViewChain};
use viewmerge_draw::Drawing;
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::generate;

fn small_and_quick(drawing: &Drawing, what: &str) {
    let start = Instant::now();
    let svg = drawing.to_svg();
    let taken = start.elapsed();
    assert!(taken < Duration::from_millis(800), "{what} took {taken:?}");
    assert!(svg.len() < 300_000, "{what}: {} bytes", svg.len());
    assert!(Document::parse(&svg).is_ok(), "{what}");
    assert!(!svg.contains("NaN"), "{what}");
}

/// The other formats are no larger.
fn exports(drawing: &Drawing, what: &str) {
    let most = drawing.to_svg().len() + 5000;
    let tex = drawing.to_tikz();
    assert!(tex.len() < most && !tex.contains("NaN"), "{what}: {} bytes", tex.len());
    #[cfg(feature = "export")]
    {
        let pdf = drawing.to_pdf().expect(what);
        assert!(pdf.len() < most + 30_000, "{what}: {} bytes", pdf.len());
        let png = drawing.to_png(1.0).expect(what);
        assert!(png.len() < 2_000_000, "{what}: {} bytes", png.len());
    }
}

fn draw_in_every_way(chain: &ViewChain) {
    let what = chain.to_string();
    small_and_quick(&Drawing::of_view(chain.last()), &what);
    small_and_quick(&Drawing::of_chain(chain), &what);
    small_and_quick(&Drawing::of_merge(chain), &what);
    exports(&Drawing::of_chain(chain), &what);
    for cells in [0, 1, 7] {
        small_and_quick(&Drawing::of_merge(chain).most_cells(cells), &what);
    }
}

#[test]
fn odd_views() {
    let rows = [
        "()",
        "()-4611686018427387904",
        "() nothing",
        "(0)",
        "(3,0,4611686018427387904)",
        "(2,0,1,1,5,7,9)",
        "(2,3) nothing",
        "(1)",
        "(1,1,1,1,1,1,1)",
        "(2,3,2,1,2,2,3)",
        "(3,2):(-2,-1)+5",
        "(3,3):(0,0)",
        "(4611686018427387904)",
        "(4611686018427387904):(-1)+4611686018427387903",
        "(4611686018427387904):(1)-4611686018427387904",
        "(4611686018427387904):(0) [4611686018427387000:4611686018427387904]",
        "(2147483648,2147483648):(-2147483648,1)+4611686016279904256",
        "(1000,1000,1000,1000,1000,1000)",
        "(32768,32768,32768,32768) [1:2,0:32768,5:9,30000:32768]",
        "(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2)",
    ];
    for text in rows {
        let view: View = text.parse().expect(text);
        draw_in_every_way(&view.into());
    }
    draw_in_every_way(&View::contiguous(&[2; 62]).expect("2^62 elements").into());
    draw_in_every_way(&View::contiguous(&[1; 3000]).expect("one element").into());
}

#[test]
fn huge_chains() {
    let views = ["(2147483648,2147483648):(1,2147483648)", "(4611686018427387904)"];
    let views = views.map(|text| text.parse::<View>().expect(text));
    draw_in_every_way(&ViewChain::from_views(&views).expect("composes"));
    let many = ViewChain::from_views(&vec![views[0].clone(); 300]).expect("composes");
    draw_in_every_way(&many);
}

#[test]
fn as_many_cells_as_there_may_be() {
    let view = View::contiguous(&[1 << 31, 1 << 31]).expect("2^62 elements");
    let svg = Drawing::of_view(&view).most_cells(usize::MAX).to_svg();
    let document = Document::parse(&svg).expect("XML");
    let cells = document.descendants().filter(|node| node.has_tag_name("rect")).count();
    assert!((3000..=10_000).contains(&cells), "{cells}");
    exports(&Drawing::of_view(&view).most_cells(10_000), "10 000 cells");
}

#[test]
fn random_views_and_chains() {
    let mut state = 1u64;
    for round in 0..300 {
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
        if let Ok(extreme) = View::try_from(generate::extreme_parts(&mut Choices::new(&bytes))) {
            small_and_quick(&Drawing::of_view(&extreme), &extreme.to_string());
        }
        let views = generate::chain(&mut Choices::new(&bytes));
        let Ok(chain) = ViewChain::from_views(&views) else { continue };
        small_and_quick(&Drawing::of_chain(&chain), &chain.to_string());
        small_and_quick(&Drawing::of_merge(&chain), &chain.to_string());
        if round % 20 == 0 {
            exports(&Drawing::of_merge(&chain), &chain.to_string());
        }
    }
}
