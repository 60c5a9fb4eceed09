//! One grid with the text above and below it.

use viewmerge::{Index, Witness};

use crate::area::Area;
use crate::caption::wrap;
use crate::function::Function;
use crate::geometry::{Geometry, Spacing};
use crate::grid::Grid;
use crate::layout::Room;
use crate::scene::{Kind, Look, Scene, Text, TextLook};
use crate::steps::Steps;
use crate::text::{Anchor, Font};
use crate::witness;

/// Captions are at least this wide, however narrow the grid is.
pub(crate) const LEAST_CAPTION: f64 = 540.0;

/// Whether steps between cells are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrows {
    No,
    Yes,
}

/// A line of text below a grid.
struct Remark {
    kind: Kind,
    words: String,
}

/// A grid, or a note that there are no elements, with captions.
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
    /// The panel of a function.
    pub(crate) fn new(
        heading: String,
        function: Function<'_>,
        room: Room,
        page: f64,
        arrows: Arrows,
        witness: Option<Witness>,
    ) -> Panel {
        let figure = Figure::fitted(function, room, page, arrows, witness.as_ref());
        let mut panel = Panel { heading, figure, witness, remarks: Vec::new() };
        if let Some(figure) = &panel.figure {
            let remarks = figure.remarks(panel.witness.as_ref());
            panel
                .remarks
                .extend(remarks.into_iter().map(|words| Remark { kind: Kind::Usual, words }));
        }
        panel
    }

    /// The panel with a sentence below it.
    pub(crate) fn remark(mut self, words: String, kind: Kind) -> Panel {
        self.remarks.insert(0, Remark { kind, words });
        self
    }

    /// The panel as a scene.
    pub(crate) fn scene(&self) -> Scene {
        let mut body = Scene::default();
        let (wide, high) = match &self.figure {
            Some(figure) => {
                figure.draw(self.witness.as_ref(), &mut body);
                (figure.geometry.width, figure.geometry.height)
            }
            None => {
                draw_nothing(&mut body);
                (150.0, 44.0)
            }
        };
        let line_width = wide.max(LEAST_CAPTION);
        let mut scene = Scene { width: wide, ..Scene::default() };
        write(&mut scene, Font::Heading, Kind::Usual, &self.heading, line_width);
        scene.height += 8.0;
        let top = scene.height;
        scene.append(body, (0.0, top));
        scene.height += high + 2.0;
        for remark in &self.remarks {
            write(&mut scene, Font::Small, remark.kind, &remark.words, line_width);
        }
        scene
    }
}

/// Writes lines below a scene.
pub(crate) fn write(scene: &mut Scene, font: Font, kind: Kind, words: &str, line_width: f64) {
    for line in wrap(words, font, line_width) {
        let at = (0.0, scene.height + font.line() - 5.0);
        scene.text(Text::new(font, Anchor::Start, at, &line).look(TextLook::Plain(kind)));
        scene.height += font.line();
        scene.width = scene.width.max(font.width(&line));
    }
}

impl Figure {
    /// The figure, with fewer columns if one block is too wide for the page.
    fn fitted(
        function: Function<'_>,
        room: Room,
        page: f64,
        arrows: Arrows,
        witness: Option<&Witness>,
    ) -> Option<Figure> {
        let wanted = witness.map(witness::indices).unwrap_or_default();
        let mut room = room;
        loop {
            let figure = Figure::new(function, room, page, arrows, &wanted, witness)?;
            let factor = page / figure.geometry.width;
            match room.narrowed(factor, &wanted) {
                Some(narrower) if factor < 1.0 => room = narrower,
                _ => return Some(figure),
            }
        }
    }

    fn new(
        function: Function<'_>,
        room: Room,
        page: f64,
        arrows: Arrows,
        wanted: &[Index],
        witness: Option<&Witness>,
    ) -> Option<Figure> {
        let grid = Grid::new(function, room, wanted)?;
        let steps = (arrows == Arrows::Yes).then(|| Steps::of(&grid, witness));
        let spacing =
            steps.as_ref().map_or(Spacing::default(), |steps| steps.spacing(&grid.layout));
        let spacing = Spacing { high: grid.high(), ..spacing };
        let geometry = Geometry::new(&grid.layout, grid.widest(), spacing, page);
        Some(Figure { grid, steps, geometry })
    }

    /// Remarks on what the figure cannot show.
    fn remarks(&self, witness: Option<&Witness>) -> Vec<String> {
        let mut remarks: Vec<String> = self.grid.layout.note().into_iter().collect();
        let indices = witness.map(witness::indices).unwrap_or_default();
        if indices.iter().any(|index| self.grid.layout.place(index).is_none()) {
            remarks.push("not all of these indices are shown".to_owned());
        }
        if let Some(left_out @ 1..) = self.steps.as_ref().map(|steps| steps.left_out) {
            let (plural, have) = if left_out == 1 { ("", "has") } else { ("s", "have") };
            remarks.push(format!(
                "{left_out} more length{plural} of steps between panels {have} no arrow"
            ));
        }
        if self.grid.has_padding() {
            remarks.push(self.grid.padding.to_owned());
        }
        remarks
    }

    fn draw(&self, witness: Option<&Witness>, into: &mut Scene) {
        self.grid.draw(&self.geometry, into);
        if let Some(steps) = &self.steps {
            steps.draw(&self.grid.layout, &self.geometry, into);
        }
        if let Some(witness) = witness {
            witness::draw(witness, &self.grid, &self.geometry, into);
        }
    }
}

/// The sign for a grid without cells.
fn draw_nothing(into: &mut Scene) {
    let area = Area { x: 1.0, y: 1.0, width: 140.0, height: 36.0 };
    let (x, y) = area.middle();
    into.rectangle(Look::Nothing, area);
    into.text(Text::new(Font::Number, Anchor::Middle, (x, y + 4.0), "no elements"));
}
