//! One grid with what is written above and below it.

use svg::node::Node;
use svg::node::element::Group;
use viewmerge::{Index, Witness};

use crate::caption::wrap;
use crate::function::Function;
use crate::geometry::{Area, Geometry, Spacing};
use crate::grid::{Grid, rectangle};
use crate::layout::Room;
use crate::merge::{self, Steps};
use crate::text::{Anchor, Font, text};

/// A grid that comes out wider than this is drawn again with fewer columns.
const PAGE: f64 = 1250.0;
/// Captions are not broken to less than this, however narrow the grid is.
pub(crate) const LEAST_CAPTION: f64 = 540.0;

/// Whether steps between cells are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrows {
    No,
    Yes,
}

/// A line of text below a grid.
struct Remark {
    class: &'static str,
    words: String,
}

/// A grid, or the note that there is none, with captions.
pub(crate) struct Panel {
    heading: String,
    figure: Option<Figure>,
    witness: Option<Witness>,
    remarks: Vec<Remark>,
}

/// A grid with its place on the page.
struct Figure {
    grid: Grid,
    steps: Option<Steps>,
    geometry: Geometry,
}

impl Panel {
    /// The picture of what a function does, in about so many cells.
    pub(crate) fn new(
        heading: String,
        function: Function<'_>,
        cells: usize,
        arrows: Arrows,
        witness: Option<Witness>,
    ) -> Panel {
        let wanted = witness.as_ref().map(merge::indices).unwrap_or_default();
        let figure = Figure::fitted(function, Room::for_cells(cells), arrows, &wanted);
        let mut panel = Panel { heading, figure, witness, remarks: Vec::new() };
        if let Some(figure) = &panel.figure {
            let folded = figure.grid.layout.note();
            let padding = figure.grid.has_padding().then(|| "hatched: padding".to_owned());
            panel
                .remarks
                .extend(folded.into_iter().chain(padding).map(|words| Remark { class: "", words }));
        }
        panel
    }

    /// The panel with a sentence below it; an `odd` one in the colour of odd steps.
    pub(crate) fn remark(mut self, words: String, odd: bool) -> Panel {
        self.remarks.insert(0, Remark { class: if odd { "odd" } else { "" }, words });
        self
    }

    /// Draws the panel with its upper left corner at the origin; its width and height.
    pub(crate) fn draw(&self, into: &mut Group) -> (f64, f64) {
        let (wide, high) =
            self.figure.as_ref().map_or((150.0, 44.0), |f| (f.geometry.width, f.geometry.height));
        let line_width = wide.max(LEAST_CAPTION);
        let mut width = wide;
        let mut y = 0.0;
        let mut write = |font: Font, class: &str, words: &str, y: &mut f64, into: &mut Group| {
            for line in wrap(words, font, line_width) {
                into.append(text(font, class, Anchor::Start, (0.0, *y + font.line() - 5.0), &line));
                *y += font.line();
                width = width.max(font.width(&line));
            }
        };
        write(Font::Heading, "", &self.heading, &mut y, into);
        y += 8.0;
        let mut body = Group::new().set("transform", format!("translate(0 {y})"));
        match &self.figure {
            Some(figure) => figure.draw(self.witness.as_ref(), &mut body),
            None => draw_nothing(&mut body),
        }
        into.append(body);
        y += high + 2.0;
        for remark in &self.remarks {
            write(Font::Small, remark.class, &remark.words, &mut y, into);
        }
        (width, y)
    }
}

impl Figure {
    /// The figure, with fewer columns if the usual ones are too wide for a page.
    fn fitted(
        function: Function<'_>,
        room: Room,
        arrows: Arrows,
        wanted: &[Index],
    ) -> Option<Figure> {
        let figure = Figure::new(function, room, arrows, wanted)?;
        // More than the usual number of columns was asked for: so is a wider page.
        let page = PAGE * room.columns as f64 / Room::for_cells(1).columns as f64;
        if figure.geometry.width <= page {
            return Some(figure);
        }
        let [_, blocks, _, columns] = figure.grid.layout.lengths();
        let fewer = (blocks * columns) as f64 * page / figure.geometry.width;
        Figure::new(function, room.narrowed(fewer as usize), arrows, wanted)
    }

    fn new(function: Function<'_>, room: Room, arrows: Arrows, wanted: &[Index]) -> Option<Figure> {
        let grid = Grid::new(function, room, wanted)?;
        let steps = (arrows == Arrows::Yes).then(|| Steps::of(&grid));
        let spacing = steps.as_ref().map_or(Spacing::default(), Steps::spacing);
        let geometry = Geometry::new(&grid.layout, grid.widest(), spacing);
        Some(Figure { grid, steps, geometry })
    }

    fn draw(&self, witness: Option<&Witness>, into: &mut Group) {
        self.grid.draw(&self.geometry, into);
        if let Some(steps) = &self.steps {
            steps.draw(&self.geometry, into);
        }
        if let Some(witness) = witness {
            merge::draw_witness(witness, &self.grid, &self.geometry, into);
        }
    }
}

/// What stands for a grid without cells.
fn draw_nothing(into: &mut Group) {
    let area = Area { x: 1.0, y: 1.0, width: 140.0, height: 36.0 };
    let (x, y) = area.middle();
    into.append(rectangle("line dash", area));
    into.append(text(Font::Number, "", Anchor::Middle, (x, y + 4.0), "no elements"));
}
