//! The whole picture: what is drawn, its options, and its panels below each other.

use std::fmt;

use viewmerge::{View, ViewChain};
use viewmerge_cute::{Access, Banks, Conflicts, CoordinateLayout, Layout, Limit, Swizzled, Tiler};
use viewmerge_index::{GuardedView, Tiling};

use crate::cell::ColourBy;
use crate::layout::{Room, USUAL_CELLS};
use crate::modes::Modes;
use crate::palette::Theme;
use crate::panel::{LEAST_CAPTION, Panel, write};
use crate::scene::{Kind, Scene};
use crate::subject::{Page, Subject};
use crate::text::Font;

/// The half keeps lines of one pixel sharp: their middle is the middle of a pixel.
const MARGIN: f64 = 12.5;
/// The greatest width of a picture with at most the usual number of cells.
const PAGE: f64 = 1200.0;
const BETWEEN_PANELS: f64 = 22.0;
/// Layouts of threads are drawn whole: 32 threads of 8 values, and twice that.
const LAYOUT_CELLS: usize = 1024;

/// A picture of a view, of a chain, or of why a chain is or is not one view.
///
/// It is written as SVG by [`Display`](fmt::Display) and [`Drawing::to_svg`].
/// Any view can be drawn, even an empty, never valid or huge one. The same drawing always
/// gives the same text.
///
/// ```
/// use viewmerge::View;
/// use viewmerge_draw::Drawing;
///
/// let huge = View::contiguous(&[1 << 31, 1 << 31])?;
/// let svg = Drawing::of_view(&huge).to_string();
/// assert!(svg.contains(">4611686018427387903</text>") && svg.len() < 100_000);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a drawing is only a plan until it is written"]
pub struct Drawing {
    subject: Subject,
    title: Option<String>,
    most_cells: usize,
    theme: Theme,
}

