//! The picture as a whole: what is drawn, its options, and its panels below each other.

use std::fmt;

use viewmerge::{Error, GuardedView, Limit, Verdict, View, ViewChain};

use crate::function::Function;
use crate::layout::{Room, USUAL_CELLS};
use crate::palette::Theme;
use crate::panel::{Arrows, LEAST_CAPTION, Panel, write};
use crate::scene::{Kind, Scene};
use crate::text::Font;

/// The half keeps lines of one pixel sharp: their middle is then that of a pixel.
const MARGIN: f64 = 12.5;
/// The most that a picture is wide, if no more than the usual cells are asked for.
const PAGE: f64 = 1200.0;
const BETWEEN_PANELS: f64 = 22.0;
/// Of a longer chain the views next to memory and the last ones are drawn.
const MOST_VIEWS: usize = 8;
/// Steps of search before a picture says that it does not know; a fraction of a second.
const SEARCH: u64 = 500_000;

/// A picture of a view, of a chain, or of why a chain is or is not one view.
///
/// It is written as SVG by [`Display`](fmt::Display) and [`Drawing::to_svg`].
/// Any view can be drawn, also one that is empty, never valid or huge. The same
/// drawing is always the same text.
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
    chain: ViewChain,
    title: Option<String>,
    most_cells: usize,
    theme: Theme,
}

#[derive(Debug, Clone)]
enum Subject {
    View,
    Guarded(Box<GuardedView>),
    Chain,
    Merge,
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
        Drawing::new(Subject::View, view.clone().into())
    }

    /// The picture of a view with guards: what the guards keep out is padding.
    ///
    /// ```
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
        Drawing::new(Subject::Guarded(guarded.clone().into()), guarded.view().clone().into())
    }

    /// The picture of a chain: what it comes to at the top, then its views, the
    /// one next to memory at the bottom.
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
        Drawing::new(Subject::Chain, chain.clone())
    }

    /// The picture of whether a chain is one view: the steps between neighbours,
    /// those that differ from the first one standing out, and the answer. If it
    /// is "no", the indices of the [`Witness`](viewmerge::Witness) are framed.
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
    /// assert!(svg.contains("the step from (0) is 3"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_merge(chain: &ViewChain) -> Drawing {
        Drawing::new(Subject::Merge, chain.clone())
    }

    fn new(subject: Subject, chain: ViewChain) -> Drawing {
        Drawing { subject, chain, title: None, most_cells: USUAL_CELLS, theme: Theme::Auto }
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

    /// The drawing with about so many cells at most in each grid; 240 unless told.
    ///
    /// With more cells, longer axes are shown whole. The first and last index of
    /// the shown axes stay however few are asked for, and 10 000 cells are the
    /// most that are drawn.
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

    /// The picture as a TeX document with one `tikzpicture`, which can be compiled as it is
    /// or taken out and put into a paper.
    ///
    /// Characters of a title that are not in TeX's fonts are left to the reader's TeX.
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
    /// Of the crate's feature `export`. The background is never transparent.
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
    /// Of the crate's feature `export`.
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

    fn panels(&self) -> Vec<Panel> {
        match &self.subject {
            Subject::Guarded(guarded) => {
                vec![self.panel(guarded.to_string(), Function::Guarded(guarded))]
            }
            Subject::View => vec![self.panel(self.chain.to_string(), Function::Chain(&self.chain))],
            Subject::Chain => self.chain_panels(),
            Subject::Merge => vec![self.merge_panel()],
        }
    }

    fn panel(&self, heading: String, function: Function<'_>) -> Panel {
        let (room, page) = self.room();
        Panel::new(heading, function, room, page, Arrows::No, None)
    }

    /// What may be shown, and on how wide a page.
    fn room(&self) -> (Room, f64) {
        let room = Room::for_cells(self.most_cells);
        // More than the usual number of columns was asked for: so is a wider page.
        let scale = room.columns as f64 / Room::for_cells(1).columns as f64;
        (room, PAGE * scale - 2.0 * MARGIN)
    }

    fn chain_panels(&self) -> Vec<Panel> {
        let views = self.chain.views();
        let mut panels =
            vec![self.panel(format!("all together: {}", self.chain), Function::Chain(&self.chain))];
        let left_out = 1..1 + views.len().saturating_sub(MOST_VIEWS);
        for (number, view) in views.iter().enumerate().rev() {
            if left_out.contains(&number) {
                continue;
            }
            let role = if number == 0 { ", next to memory" } else { "" };
            let chain = view.clone().into();
            let heading = format!("view {number}{role}: {view}");
            let mut panel = self.panel(heading, Function::Chain(&chain));
            if number == left_out.end && !left_out.is_empty() {
                let words = format!("{} views below this one are not drawn", left_out.len());
                panel = panel.remark(words, Kind::Usual);
            }
            panels.push(panel);
        }
        panels
    }

    fn merge_panel(&self) -> Panel {
        let (words, witness) = match self.chain.merge(&Limit::steps(SEARCH)) {
            Ok(Verdict::Merged(view)) => (format!("one view: {view}"), None),
            Ok(Verdict::NotMergeable(witness)) => {
                (format!("not one view: {witness}"), Some(witness))
            }
            Err(Error::Undecided { .. }) => ("undecided: the search was too long".to_owned(), None),
            Err(error) => (format!("refused: {error}"), None),
        };
        let kind = if witness.is_some() { Kind::Odd } else { Kind::Usual };
        let heading = self.chain.to_string();
        let function = Function::Chain(&self.chain);
        let (room, page) = self.room();
        Panel::new(heading, function, room, page, Arrows::Yes, witness).remark(words, kind)
    }

    /// The picture as data.
    pub(crate) fn scene(&self) -> Scene {
        let panels: Vec<_> = self.panels().iter().map(Panel::scene).collect();
        let mut scene = Scene {
            width: panels.iter().map(|panel| panel.width).fold(0.0, f64::max),
            name: self.title.clone().unwrap_or_else(|| self.chain.to_string()),
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
        // Always in the same form, whatever the flags of the formatter.
        f.write_str(&crate::svg::write(&self.scene(), self.theme))
    }
}