impl Drawing {
    /// The picture of one view: every index, with its memory position.
    ///
    /// ```
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_view(&"(2,3):(1,2)+40".parse()?).to_svg();
    /// assert!(svg.contains("(2,3):(1,2)+40"));
    /// assert!(svg.contains(">45</text>"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_view(view: &View) -> Drawing {
        Drawing::new(Subject::View(view.clone().into()))
    }

    /// The picture of a view with guards: indices that a guard excludes are padding.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_draw::Drawing;
    ///
    /// let window: ViewChain = "(7):(1)-1 [1:6] | (5,3):(1,1)".parse()?;
    /// let svg = Drawing::of_guarded(&window.guarded(&Limit::none())?.unwrap()).to_svg();
    /// assert!(svg.contains("(5,3):(1,1)-1 if 1 &lt;= i0 + i1 &lt; 6"));
    /// assert!(svg.contains("hatched: padding"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_guarded(guarded: &GuardedView) -> Drawing {
        Drawing::new(Subject::Guarded(guarded.clone().into()))
    }

    /// The picture of a chain: the whole chain at the top, then its views, the one next
    /// to memory at the bottom.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    /// use viewmerge_draw::Drawing;
    ///
    /// let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
    /// let svg = Drawing::of_chain(&chain).to_svg();
    /// assert!(svg.contains("all together: (3,2):(1,3) | (6):(1)"));
    /// assert!(svg.contains("view 0, next to memory: (3,2):(1,3)"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_chain(chain: &ViewChain) -> Drawing {
        Drawing::new(Subject::Chain(chain.clone()))
    }

    /// The picture of whether a chain is one view: the steps between neighbours,
    /// highlighting those that differ from the first, and the answer. If it is "no", the
    /// indices of the [`Witness`](viewmerge::Witness) are framed.
    ///
    /// The search behind the answer is limited to a fraction of a second; a
    /// contrived chain may be drawn as undecided.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    /// use viewmerge_draw::Drawing;
    ///
    /// let views = ["(10,3,3):(8,1,2)".parse()?, "(6):(4)".parse()?];
    /// let svg = Drawing::of_merge(&ViewChain::from_views(&views)?).to_svg();
    /// assert!(svg.contains(">+8</text>"));
    /// assert!(svg.contains("the step along axis 0 is +3 at (0)"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_merge(chain: &ViewChain) -> Drawing {
        Drawing::new(Subject::Merge(chain.clone()))
    }

    /// The picture of a tiling: the chain with lines where its axes are cut, padded first if the
    /// tiling says so, and the view over the split below it.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_draw::Drawing;
    ///
    /// let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
    /// let svg = Drawing::of_tiling(&chain, &chain.tiling(&Limit::none())?).to_svg();
    /// assert!(svg.contains("one view over ((4,3)): (4,3):(1,4)"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_tiling(chain: &ViewChain, tiling: &Tiling) -> Drawing {
        Drawing::new(Subject::Tiling(chain.clone(), tiling.clone().into()))
    }

    /// The picture of a CuTe layout: mode 0 in rows, mode 1 in columns, further ones as panels, and
    /// lines where modes are nested.
    ///
    /// ```
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_layout(&"((2,2),4):((1,8),2)".parse()?).to_svg();
    /// assert!(svg.contains(">15</text>") && svg.contains(">mode 1</text>"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn of_layout(layout: &Layout) -> Drawing {
        Drawing::of_modes(Modes::of_layout(layout))
    }

    /// The picture of a swizzled layout.
    ///
    /// ```
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_swizzled(&"Sw<1,0,2> o 0 o (4,2):(2,1)".parse()?).to_svg();
    /// assert!(svg.contains("Sw&lt;1,0,2&gt; o 0 o (4,2):(2,1)"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn of_swizzled(swizzled: &Swizzled) -> Drawing {
        Drawing::of_modes(Modes::of_swizzled(swizzled))
    }

    /// The picture of a layout whose values are coordinates, `(4,8):(1@0,1@1)`.
    ///
    /// ```
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_coordinates(&"(4,8):(1@1,1@0)".parse()?).to_svg();
    /// assert!(svg.contains(">(7,3)</text>"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn of_coordinates(layout: &CoordinateLayout) -> Drawing {
        Drawing::of_modes(Modes::of_coordinates(layout))
    }

    /// The picture of a layout as text, swizzled, of coordinates or neither.
    ///
    /// # Errors
    ///
    /// If the text is not a layout.
    ///
    /// ```
    /// use viewmerge_draw::Drawing;
    ///
    /// assert!(Drawing::of_cute("(4,2):(2,1)")?.to_svg().contains(">mode 0</text>"));
    /// assert!(Drawing::of_cute("Sw<1,0,2> o 0 o (4,2):(2,1)").is_ok());
    /// assert!(Drawing::of_cute("(4,2):(1@0,1@1)").is_ok());
    /// assert!(Drawing::of_cute("(4,2):(2").is_err());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn of_cute(text: &str) -> Result<Drawing, viewmerge_cute::Error> {
        Ok(if text.trim_start().starts_with("Sw") {
            Drawing::of_swizzled(&text.parse()?)
        } else if CoordinateLayout::is_meant(text) {
            Drawing::of_coordinates(&text.parse()?)
        } else {
            Drawing::of_layout(&text.parse()?)
        })
    }

    /// The picture of a thread-value layout, (thread, value) → position: a tile of `tile` rows and
    /// columns, its positions down the columns as CuTe counts them, each with the thread that holds
    /// it and the number of the value there. Without a tile all positions are in a row.
    ///
    /// # Errors
    ///
    /// If the layout does not have two modes, has negative values or more than 65,536 positions, or the
    /// tile is too small.
    ///
    /// ```
    /// use viewmerge_draw::{ColourBy, Drawing};
    ///
    /// let layout = "((4,2),2):((2,8),1)".parse()?;
    /// let svg = Drawing::of_thread_values(&layout, Some([2, 8]), ColourBy::Thread)?.to_svg();
    /// assert!(svg.contains(">T7</text>") && svg.contains(">V1</text>"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn of_thread_values(
        layout: &Layout,
        tile: Option<[i64; 2]>,
        by: ColourBy,
    ) -> Result<Drawing, viewmerge_cute::Error> {
        Ok(Drawing::of_modes(Modes::of_thread_values(layout, tile, by)?))
    }

    /// The picture of a memory in the colours of its banks: the element and the bank in every cell. If conflicts
    /// are given, only what the worst transaction reads is coloured, with who reads it.
    ///
    /// ```
    /// use viewmerge_cute::{Access, Banks, Limit};
    /// use viewmerge_draw::Drawing;
    ///
    /// let access = Access { memory: "(8,8):(8,1)".parse()?, pattern: Some("8:1".parse()?), bytes: 4, vector: 1 };
    /// let banks = Banks { banks: 8, ..Banks::default() };
    /// let told = access.conflicts(&banks, &Limit::none())?;
    /// let svg = Drawing::of_access(&access, &banks, Some(&told)).to_svg();
    /// assert!(svg.contains(">T7</text>") && svg.contains("8 banks of 4 bytes"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn of_access(access: &Access, banks: &Banks, told: Option<&Conflicts>) -> Drawing {
        Drawing::of_modes(Modes::of_access(access, banks, told))
    }

    /// The picture of a layout in which one tile is coloured, the one at a given place among the tiles.
    ///
    /// # Errors
    ///
    /// If the tiles do not fill the layout, or the tile does not exist or has more than 65,536 positions.
    ///
    /// ```
    /// use viewmerge_cute::Limit;
    /// use viewmerge_draw::Drawing;
    ///
    /// let (layout, tiler) = ("(4,8):(8,1)".parse()?, "<2,4>".parse()?);
    /// let svg = Drawing::of_tile(&layout, &tiler, &[1, 0], &Limit::none())?.to_svg();
    /// assert!(svg.contains("coloured: the tile"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn of_tile(
        layout: &Layout,
        tiler: &Tiler,
        at: &[i64],
        limit: &Limit<'_>,
    ) -> Result<Drawing, viewmerge_cute::Error> {
        Ok(Drawing::of_modes(Modes::of_tile(layout, tiler, at, limit)?))
    }

    /// The picture of a thread-value layout in which only what one thread holds is coloured; other
    /// pictures are unchanged.
    ///
    /// ```
    /// use viewmerge_draw::{ColourBy, Drawing};
    ///
    /// let layout = "((4,2),2):((2,8),1)".parse()?;
    /// let drawing = Drawing::of_thread_values(&layout, Some([2, 8]), ColourBy::Thread)?;
    /// assert!(drawing.only_thread(5).to_svg().contains("only what thread 5 holds"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn only_thread(mut self, thread: i64) -> Drawing {
        if let Subject::Modes(modes) = &mut self.subject {
            modes.only_thread(thread);
        }
        self
    }

    fn of_modes(modes: Modes) -> Drawing {
        Drawing { most_cells: LAYOUT_CELLS, ..Drawing::new(Subject::Modes(modes.into())) }
    }

    fn new(subject: Subject) -> Drawing {
        Drawing { subject, title: None, most_cells: USUAL_CELLS, theme: Theme::Auto }
    }

    /// The drawing with a title at the top.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_view(&View::contiguous(&[3])?).title("a < b").to_svg();
    /// assert!(svg.contains("a &lt; b"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn title(mut self, title: &str) -> Drawing {
        self.title = Some(title.to_owned());
        self
    }

    /// The drawing with at most about this many cells in each grid; 240 by default.
    ///
    /// With more cells, longer axes are shown whole. The first and last index of the
    /// shown axes always stay, and at most 10 000 cells are drawn.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let drawing = Drawing::of_view(&View::contiguous(&[20, 20])?);
    /// assert!(!drawing.to_svg().contains(">210</text>"));
    /// assert!(drawing.most_cells(1000).to_svg().contains(">210</text>"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn most_cells(mut self, cells: usize) -> Drawing {
        self.most_cells = cells;
        self
    }

    /// The drawing for a light or a dark page.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::{Drawing, Theme};
    ///
    /// let drawing = Drawing::of_view(&View::contiguous(&[3])?).theme(Theme::Light);
    /// assert!(drawing.to_svg().contains("fill:#ffffff"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn theme(mut self, theme: Theme) -> Drawing {
        self.theme = theme;
        self
    }

    /// The picture as one SVG document.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let svg = Drawing::of_view(&View::contiguous(&[2])?).to_svg();
    /// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        self.to_string()
    }

    /// The picture as a TeX document with one `tikzpicture`, to compile as it is or to copy
    /// into a paper.
    ///
    /// Characters of a title that TeX's fonts lack are left to the reader's TeX.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let tex = Drawing::of_view(&View::contiguous(&[2])?).to_tikz();
    /// assert!(tex.contains("\\begin{tikzpicture}") && tex.ends_with("\\end{document}\n"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn to_tikz(&self) -> String {
        crate::tikz::write(&self.scene(), self.theme)
    }

    /// The picture as a PNG file, with `scale` pixels for every pixel of the picture.
    ///
    /// Needs the feature `export`. The background is never transparent.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let png = Drawing::of_view(&View::contiguous(&[2])?).to_png(2.0)?;
    /// assert!(png.starts_with(b"\x89PNG"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the scale is not from 0.1 to 16, if the picture has more than 50 million pixels, or
    /// if the title has a character that the font lacks.
    #[cfg(feature = "export")]
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, crate::ExportError> {
        crate::png::write(&self.scene(), self.theme, scale)
    }

    /// The picture as a PDF file of one page as large as the picture, with its font.
    ///
    /// Needs the feature `export`.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_draw::Drawing;
    ///
    /// let pdf = Drawing::of_view(&View::contiguous(&[2])?).to_pdf()?;
    /// assert!(pdf.starts_with(b"%PDF-"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the page would be wider or higher than 14 400 points, or if the title has a
    /// character that the font lacks.
    #[cfg(feature = "export")]
    pub fn to_pdf(&self) -> Result<Vec<u8>, crate::ExportError> {
        crate::pdf::write(&self.scene(), self.theme)
    }

    /// How much to show, and on how wide a page.
    fn page(&self) -> Page {
        let room = Room::for_cells(self.most_cells);
        // More columns than usual need a wider page.
        let scale = room.columns as f64 / Room::for_cells(1).columns as f64;
        Page { room, width: PAGE * scale - 2.0 * MARGIN }
    }

    /// The picture as data.
    pub(crate) fn scene(&self) -> Scene {
        let panels: Vec<_> = self.subject.panels(self.page()).iter().map(Panel::scene).collect();
        let mut scene = Scene {
            width: panels.iter().map(|panel| panel.width).fold(0.0, f64::max),
            name: self.title.clone().unwrap_or_else(|| self.subject.name()),
            ..Scene::default()
        };
        if let Some(title) = &self.title {
            let line_width = scene.width.max(LEAST_CAPTION);
            write(&mut scene, Font::Title, Kind::Usual, title, line_width);
            scene.height += 6.0;
        }
        for (number, panel) in panels.into_iter().enumerate() {
            if number > 0 {
                scene.height += BETWEEN_PANELS;
            }
            let (top, high) = (scene.height, panel.height);
            scene.append(panel, (0.0, top));
            scene.height += high;
        }
        let (width, height) = (scene.width + 2.0 * MARGIN, scene.height + 2.0 * MARGIN);
        let mut page = Scene { width, height, name: scene.name.clone(), items: Vec::new() };
        page.append(scene, (MARGIN, MARGIN));
        page
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The formatter's flags are ignored.
        f.write_str(&crate::svg::write(&self.scene(), self.theme))
    }
}
